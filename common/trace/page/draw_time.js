/* draw_time.js - the time bar: a row for each warp, a mark for each step. */
"use strict";

const SHAPES = {  // of a mark: its top and its height within the row, so that not only color tells
  ld: [0.08, 0.5], st: [0.42, 0.5], red: [0.08, 0.84], atom: [0.08, 0.84], bar: [0.42, 0.16],
};
const OTHER_SHAPE = [0.3, 0.4];
const LEGEND = [["ld", "load"], ["st", "store"], ["red", "atomic"],
  ["other", "barrier, vote, end, copy"]];

/* The warps of the trace, in order: ["0:0:0", "0:0:1", ...]; the host in front. */
function rows_of(trace) {
  return [...new Set(trace.steps.map(warp_of))].sort(by_numbers);
}

function color_of(step) {
  if (step.o === "ld" || step.o === "st") return step.o;
  return is_atomic(step) ? "red" : "other";
}

function draw_bar(view) {
  const { trace } = view;
  const bar = part("bar");
  const rows = rows_of(trace);
  const height = Math.max(34, Math.min(110, rows.length * 12));
  const marks = { passing: {}, others: {} };
  const row_of = new Map(rows.map((row, at) => [row, at]));
  for (const step of trace.steps) {
    const [top, tall] = SHAPES[step.o] ?? OTHER_SHAPE;
    const group = marks[view.member[step.number] ? "passing" : "others"];
    const color = color_of(step);
    const y = (row_of.get(warp_of(step)) + top).toFixed(2);
    group[color] = (group[color] ?? "") + `M${step.number} ${y}h0.86v${tall}h-0.86z`;
  }
  const picture = draw("svg", { viewBox: `0 0 ${trace.steps.length} ${rows.length}`,
    preserveAspectRatio: "none", "aria-hidden": "true", style: `height: ${height}px` });
  picture.append(...bands(trace, rows));
  for (const [group, colors] of Object.entries(marks))
    for (const [color, way] of Object.entries(colors))
      picture.append(draw("path", { class: `${group} op-${color}`, d: way }));
  bar.replaceChildren(picture, ...flags(view), make("div", { id: "cursor" }));
  bar.setAttribute("aria-valuemax", trace.steps.length);
  part("rows").replaceChildren(...row_names(trace, rows, height));
}

/* Beside the rows: their warps, or their blocks where there is no room for these. */
function row_names(trace, rows, height) {
  const tall = height / rows.length;
  if (tall >= 11)
    return rows.map((row) => make("span", { style: `height: ${tall}px`,
      text: `${block_words(trace, row)}${row < "0" ? "" : ` warp ${row.split(":")[2]}`}` }));
  return [...grouped_by(rows, (row) => block_words(trace, row))].map(([name, of_it]) =>
    make("span", { style: `height: ${tall * of_it.length}px`, class: name,
      text: tall * of_it.length >= 11 || name === "host" ? name : "" }));
}

function block_words(trace, row) {
  const [device, block] = row.split(":");
  if (device < 0) return "host";
  return `${trace.devices > 1 ? `device ${device} ` : ""}block ${block}`;
}

/* Every other block has a shade. */
function bands(trace, rows) {
  const blocks = [...new Set(rows.map((row) => block_words(trace, row)))];
  return rows.map((row, at) => [blocks.indexOf(block_words(trace, row)), at])
    .filter(([block]) => block % 2 === 1)
    .map(([, at]) => draw("rect", { class: "band", x: 0, y: at, width: trace.steps.length,
      height: 1 }));
}

/* The two accesses of a race, and where a failure shows. */
function flags(view) {
  const { race, failure, steps } = view.trace;
  const marks = race ? [[race.first, "1"], [race.second, "2"]] :
    failure && failure.step >= 0 ? [[failure.step, "!"]] : [];
  return marks.filter(([step]) => step >= 0 && step < steps.length).map(([step, words]) =>
    make("span", { class: "flag", style: `left: ${percent(view, step)}`, text: words,
      "aria-hidden": "true" }));
}

function percent(view, step) {
  return `${((step + 0.5) / view.trace.steps.length * 100).toFixed(3)}%`;
}

function draw_legend(view) {
  const used = new Set(view.trace.steps.map(color_of));
  part("legend").replaceChildren(
    make("span", { text: "A row is a warp, a mark is a step: one request of its lanes. " +
      "Press \u2190 \u2192, or drag." }),
    ...LEGEND.filter(([color]) => used.has(color)).map(([color, words]) => {
      const [top, tall] = SHAPES[color] ?? OTHER_SHAPE;
      return make("span", {}, draw("svg", { viewBox: "0 0 1 1", class: "key", "aria-hidden": "true" },
        draw("path", { class: `passing op-${color}`, d: `M0 ${top}h1v${tall}h-1z` })), ` ${words}`);
    }));
}

function draw_position(view) {
  const step = view.trace.steps[view.current];
  const all = view.trace.steps.length;
  const cursor = part("cursor");
  cursor.style.left = `${(view.current / all * 100).toFixed(3)}%`;
  cursor.style.width = `${(100 / all).toFixed(3)}%`;
  const bar = part("bar");
  bar.setAttribute("aria-valuenow", view.current + 1);
  bar.setAttribute("aria-valuetext", `step ${view.current + 1} of ${all}, ${who(step)}, ${line_words(view.trace, step.n)}`);
  part("position").textContent = `step ${grouped(view.current + 1)} of ${grouped(all)}` +
    (is_filtered(view.filters) ? `, ${grouped(view.passing.length)} shown` : "");
  part("sentence").textContent = sentence(view.trace, step);
  part("beside").textContent = remark(view.trace, step) || "\u00a0";
}

function draw_chips(view) {
  const chips = [];
  for (const [kind, chosen] of Object.entries(view.filters))
    for (const key of chosen) {
      const words = FILTERS[kind].words(view.trace, key);
      chips.push(make("button", { type: "button", class: "chip", "data-filter": `${kind} ${key}`,
        "aria-label": `Remove the filter ${words}`, text: `${words} \u00d7`,
        click: () => toggle_filter(view, kind, key) }));
    }
  if (chips.length && view.passing.length === 0)
    chips.push(make("span", { class: "wrong", text: "no step is both" }));
  part("chips").replaceChildren(...chips);
}

function draw_choices(view) {
  part("choice").replaceChildren(...choices(view.trace).filter((group) => group.options.length)
    .map((group) => make("optgroup", { label: group.label }, ...group.options.map((one) =>
      make("option", { value: `${one.kind} ${one.key}`, text: one.words })))));
}
