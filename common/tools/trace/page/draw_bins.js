/* draw_bins.js - the bins and their private copies, as they are after this step.
 *
 * The cells are made once and then filled anew, so that the one that has the focus keeps it. */
"use strict";

const MOST_GROUPS = 12;
const MOST_CELLS = 1024; // of an array that is shown here at all

/* The groups of counters: the result, then each copy; an array of another form is one group. */
function groups_of(trace) {
  const groups = [];
  for (const array of [...trace.arrays].sort((a, b) => b.is_result - a.is_result)) {
    if (array.is_text || array.count > MOST_CELLS && !has_bins(trace, array)) continue;
    if (!has_bins(trace, array)) {
      groups.push({ array, begin: 0, count: array.count, named: false });
      continue;
    }
    for (let begin = 0; begin < array.count; begin += trace.bins.length)
      groups.push({ array, begin, count: trace.bins.length, named: true });
  }
  return groups;
}

function group_title(trace, { array, begin, named }) {
  if (array.is_result) return `${array.name}: the result`;
  if (array.is_shared) return `${array.name} of block ${array.block}`;
  return named && array.count > trace.bins.length ?
    `${array.name}, copy ${begin / trace.bins.length}` : array.name;
}

function draw_groups(view) {
  view.groups = groups_of(view.trace).map((group) => make_group(view, group));
  view.more = make("p", { class: "note" });
  part("bins").replaceChildren(...view.groups.map((group) => group.box), view.more);
}

function make_group(view, group) {
  const { trace } = view;
  const cells = Array.from({ length: group.count }, (_, at) => make_bin(view, group, at));
  const box = make("div", { class: `bins ${group.named ? "" : "plain"} ${group.count > 64 ?
    "many" : ""}`, role: "group", "aria-label": group_title(trace, group) },
  make("h3", { text: group_title(trace, group) }),
  make("div", { class: "bin-row" }, ...cells.map((cell) => cell.box)));
  return { ...group, box, cells };
}

function make_bin(view, group, at) {
  const element = group.begin + at;
  const name = group.named ? view.trace.bins[at] : String(at);
  const value = make("span", { class: "bin-value" }), fill = make("span", { class: "bin-fill" });
  const note = make("span", { class: "bin-note" });
  const key = element_key(group.array, element);
  const box = make("button", { type: "button", class: "bin", "data-element": key,
    "aria-pressed": "false", click: () => toggle_filter(view, "element", key) },
  make("span", { class: "bin-name", text: name }), value, note, fill);
  return { box, value, fill, note, element, key, name };
}

function draw_bins(view, state) {
  const { trace } = view;
  const step = trace.steps[view.now];
  const changed = changes_of(trace, step, view.now);
  const shown = groups_shown(view, step);
  for (const group of view.groups) {
    group.box.hidden = !shown.has(group);
    if (group.box.hidden) continue;
    for (const cell of group.cells) fill_bin(view, group, cell, state, changed);
  }
  const left = view.groups.length - shown.size;
  view.more.textContent = left ? `and ${left} more: those of other blocks` : "";
}

/* The result, and as many copies as there is room for: first those of this step and its block. */
function groups_shown(view, step) {
  const rank = (group) => {
    if (group.array.is_result) return 0;
    if (touches_group(step, group)) return 1;
    return group.array.block === step.b ? 2 : 3;
  };
  const ranked = view.groups.map((group, at) => [rank(group), at, group])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return new Set(ranked.slice(0, MOST_GROUPS).map(([, , group]) => group));
}

function touches_group(step, group) {
  return step.array === group.array && step.elements.some((element) =>
    element >= group.begin && element < group.begin + group.count);
}

/* {key: [before, after]} of what this step writes or reads. */
function changes_of(trace, step, now) {
  const changes = new Map();
  if (!step.array || step.array.is_text) return changes;
  const earlier = state_after(trace, now - 1)[step.array.number];
  each_element(step, (element, after) => changes.set(element_key(step.array, element),
    [earlier[element], after]));
  return changes;
}

function fill_bin(view, group, cell, state, changed) {
  const { trace } = view;
  const now = state[group.array.number][cell.element];
  const change = changed.get(cell.key), step = trace.steps[view.now];
  const expected = group.array.is_result ? trace.expected?.[cell.element] : undefined;
  const ended = view.now === trace.steps.length - 1 && !trace.cut;
  const wrong = ended && expected !== undefined && now !== expected;
  const words = value_words(group.array, now), pressed = view.filters.element.has(cell.key);
  const looks = [words, change, wrong, pressed, change && step.o].join();
  if (cell.looks === looks) return; // hundreds of cells stay as they are
  cell.looks = looks;
  cell.value.textContent = words;
  cell.note.textContent = change && is_write(step) ? difference(change) :
    change ? "read" : expected !== undefined ? `of ${expected}` : "";
  const most = expected ?? Math.max(1, ...(trace.expected ?? [1]));
  cell.fill.style.width = `${Math.min(100, 100 * (now ?? 0) / Math.max(most, 1)).toFixed(1)}%`;
  cell.box.className = `bin${change ? is_write(step) ? " written" : " read" : ""}` +
    `${wrong ? " wrong-bin" : ""}${expected !== undefined && now > expected ? " too-many" : ""}`;
  cell.box.setAttribute("aria-pressed", String(pressed));
  cell.box.setAttribute("aria-label", `${element_name(trace, group.array, cell.element)}` +
    `${group.named && !group.array.is_result ? `, bin ${cell.name}` : ""} is ${words}` +
    `${expected !== undefined ? ` of ${expected}` : ""}`);
}

function difference([before, after]) {
  if (before === null || before === undefined) return "set";
  const by = after - before;
  return by === 0 ? "same" : Number.isInteger(by) ? `${by > 0 ? "+" : "\u2212"}${Math.abs(by)}` : "changed";
}
