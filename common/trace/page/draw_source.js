/* draw_source.js - the source with the requests of each line; the counters, up to this step and of the whole
 * launch; the title, the outcome, and above all a race: both accesses, and what got lost. */
"use strict";

function requests_by_line(trace) {
  const found = new Map();
  for (const step of trace.steps)
    if (step.array && step.n > 0) found.set(step.n, (found.get(step.n) ?? 0) + 1);
  return found;
}

function steps_by_line(trace) {
  const found = new Set(trace.steps.map((step) => step.n));
  found.delete(0);
  return found;
}

function draw_source(view) {
  const { trace } = view;
  const requests = requests_by_line(trace), walked = steps_by_line(trace);
  const most = Math.max(1, ...requests.values());
  view.lines = trace.source.map((text, at) => {
    const line = at + 1;
    const made = requests.get(line) ?? 0;
    return source_line(view, { line, text, made, share: made / most, walked: walked.has(line) });
  });
  part("source").replaceChildren(...view.lines);
  for (const file of trace.files.slice(1))
    view.lines[file.before]?.before(make("p", { class: "file", text: file.name }));
  part("source-note").textContent = `${trace.file.split("/").slice(-3).join("/")}. ` +
    "The numbers count the requests of a line; a click shows only its steps.";
}

function source_line(view, { line, text, made, share, walked }) {
  const inside = [
    make("span", { class: "number", text: line_number(view.trace, line) }),
    make("span", { class: "heat", title: made ? counted(made, "request") : null },
      made ? make("span", { class: "heat-bar", style: `width: ${(share * 100).toFixed(1)}%` }) : "",
      make("span", { class: "heat-count", text: made ? grouped(made) : "" })),
    make("span", { class: "code" }, ...colored(text)),
  ];
  if (!walked) return make("div", { class: "line" }, ...inside);
  return make("button", { type: "button", class: "line walked", "data-line": line,
    "aria-pressed": "false", click: () => toggle_filter(view, "line", line) }, ...inside);
}

/* The lines of the files that the kernel's includes follow its own. */
function file_of(trace, line) {
  return trace.files.filter((file) => file.before < line).pop() ?? trace.files[0];
}

function line_number(trace, line) {
  return line - file_of(trace, line).before;
}

function line_words(trace, line) {
  if (line === 0) return "no line of this page";
  const file = file_of(trace, line);
  return `line ${line_number(trace, line)}${file.before > 0 ? ` of ${file.name.split("/").pop()}` : ""}`;
}

/* Comments are dimmed, nothing else is colored. */
function colored(text) {
  const begin = /^\s*(\*|\/\*)/.test(text) ? 0 : text.search(/\/[/*]/);
  if (begin < 0) return [text || "\u00a0"];
  return [text.slice(0, begin), make("span", { class: "comment", text: text.slice(begin) })];
}

/* Marks the line of this step, and those that are filtered by. */
function draw_line(view) {
  const { lines, trace } = view;
  const step = trace.steps[view.current];
  lines.forEach((element, at) => {
    const here = at + 1 === step.n;
    if (element.classList.contains("current") !== here) element.classList.toggle("current", here);
    if (here) element.setAttribute("aria-current", "step");
    else element.removeAttribute("aria-current");
    if (element.dataset.line)
      element.setAttribute("aria-pressed", String(view.filters.line.has(at + 1)));
  });
  if (step.n > 0) show_inside(part("source"), lines[step.n - 1]);
}

/* Scrolls a box, and not the page, until the element is well inside of it. */
function show_inside(box, element) {
  if (!element) return;
  const room = box.getBoundingClientRect(), place = element.getBoundingClientRect();
  const end = Math.min(room.bottom, window.innerHeight); // the box may reach below the window
  const bottom = end > room.top + 100 ? end : room.bottom;
  if (place.top < room.top + 24 || place.bottom > bottom - 24)
    box.scrollTop += place.top - (room.top + bottom) / 2;
}

function draw_sums(view) {
  view.agree ??= profile_note(view.trace);
  const { trace } = view;
  const step = trace.steps[view.current];
  const launches = trace.launches.map((launch, number) => [launch, number])
    .filter(([, number]) => trace.launches.length < 4 || number === step.l);
  const counting = launches.filter(([launch]) => launch.metrics.some((metric) => metric.value));
  part("sums").replaceChildren(...counting.map(([launch, number]) =>
    launch_sums(view, launch, number)), view.agree);
}

function launch_sums(view, launch, number) {
  const rows = launch.metrics.map((metric) => [metric,
    sum_until(view.trace, number, metric.name, view.current)]);
  const used = rows.filter(([metric, sum]) => metric.value || sum);
  const head = make("tr", {}, ...["counter", "so far", "in all"].map((words, at) =>
    make("th", { scope: "col", class: at ? "figure" : "", text: words })));
  const title = `${launch.kernel}${view.trace.devices > 1 ? ` on device ${launch.device}` :
    ""}, grid (${launch.grid.join(",")}), block ` +
    `(${launch.block.join(",")})${launch.shared ? `, ${counted(launch.shared, "byte")} shared` : ""}`;
  return make("table", { "data-launch": number }, make("caption", { text: title }),
    make("thead", {}, head), make("tbody", {}, ...used.map(([metric, sum]) => sum_row(metric, sum))));
}

function sum_row(metric, sum) {
  const whole = sum === metric.value;
  return make("tr", { "data-metric": metric.name, "data-sum": sum, "data-value": metric.value },
    make("th", { scope: "row" }, short_words(metric), make("small", { text: metric.name })),
    make("td", { class: "figure", text: sum === null ? "-" : grouped(sum) }),
    make("td", { class: `figure ${whole ? "whole" : ""}`, text: grouped(metric.value) }));
}

const OPERATIONS = { ld: "loads", st: "stores", red: "atomics", atom: "atomics, result used" };

/* "sectors of loads, global" for l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum. */
function short_words(metric) {
  const meaning = meaning_of(metric.name);
  if (!meaning) return metric.sentence;
  const kind = meaning.accesses[0];
  const of = meaning.shared && kind === "atom" ? "atomics" : OPERATIONS[kind];
  return `${meaning.field.replace("_", " ")} of ${of}, ${meaning.shared ? "shared" : "global"}`;
}

/* What the sums can be compared with, and whether they agree. */
function profile_note(trace) {
  const last = trace.steps.length - 1;
  const differ = trace.launches.flatMap((launch, number) => launch.metrics.filter((metric) => {
    const sum = sum_until(trace, number, metric.name, last);
    return sum !== null && sum !== metric.value;
  }));
  const paragraph = make("p", { class: "note", id: "agree" });
  if (trace.cut)
    paragraph.append(`${counted(trace.cut, "step")} at the end are left out of this page: ` +
      "\u201cin all\u201d counts them, too. ");
  else if (differ.length)
    paragraph.append(make("span", { class: "wrong", text: "The sums of the steps differ in " +
      `${counted(differ.length, "counter")} from those of the launch. ` }));
  else if (!trace.launches.some((launch) => launch.metrics.length))
    paragraph.append("Code of the host is not counted: one lane of the simulated GPU runs it here.");
  else paragraph.append("The sums of all steps are the counters of the launch. ");
  if (trace.input?.profile)
    paragraph.append("The same by ", make("code", { text: trace.input.profile }), ".");
  return paragraph;
}

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
  const race_words = /^Race reported: (.*)/.exec(headline(race.words));
  const title = race_words ? race_words[1] : `two accesses to ${race.element}, and nothing orders them`;
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
