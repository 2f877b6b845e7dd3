/* draw_story.js - the title, the outcome, and above all a race: both accesses, and what got lost. */
"use strict";

function draw_head(view) {
  const { trace } = view;
  part("title").textContent = trace.title;
  const input = trace.input ?? {};
  part("input").textContent = [input.what, counted(trace.steps.length, "step"), trace.command,
    input.note].filter(Boolean).join(" \u00b7 ");
  const { right, another, words = "" } = trace.outcome ?? {};
  const [class_name, verdict] = right ? ["right", "\u2713 right"] :
    another ? ["wrong", "\u2248 right, by another technique"] : ["wrong", "\u2717 wrong"];
  const [first, ...rest] = words.trim().split("\n");
  part("outcome").replaceChildren(make("strong", { class: class_name, text: verdict }), ` ${first}`);
  if (rest.length) part("outcome").append(whole_report("All that the judge says", words));
}

function whole_report(title, words) {
  return make("details", {}, make("summary", { text: title }), make("pre", { text: words.trim() }));
}

/* The first line of a report, without what compute-sanitizer puts in front. */
function headline(words) {
  return (words ?? "").split("\n")[0].replace(/^=+ */, "").replace(/^Error: /, "");
}

function draw_story(view) {
  const { race, failure } = view.trace;
  const box = part("story");
  box.hidden = !race && !failure;
  if (race) box.append(...race_story(view, race));
  if (failure) box.append(...failure_story(view, failure, Boolean(race)));
}

function race_story(view, race) {
  const told = /^Race reported: (.*)/.exec(headline(race.words));
  const title = told ? told[1] : `two accesses to ${race.element}, and nothing orders them`;
  return [
    make("h2", { text: `Race: ${title}` }),
    make("div", { class: "accesses" }, access_card(view, race.first, "first", race),
      access_card(view, race.second, "second", race)),
    ...race.lost ? [make("p", { class: "lost" }, make("strong", { text: "Lost: " }), race.lost)] : [],
    whole_report("The whole report", race.words),
  ];
}

function access_card(view, number, order, race) {
  const { trace } = view;
  const step = trace.steps[number];
  if (!step) return make("p", { class: "note", text: `The ${order} access is not in this page.` });
  return make("div", { class: `access ${order}` },
    make("button", { type: "button", "data-race": order, click: () => go_to(view, number),
      text: `${order === "first" ? "1" : "2"}: go to the ${order} access, step ${grouped(number + 1)}` }),
    make("p", { text: access_words(trace, step, race) }),
    make("code", { text: `${line_number(trace, step.n)}  ${(trace.source[step.n - 1] ?? "").trim()}` }));
}

/* "Lane 3 of warp 0 of block 1 reads 4 from bins[2]"; the whole step when no lane is known. */
function access_words(trace, step, race) {
  const place = step.lanes.findIndex((_, k) => is_racy(trace, step, k));
  if (place < 0) return sentence(trace, step);
  const lanes = step.lanes.filter((_, k) => is_racy(trace, step, k));
  const value = step.values ?
    ` ${value_words(step.array, step.values[place], step.elements[place])}` : "";
  const does = step.o === "ld" ? `read${value} from` : step.o === "st" ? `write${value} to` :
    "do an atomic on";
  const one = lanes.length === 1;
  return `${capital(some_lanes(lanes))} of ${who(step)} ` +
    `${one ? does.replace(/^(read|write|do)/, (verb) => (verb === "do" ? "does" : `${verb}s`)) : does} ` +
    `${race.element}.`;
}

/* "lane 3", "lanes 0, 1", "all 32 lanes". */
function some_lanes(lanes) {
  if (lanes.length === 1) return `lane ${lanes[0]}`;
  if (lanes.length === LANES) return `all ${LANES} lanes`;
  return lanes.length > 8 ? `${lanes.length} lanes` : `lanes ${lanes.join(", ")}`;
}

function failure_story(view, failure, beside_race) {
  const shown = failure.step >= 0 && failure.step < view.trace.steps.length;
  const words = failure.shrunk ? `The smallest input found that still fails: ${failure.shrunk}.` : "";
  return [
    beside_race ? null : make("h2", { text: headline(failure.words) }),
    words ? make("p", { class: "note", text: words }) : null,
    !beside_race && shown ? make("button", { type: "button", "data-failure": true,
      click: () => go_to(view, failure.step),
      text: `Go to where it shows, step ${grouped(failure.step + 1)}` }) : null,
    beside_race || !/\n./.test((failure.words ?? "").trim()) ? null :
      whole_report("The whole report", failure.words),
  ].filter(Boolean);
}
