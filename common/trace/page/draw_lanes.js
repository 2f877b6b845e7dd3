/* draw_lanes.js - the 32 lanes of the warp: which element each touches, and its value. */
"use strict";

/* The rows of the lanes for each kind of step: [title, its words for lane number k of a step]. */
function rows_for(trace, step) {
  const element = elements_rows(step);
  if (step.o === "ld") return [...values_rows(step, "reads", step.values), ...element];
  if (step.o === "st") return [...values_rows(step, "writes", step.values), ...element];
  if (is_atomic(step)) return [...values_rows(step, "was", step.before),
    ...values_rows(step, "is now", step.values), ...element];
  const rows = [];
  const words = (value) => bits_or_number(trace, step, value);
  if (step.before) rows.push(["gave", (k) => words(step.before[k])]);
  if (step.values && !(step.before && is_same_for_all(step.values)))
    rows.push(["got", (k) => words(step.values[k])]);
  return rows.length ? rows : [["", () => "\u2713"]];
}

/* A row for each field, where a lane has a whole element with several. */
function values_rows(step, title, values) {
  const { array } = step, fields = fields_in(array, 0);
  if (array.per > 1 || step.parts > 1 || fields.length < 2)
    return [[title, (k) => value_words(array, values?.[k], step.elements[k])]];
  return fields.map((field, at) => [at ? field.name : `${title} ${field.name}`,
    (k) => (values?.[k] === undefined ? "?" : field_words(values[k], field))]);
}

/* Where each lane's element is: its number, or its row and column. */
function elements_rows(step) {
  const { array, elements } = step;
  if (!array) return [];
  const row = array.row > 0 && array.row < array.count ? array.row : 0;
  const part = (k) => part_words(array, elements[k]).replace(/^\./, "");
  if (!row) return [["element", (k) => String(output_of(array, elements[k])), "lane-element"],
    ...array.per > 1 ? [["part", part, "lane-element"]] : []];
  return [["row", (k) => String(Math.floor(elements[k] / row)), "lane-element"],
    ["column", (k) => String(elements[k] % row), "lane-element"]];
}

/* What lanes pass to each other is mostly a value like those of the result; what they vote on, bits. */
function bits_or_number(trace, step, value) {
  const { bytes, fields } = trace.shapes.output;
  if (["shfl", "reduce"].includes(step.o) && fields.length === 1 && fields[0][1] === "f" && bytes === 4)
    return number_words(field_number(value, { type: "f", from: 0, bits: 32 }));
  return Number.isInteger(value) && value > 99999 ? `0x${value.toString(16)}` : value_words(null, value);
}

function draw_lanes(view) {
  const { trace } = view;
  const step = trace.steps[view.current];
  const rows = rows_for(trace, step);
  const place = new Map(step.lanes.map((lane, k) => [lane, k]));
  const titles = make("li", { class: "lane titles", "aria-hidden": "true" },
    make("span", { class: "lane-number", text: "lane" }),
    ...rows.map(([title, , name = "lane-value"]) => make("span", { class: name, text: title })));
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    lane_column(trace, step, rows, lane, place.get(lane)));
  part("lanes-panel").hidden = is_of_host(step);
  part("lanes-head").textContent = `The 32 lanes of ${who(step)}` +
    (step.array ? `, and their elements of ${step.array.name}` : "");
  part("lanes").replaceChildren(make("ul", { class: `lanes ${step.parts > 1 ? "wide" : ""}` },
    titles, ...lanes));
}

function lane_column(trace, step, rows, lane, k) {
  const number = make("span", { class: "lane-number", text: lane });
  if (k === undefined)
    return make("li", { class: "lane idle", "aria-label": `lane ${lane} takes no part` }, number);
  const cells = rows.map(([title, words, name = "lane-value"]) => {
    const sentence = words(k);
    return make("span", { class: `${name} ${size_of(sentence)}`, title: `${title} ${sentence}`,
      text: is_letters(step.array) && step.parts > 4 ? sentence.match(/.{1,4}/g).join("\n") : sentence });
  });
  const marked = is_racy(trace, step, k) ? " racy" : "";
  return make("li", { class: `lane color-${lane % 5}${marked}`, "data-lane": lane,
    "aria-label": lane_words(trace, step, rows, lane, k) }, number, ...cells);
}

/* Long words are written smaller. */
function size_of(words) {
  return words.startsWith("0x") && words.length > 6 ? "mask" : words.length > 6 ? "tiny" : words.length > 3 ? "small" : "";
}

function lane_words(trace, step, rows, lane, k) {
  const sentence = rows.filter(([title, , name]) => name !== "lane-element" && title !== "")
    .map(([title, words]) => `${title} ${words(k)}`).join(", ");
  const at = step.array ? ` ${element_name(trace, step.array, step.elements[k])}` : "";
  return `lane ${lane}${at}: ${sentence || "takes part"}`;
}

/* Whether this lane's access is one of the two of the race. */
function is_racy(trace, step, k) {
  const { race } = trace;
  if (!step.array || !race || (step.number !== race.first && step.number !== race.second))
    return false;
  const { a, i } = race.where ?? { a: -1 };
  const first = step.elements[k];
  return step.a === a && i >= first && i < first + step.parts;
}
