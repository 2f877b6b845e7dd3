/* filters.js - which steps are shown: filters of one kind add to each other, kinds cut. */
"use strict";

const FILTERS = {
  line: {
    words: (_trace, line) => `line ${line}`,
    takes: (step, lines) => lines.has(step.n),
  },
  element: {
    words: (trace, key) => element_words(trace, key),
    takes: (step, keys) => touches(step, keys),
  },
  bin: {
    words: (trace, bin) => `bin ${trace.bins[bin]}`,
    takes: (step, bins, trace) => touches_bin(step, bins, trace),
  },
  warp: {
    words: (_trace, key) => `warp ${key.split(":")[1]} of block ${key.split(":")[0]}`,
    takes: (step, keys) => keys.has(warp_of(step)),
  },
  kind: {
    words: (_trace, kind) => KINDS[kind] ?? kind,
    takes: (step, kinds) => kinds.has(step.o),
  },
};

/* The operations that a step may be, in words. */
const KINDS = {
  ld: "loads", st: "stores", red: "atomics", atom: "atomics with their result used",
  bar: "barriers", vote: "votes", match: "matches", shfl: "shuffles", reduce: "reductions",
  sync: "warp barriers", end: "returns",
};

function no_filters() {
  return Object.fromEntries(Object.keys(FILTERS).map((kind) => [kind, new Set()]));
}

function warp_of(step) {
  return `${step.b}:${step.w}`;
}

function element_key(array, element) {
  return `${array.number}:${element}`;
}

function element_words(trace, key) {
  const [array, element] = key.split(":").map(Number);
  return element_name(trace, trace.arrays[array], element);
}

function touches(step, keys) {
  if (!step.array) return false;
  let found = false;
  each_element(step, (element) => { found ||= keys.has(element_key(step.array, element)); });
  return found;
}

function touches_bin(step, bins, trace) {
  if (!step.array || !has_bins(trace, step.array)) return false;
  let found = false;
  each_element(step, (element) => { found ||= bins.has(element % trace.bins.length); });
  return found;
}

/* Whether an array holds the bins one after the other, once or in copies. */
function has_bins(trace, array) {
  const bins = trace.bins.length;
  if (array.is_text || bins === 0 || array.count % bins !== 0) return false;
  return array.is_result || array.row === bins || !array.row;
}

function is_filtered(filters) {
  return Object.values(filters).some((chosen) => chosen.size > 0);
}

function takes(trace, filters, step) {
  return Object.entries(filters).every(([kind, chosen]) =>
    chosen.size === 0 || FILTERS[kind].takes(step, chosen, trace));
}

/* The numbers of the steps that pass the filters. */
function passing(trace, filters) {
  return trace.steps.filter((step) => takes(trace, filters, step)).map((step) => step.number);
}

/* All that can be chosen: [{label, options: [{kind, key, words, steps}]}]. */
function choices(trace) {
  const some = (label, kind, keys) => ({ label, options: keys.map((key) => ({
    kind, key, words: FILTERS[kind].words(trace, key) })) });
  const distinct = (key_of) => [...new Set(trace.steps.map(key_of))];
  const lines = distinct((step) => step.n).filter((line) => line > 0).sort((a, b) => a - b);
  return [
    some("lines", "line", lines),
    some("bins", "bin", trace.bins.map((_, bin) => bin)),
    some("warps", "warp", distinct(warp_of).sort(by_numbers)),
    some("kinds of steps", "kind", distinct((step) => step.o)),
    some("counters", "element", counters_touched(trace)),
  ];
}

function by_numbers(a, b) {
  const [x, y] = [a, b].map((key) => key.split(":").map(Number));
  return x[0] - y[0] || x[1] - y[1];
}

function counters_touched(trace) {
  const keys = new Set();
  for (const step of trace.steps)
    if (step.array && !step.array.is_text)
      each_element(step, (element) => keys.add(element_key(step.array, element)));
  return [...keys].sort(by_numbers).slice(0, 1000);
}
