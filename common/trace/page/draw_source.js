/* draw_source.js - the source, how many requests each line makes, and the line of this step. */
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
  if (trace.other) view.lines[trace.lines]?.before(make("p", { class: "file", text: trace.other }));
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

/* The lines of a file that the kernel's includes follow its own. */
function line_number(trace, line) {
  return line > trace.lines ? line - trace.lines : line;
}

function line_words(trace, line) {
  const file = line > trace.lines ? ` of ${trace.other.split("/").pop()}` : "";
  return `line ${line_number(trace, line)}${file}`;
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
  const step = trace.steps[view.now];
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
