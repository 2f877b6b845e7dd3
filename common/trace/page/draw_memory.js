/* draw_memory.js - global memory as rows of 32 elements, cut into sectors of 32 bytes. */
"use strict";

const COLUMNS = 32; // of cells; of elements with several fields 8, of wide ones 16
const SECTOR = 32; // bytes
const MOST_ROWS = 8; // that are shown although nobody touches them

/* The step whose access is shown: this one, or the warp's latest before it. */
function draw_memory(view, state) {
  const step = view.trace.steps[view.now];
  const shown = latest_access(view.trace, step, false);
  const box = part("memory");
  part("memory-panel").classList.toggle("earlier", shown !== step);
  if (!shown) {
    box.replaceChildren(make("p", { class: "note", text: "This warp has not used it yet." }));
    return;
  }
  part("memory-head").replaceChildren(memory_title(shown), ...earlier(view, shown, step));
  box.replaceChildren(memory_grid(view, shown, state), turns_of(view.trace, shown));
  keep_height(box);
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
  const rows = new Set([...touched.keys()].map((element) => row_of_element(array, element)));
  const last = row_of_element(array, Math.max(array.count - 1, 0));
  const grid = make("div", { class: "memory", role: "group",
    "aria-label": `${array.name}: ${counted(touched.size, "element")} touched` });
  let skipped = 0;
  for (const row of rows_shown(rows, last)) {
    if (row === null) { grid.append(make("div", { class: "gap", text: "\u22ef" })); skipped++; continue; }
    grid.append(memory_row(view, shown, state, row, touched));
  }
  return grid;
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

function memory_cell(view, shown, state, element, lanes) {
  const { array } = shown;
  const inside = element >= 0 && element < array.count;
  if (!inside && !lanes) return make("span", { class: "cell nothing" });
  const value = array.is_text ? view.trace.text.charCodeAt(element) : state[array.number][element];
  const words = inside ? value_words(array, value, element) : "!";
  const name = `${array.name}${place_of(array, element)}${inside ? "" : ", outside"}`;
  const color = lanes ? ` touched color-${lanes[0] % 5}` : "";
  return make("span", { class: `cell ${columns_of(array) < COLUMNS ? "" : size_of_cell(words)}${color}${inside ? "" : " outside"}`,
    text: words, title: lanes ? `${name}: ${lanes_listed(lanes)}` : name });
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
