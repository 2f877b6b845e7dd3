/* draw_bins.js - the bins and their private copies, as they are after this step.
 *
 * The cells are made once and then filled anew, so that the one that has the focus keeps it. */
"use strict";

const MOST_GROUPS = 12;
const MOST_CELLS = 1024; // of a group
const ALL_SHOWN = 300; // of more cells those are shown that a step changes

/* {array: its cells that a step changes, in order}, as a Map. What is stored first is no change, but
 * of the result. */
function cells_changed(trace) {
  const changed = new Map(trace.arrays.map((array) => [array, new Set()]));
  const state = first_state(trace);
  for (const step of trace.steps) {
    if (is_write(step) && !step.array.is_input && step.values) {
      const held = state[step.array.number];
      for (const [element, turns] of turns_by_element(step))
        if (is_change(step.array, held[element], turns)) changed.get(step.array).add(element);
    }
    apply(state, step);
  }
  for (const array of trace.arrays.filter((one) => one.is_result))
    for (const bin of trace.wrong)
      for (let p = 0; p < array.per; p++) changed.get(array).add(bin * array.per + p);
  return new Map([...changed].map(([array, cells]) => [array, [...cells].sort((a, b) => a - b)]));
}

function is_change(array, held, turns) {
  const [before] = turns[0], earlier = before ?? held;
  return earlier === undefined ? array.is_result : last_of(turns) !== earlier;
}

/* The groups of counters: the result, of a batch each histogram's; then each copy; an array of another
 * form is one group. */
function groups_of(trace) {
  const groups = [], changed = cells_changed(trace);
  for (const array of [...trace.arrays].sort((a, b) => b.is_result - a.is_result)) {
    if (array.is_input) continue;
    const named = has_bins(trace, array);
    const count = named ? trace.bin_count * array.per : array.count;
    for (let begin = 0; begin + count <= array.count; begin += count) {
      const cells = count <= ALL_SHOWN ? Array.from({ length: count }, (_, at) => begin + at) :
        changed.get(array).filter((cell) => cell >= begin && cell < begin + count);
      if (cells.length && groups.length < MOST_CELLS)
        groups.push({ array, begin, count, named, cells: cells.slice(0, MOST_CELLS) });
    }
  }
  return groups;
}

function group_title(trace, { array, begin, count, named, cells }) {
  const turn = begin / count;
  const part = cells.length < count ? `, ${grouped(cells.length)} of ${grouped(count)} that change` : "";
  const place = (array.is_shared ? ` of block ${array.block}` : "") +
    (trace.devices > 1 ? ` on device ${array.device}` : "");
  if (array.is_host) return `${array.name}: the result, on the host when all is over${part}`;
  if (array.is_result) return `${array.name}: the result${trace.rows > 1 ?
    ` of histogram ${turn}` : ""}${part}`;
  return `${array.name}${place}${named && array.count > count ? `, copy ${turn}` : ""}${part}`;
}

function draw_groups(view) {
  view.groups = groups_of(view.trace).map((group) => make_group(view, group));
  view.more = make("p", { class: "note" });
  part("bins").replaceChildren(...view.groups.map((group) => group.box), view.more);
}

function make_group(view, group) {
  const { trace } = view;
  const cells = group.cells.map((element) => make_bin(view, group, element));
  const wide = fields_in(group.array, 0).length > 1 ? "fields" : "";
  const box = make("div", { class: `bins ${group.named ? "" : "plain"} ${cells.length > 64 ?
    "many" : ""} ${wide}`, role: "group", "aria-label": group_title(trace, group) },
  make("h3", { text: group_title(trace, group) }),
  make("div", { class: "bin-row" }, ...cells.map((cell) => cell.box)));
  return { ...group, box, cells };
}

function make_bin(view, group, element) {
  const at = output_of(group.array, element - group.begin);
  const name = (group.named && view.trace.bin_count > 1 ? bin_name(view.trace, at) : String(at)) +
    part_words(group.array, element);
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
  const step = trace.steps[view.current];
  const changed = changes_of(trace, step, view.current);
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
    if (group.array.is_result && !(view.trace.rows > 1)) return 0;
    if (touches_group(step, group)) return 1;
    return group.array.block === step.b && group.array.device === step.d ? 2 : 3;
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
function changes_of(trace, step, current) {
  const changes = new Map();
  if (!step.array || step.array.is_input) return changes;
  const earlier = state_after(trace, current - 1)[step.array.number];
  each_element(step, (element, after) => changes.set(element_key(step.array, element),
    [earlier[element], after]));
  return changes;
}

/* What a cell should hold in the end: a number or words; undefined where it is not known. */
function expected_of(trace, array, element) {
  return array.is_result && array.per === 1 ? trace.expected?.[element] : undefined;
}

/* Of words such as "1,200, give or take 0.1" nothing can be drawn. */
function number_in(words) {
  return typeof words === "number" ? words : words === undefined || words === "" ? NaN : Number(words);
}

/* The caller's bins, on the host, are whole when the function returns. */
function value_at_step(trace, group, cell, state, ended) {
  if (group.array.is_host) return ended ? trace.counted[cell.element] : null;
  return state[group.array.number][cell.element];
}

function fill_bin(view, group, cell, state, changed) {
  const { trace } = view, { array } = group;
  const ended = view.current === trace.steps.length - 1 && !trace.cut;
  const current = value_at_step(trace, group, cell, state, ended);
  const change = changed.get(cell.key), step = trace.steps[view.current];
  const expected = expected_of(trace, array, cell.element);
  const wrong = ended && array.is_result && trace.wrong.has(output_of(array, cell.element));
  const words = value_words(array, current, cell.element), pressed = view.filters.element.has(cell.key);
  const looks = [words, change, wrong, pressed, change && step.o].join();
  if (cell.looks === looks) return; // hundreds of cells stay as they are
  cell.looks = looks;
  cell.value.textContent = words;
  cell.value.className = `bin-value ${size_of(words)}`;
  const target = number_in(expected);
  cell.note.textContent = change && is_write(step) ? difference(array, cell.element, change) :
    change ? "read" : Number.isNaN(target) ? "" : `of ${number_words(target)}`;
  fill_share(trace, array, cell, current, target);
  cell.box.className = `bin${change ? is_write(step) ? " written" : " read" : ""}` +
    `${wrong ? " wrong-bin" : ""}${is_too_much(trace, array, cell, current, target) ? " too-many" : ""}`;
  cell.box.setAttribute("aria-pressed", String(pressed));
  const label = `${element_name(trace, array, cell.element)}` +
    `${group.named && !array.is_result ? `, bin ${cell.name}` : ""} is ${words}` +
    `${expected !== undefined ? ` of ${expected}` : ""}`;
  cell.box.setAttribute("aria-label", label);
  cell.box.setAttribute("title", label);
}

/* Counts grow towards what they should be; other results do not. */
function is_count(trace, array) {
  const fields = array.shape?.fields ?? [];
  return array.per === 1 && trace.bin_count > 1 && fields.length < 2 && fields[0]?.[0] !== "sum";
}

function fill_share(trace, array, cell, current, target) {
  const numbers = (trace.expected ?? []).map(number_in).filter((one) => !Number.isNaN(one));
  const most = Number.isNaN(target) ? numbers.reduce((a, b) => Math.max(a, b), 1) : target;
  const share = is_count(trace, array) ? (cell_number(array, cell.element, current) ?? 0) / Math.max(most, 1) : 0;
  cell.fill.style.width = `${Math.max(0, Math.min(100, 100 * share)).toFixed(1)}%`;
}

function is_too_much(trace, array, cell, current, target) {
  return is_count(trace, array) && !Number.isNaN(target) &&
    cell_number(array, cell.element, current) > target;
}

function difference(array, element, [before, after]) {
  if (before === null || before === undefined) return "set";
  if (before === after) return "same";
  const by = cell_number(array, element, after) - cell_number(array, element, before);
  return Number.isInteger(by) && by !== 0 ? `${by > 0 ? "+" : "\u2212"}${Math.abs(by)}` : "changed";
}
