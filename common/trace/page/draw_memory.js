/* draw_memory.js - global memory as rows of 32 elements, cut into sectors of 32 bytes; shared memory: the 32
 * banks as columns, and who is served in which wavefront. */
"use strict";

const COLUMNS = 32; // of cells; of elements with several fields 8, of wide ones 16
const SECTOR = 32; // bytes
const MOST_ROWS = 8; // that are shown although nobody touches them

/* A panel with the access of this step, or the warp's latest before it: its title, and what it touches. */
function draw_access(view, panel, is_shared, title, inside) {
  const step = view.trace.steps[view.current];
  const shown = latest_access(view.trace, step, is_shared);
  const box = part(panel);
  part(`${panel}-panel`).classList.toggle("earlier", shown !== step);
  if (!shown) {
    box.replaceChildren(make("p", { class: "note", text: "This warp has not used it yet." }));
    return;
  }
  part(`${panel}-head`).replaceChildren(title(shown), ...earlier(view, shown, step));
  box.replaceChildren(...inside(shown));
  keep_height(box);
}

function draw_memory(view, state) {
  draw_access(view, "memory", false, memory_title, (shown) =>
    [memory_grid(view, shown, state), turns_of(view.trace, shown)]);
}

/* What follows keeps its place when a step needs less room than one before. */
function keep_height(box) {
  const tallest = Math.max(box.offsetHeight, Number(box.dataset.tallest ?? 0));
  box.dataset.tallest = Math.min(tallest, 640);
  box.style.minHeight = `${box.dataset.tallest}px`;
}

function memory_title(shown) {
  const { array } = shown;
  const whole = array.bytes * array.per, fields = array.shape?.fields ?? [];
  const bytes = whole === 1 ? "" : `, ${whole} bytes each`;
  const named = fields.length > 1 ? ` (${fields.slice(0, 3).map(([name]) => name).join(":")}` +
    `${fields.length > 3 ? " ..." : ""})` : "";
  return `Global memory: ${array.name}${shown.on}, ${counted(array.count / array.per,
    is_letters(array) ? "character" : "element")}${bytes}${named}; a box is a sector`;
}

function columns_of(array) {
  const fields = fields_in(array, 0).length;
  return fields > 1 ? 8 : array.bytes === 8 || array.shape?.fields[0][1] === "f" ? 16 : COLUMNS;
}

function earlier(view, shown, step) {
  if (shown === step) return [];
  return [" ", make("button", { type: "button", class: "link",
    text: `as in step ${grouped(shown.number + 1)}`, click: () => go_to(view, shown.number) })];
}

/* Where an element lies among the cells: elements in front of it, from a border of a sector on. */
function cell_of(array, element) {
  return element + Math.floor((array.sector0 ?? 0) / array.bytes);
}

function memory_grid(view, shown, state) {
  const { array } = shown;
  const touched = lanes_by_element(shown);
  return make("div", { class: "memory", role: "group",
    "aria-label": `${array.name}: ${counted(touched.size, "element")} touched` },
  ...rows_of_memory(array, touched, row_of_element, (row) => memory_row(view, shown, state, row, touched)));
}

/* The rows of an array that are shown, by the row of each element; a gap where some are left out. */
function rows_of_memory(array, touched, row_of, make_row) {
  const rows = new Set([...touched.keys()].map((element) => row_of(array, element)));
  const last = row_of(array, Math.max(array.count - 1, 0));
  return rows_shown(rows, last).map((row) => (row === null ?
    make("div", { class: "gap", text: "\u22ef" }) : make_row(row)));
}

function row_of_element(array, element) {
  return Math.floor(cell_of(array, element) / columns_of(array));
}

/* The rows to show: those touched, and some around them; null where some are left out. */
function rows_shown(touched, last) {
  const wanted = new Set(touched);
  const begin = Math.max(0, Math.min(...touched) - 1);
  for (let row = begin; row <= last && wanted.size < MOST_ROWS; row++) wanted.add(row);
  for (let row = begin - 1; row >= 0 && wanted.size < MOST_ROWS; row--) wanted.add(row);
  const shown = [];
  let before = -1;
  for (const row of [...wanted].sort((a, b) => a - b)) {
    if (row > before + 1) shown.push(null);
    shown.push(row);
    before = row;
  }
  if (before < last) shown.push(null);
  return shown;
}

function memory_row(view, shown, state, row, touched) {
  const { array } = shown;
  const shift = cell_of(array, 0);
  const in_sector = Math.max(1, SECTOR / array.bytes);
  const columns = columns_of(array), first = row * columns - shift;
  const line = make("div", { class: "row", style: `--columns: ${columns}` }, make("span", { class: "row-name",
    text: `[${Math.max(output_of(array, first), 0)}]` }));
  for (let column = 0; column < columns; column += in_sector) {
    const cells = [];
    let used = false;
    for (let at = column; at < column + in_sector && at < columns; at++) {
      const element = first + at;
      const lanes = touched.get(element);
      used ||= lanes !== undefined;
      cells.push(memory_cell(view, shown, state, element, lanes));
    }
    line.append(make("span", { class: `sector ${used ? "used" : ""}`,
      style: `--cells: ${cells.length}` }, ...cells));
  }
  return line;
}

function memory_cell(view, shown, state, element, lanes = []) {
  const { array } = shown;
  const value = array.is_text ? view.trace.text.charCodeAt(element) : state[array.number][element];
  const name = `${array.name}${place_of(array, element)}${is_inside(array, element) ? "" : ", outside"}`;
  return cell(array, element, lanes, name, () => value_words(array, value, element),
    columns_of(array) < COLUMNS ? () => "" : size_of_cell);
}

function is_inside(array, element) {
  return element >= 0 && element < array.count;
}

/* A cell of memory: nothing, where that is no element's, and nobody has touched it. */
function cell(array, element, lanes, name, words_of, size) {
  const inside = is_inside(array, element);
  if (!inside && !lanes.length) return make("span", { class: "cell nothing" });
  const words = inside ? words_of() : "!";
  const color = lanes.length ? ` touched color-${lanes[0] % 5}` : "";
  return make("span", { class: `cell ${size(words)}${color}${inside ? "" : " outside"}`,
    text: words, title: lanes.length ? `${name}: ${lanes_listed(lanes)}` : name });
}

function size_of_cell(words) {
  return words.length > 4 ? "tiny" : words.length > 2 ? "small" : "";
}

function lanes_listed(lanes) {
  return `${lanes.length === 1 ? "lane" : "lanes"} ${lanes.join(", ")}`;
}

/* Who wants which element, when lanes meet. */
function turns_of(trace, shown) {
  const touched = [...lanes_by_element(shown)].sort((a, b) => a[0] - b[0]);
  const meet = touched.some(([, lanes]) => lanes.length > 1);
  if (!meet || shown.parts > 1 || touched.length > 32) return make("div", { class: "turns" });
  return make("ul", { class: "turns" }, ...touched.map(([element, lanes]) =>
    make("li", {}, make("span", { class: "turns-name",
      text: element_name(trace, shown.array, element) }),
    ...lanes.map((lane) => make("span", { class: `tag color-${lane % 5}`, text: lane })),
    make("span", { class: "note", text: lanes.length === 1 ? "1 lane" :
      `${lanes.length} lanes${is_atomic(shown) && !are_merged(shown) ? ", in turn" : ""}` }))));
}

const BANKS = 32;
const WORD = 4; // bytes
const MOST_PASSES = 32;

function draw_shared(view, state) {
  part("shared-panel").hidden = !view.trace.arrays.some((array) => array.is_shared);
  part("shared-head").textContent = "Shared memory";
  draw_access(view, "shared", true, (shown) => `Shared memory: ${shown.array.name} of block ${shown.b}; ` +
    "a column is a bank", (shown) => [banks_picture(view, shown, state)]);
}

/* The word of shared memory in which an element begins; a bank has every 32nd word. */
function word_of(array, element) {
  return (array.bank0 ?? 0) + Math.floor(element * array.bytes / WORD);
}

function banks_picture(view, shown, state) {
  const passes = passes_of(shown);
  const touched = new Set(passes.flatMap((pass) => [...pass.keys()]));
  const banks = make("div", { class: "row heads" }, make("span", { class: "row-name", text: "bank" }),
    ...Array.from({ length: BANKS }, (_, bank) => make("span", { text: bank,
      class: touched.has(bank) ? "bank busy" : "bank" })));
  const rows = word_rows(view, shown, state);
  const shown_passes = passes.slice(0, MOST_PASSES).map((pass, at) => pass_row(pass, at, passes.length));
  const rest = passes.length > MOST_PASSES ?
    [make("p", { class: "note", text: `and ${passes.length - MOST_PASSES} more` })] : [];
  return make("div", { class: "memory banks", role: "group", "aria-label":
    `${counted(passes.length, "wavefront")}, ${counted(touched.size, "bank")} touched` },
  banks, ...rows, make("p", { class: "note", text: passes.length === 1 ?
    "Who is served in the one wavefront: no bank is wanted twice." :
    `Who is served in which of the ${passes.length} wavefronts: those who meet in a bank wait.` }),
  ...shown_passes, ...rest);
}

/* The words of the array, in rows of 32; only those rows that somebody touches when there are many. */
function word_rows(view, shown, state) {
  const touched = lanes_by_element(shown);
  return rows_of_memory(shown.array, touched, (array, element) => Math.floor(word_of(array, element) / BANKS),
    (row) => word_row(view, shown, state, row, touched));
}

function word_row(view, shown, state, row, touched) {
  const { array } = shown;
  const per_word = Math.max(1, WORD / array.bytes);
  const line = make("div", { class: "row" });
  let name = null;
  for (let bank = 0; bank < BANKS; bank++) {
    const word = row * BANKS + bank - (array.bank0 ?? 0);
    const element = Math.floor(word * WORD / array.bytes);
    const lanes = [];
    for (let p = 0; p < per_word; p++) lanes.push(...(touched.get(element + p) ?? []));
    if (is_inside(array, element)) name ??= element;
    line.append(word_cell(view, shown, state, element, per_word, lanes));
  }
  line.prepend(make("span", { class: "row-name", text: `[${name ?? ""}]` }));
  return line;
}

function word_cell(view, shown, state, element, per_word, lanes) {
  const { array } = shown;
  return cell(array, element, lanes, element_name(view.trace, array, element), () =>
    Array.from({ length: per_word }, (_, p) =>
      value_words(array, state[array.number]?.[element + p], element + p)).join(" "), size_of_cell);
}

/* The wavefronts of a step: [{bank: [lanes served]}, as Maps]. Lanes that want one word of a bank
 * are served together, but for most atomics; accesses of more than a word come in parts of the warp. */
function passes_of(step) {
  const together = stacked(step, true);
  if (together.length === step.c) return together;
  const alone = stacked(step, false);
  return alone.length === step.c ? alone : together;
}

function stacked(step, merges) {
  const at_once = Math.max(1, Math.floor(BANKS * WORD / Math.max(step.z, WORD)));
  const passes = [];
  for (let begin = 0; begin < step.lanes.length; begin += at_once)
    passes.push(...stacked_part(step, merges, begin, begin + at_once));
  return passes;
}

function stacked_part(step, merges, begin, end) {
  const waiting = new Map(); // bank: Map of what is served together: its lanes
  each_element(step, (element, _after, _before, k) => {
    if (k < begin || k >= end) return;
    const word = word_of(step.array, element), bank = ((word % BANKS) + BANKS) % BANKS;
    if (!waiting.has(bank)) waiting.set(bank, new Map());
    const key = merges ? word : `${word} ${k}`;
    const lanes = waiting.get(bank);
    lanes.set(key, [...new Set([...(lanes.get(key) ?? []), step.lanes[k]])]);
  });
  const most = Math.max(0, ...[...waiting.values()].map((words) => words.size));
  return Array.from({ length: most }, (_, pass) => new Map([...waiting]
    .filter(([, words]) => words.size > pass)
    .map(([bank, words]) => [bank, [...words.values()][pass]])));
}

function pass_row(pass, at, all) {
  return make("div", { class: "row pass" }, make("span", { class: "row-name",
    text: all === 1 ? "lane" : `${at + 1}.` }),
  ...Array.from({ length: BANKS }, (_, bank) => {
    const lanes = pass.get(bank);
    if (!lanes) return make("span", { class: "cell nothing" });
    return make("span", { class: `cell touched color-${lanes[0] % 5}`, title: lanes_listed(lanes),
      text: lanes.length === 1 ? lanes[0] : `\u00d7${lanes.length}` });
  }));
}
