/* draw_story.js - the title, the outcome, and above all a race: both accesses, and what got lost. */
"use strict";

function draw_head(view) {
  const { trace } = view;
  part("title").textContent = trace.title;
  const input = trace.input ?? {};
  part("input").textContent = [input.what, input.seed !== undefined ?
    `schedule of SEED=${input.seed}` : "", counted(trace.steps.length, "step"), trace.command]
    .filter(Boolean).join(" \u00b7 ");
  const right = trace.outcome?.right;
  part("outcome").replaceChildren(make("strong", { class: right ? "right" : "wrong",
    text: right ? "\u2713 right" : "\u2717 wrong" }), " ", trace.outcome?.words ?? "");
}

function draw_story(view) {
  const { race, failure } = view.trace;
  const box = part("story");
  box.hidden = !race && !failure;
  if (race) box.append(...race_story(view, race));
  if (failure) box.append(...failure_story(view, failure, Boolean(race)));
}

function race_story(view, race) {
  const [title, ...rest] = (race.words ?? "").split("\n");
  return [
    make("h2", { text: /^race/i.test(title) ? title : `Race: ${title}` }),
    make("div", { class: "accesses" }, access_card(view, race.first, "first", race),
      access_card(view, race.second, "second", race)),
    make("p", { class: "lost" }, make("strong", { text: "Lost: " }), race.lost ?? ""),
    ...rest.filter((line) => line.trim()).length ? [make("details", {},
      make("summary", { text: "The whole report" }), make("pre", { text: race.words }))] : [],
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
    make("code", { text: `${step.n}  ${(trace.source[step.n - 1] ?? "").trim()}` }));
}

/* "Lane 3 of warp 0 of block 1 reads 4 from bins[2]"; the whole step when no lane is known. */
function access_words(trace, step, race) {
  const place = step.lanes.findIndex((_, k) => is_racy(trace, step, k));
  if (place < 0) return sentence(trace, step);
  const lanes = step.lanes.filter((_, k) => is_racy(trace, step, k));
  const value = step.values ? ` ${value_words(step.array, step.values[place])}` : "";
  const does = step.o === "ld" ? `read${value} from` : step.o === "st" ? `write${value} to` :
    "do an atomic on";
  const one = lanes.length === 1;
  return `${capital(one ? `lane ${lanes[0]}` : `lanes ${lanes.join(", ")}`)} of ${who(step)} ` +
    `${one ? does.replace(/^(read|write|do)/, (verb) => (verb === "do" ? "does" : `${verb}s`)) : does} ` +
    `${race.element}.`;
}

function failure_story(view, failure, beside_race) {
  const shown = failure.step >= 0 && failure.step < view.trace.steps.length;
  const words = failure.shrunk ? `The smallest input found that still fails: ${failure.shrunk}.` : "";
  return [
    beside_race ? null : make("h2", { text: (failure.words ?? "").split("\n")[0] }),
    make("p", { class: "note", text: words }),
    !beside_race && shown ? make("button", { type: "button", "data-failure": true,
      click: () => go_to(view, failure.step),
      text: `go to where it shows, step ${grouped(failure.step + 1)}` }) : null,
  ].filter(Boolean);
}
