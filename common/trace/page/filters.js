/* filters.js - which steps are shown: filters of one kind add to each other, kinds cut. */
"use strict";

const FILTERS = {
  line: {
    words: (trace, line) => line_words(trace, line),
    takes: (step, lines) => lines.has(step.n),
  },
  element: {
    words: (trace, key) => element_words(trace, key),
    takes: (step, keys) => touches(step, keys),
  },
  bin: {
    words: (trace, bin) => `bin ${bin_name(trace, bin)}`,
    takes: (step, bins, trace) => touches_bin(step, bins, trace),
  },
  warp: {
    words: (trace, key) => warp_words(trace, key),
    takes: (step, keys) => keys.has(warp_of(step)),
  },
  kind: {
    words: (_trace, kind) => ACCESS_WORDS[kind] ?? kind,
    takes: (step, accesses) => accesses.has(step.o),
  },
};

/* The operations that a step may be, in words. */
const ACCESS_WORDS = {
  ld: "loads", st: "stores", red: "atomics", atom: "atomics with their result used",
  bar: "barriers", vote: "votes", match: "matches", shfl: "shuffles", reduce: "reductions",
  sync: "warp barriers", end: "returns", copy: "copies by the host", nccl: "sums of devices",
};

function no_filters() {
  return Object.fromEntries(Object.keys(FILTERS).map((kind) => [kind, new Set()]));
}

/* "device:block:warp"; of the host "-1:0:0", in front of all. */
function warp_of(step) {
  return is_of_host(step) ? "-1:0:0" : `${step.d}:${step.b}:${step.w}`;
}

function warp_words(trace, key) {
  const [device, block, warp] = key.split(":");
  if (device < 0) return "the host";
  return `warp ${warp} of block ${block}${trace.devices > 1 ? ` on device ${device}` : ""}`;
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
  each_element(step, (element) => {
    found ||= bins.has(output_of(step.array, element) % trace.bin_count);
  });
  return found;
}

/* Whether an array holds the bins one after the other, once or in copies. */
function has_bins(trace, array) {
  const bins = trace.bin_count, cells = bins * array.per;
  if (array.is_input || bins === 0 || array.count % cells !== 0) return false;
  return array.is_result || (bins > 1 && (array.row === cells || !array.row));
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
    some("bins", "bin", bins_touched(trace)),
    some("warps", "warp", distinct(warp_of).sort(by_numbers)),
    some("kinds of steps", "kind", distinct((step) => step.o)),
    some("counters", "element", counters_touched(trace)),
  ];
}

function by_numbers(a, b) {
  const [x, y] = [a, b].map((key) => key.split(":").map(Number));
  return x[0] - y[0] || x[1] - y[1] || (x[2] ?? 0) - (y[2] ?? 0);
}

const MOST_CHOICES = 1000;

/* All bins, or those that a step touches where they are many. */
function bins_touched(trace) {
  const all = Array.from({ length: trace.bin_count }, (_, bin) => bin);
  if (trace.bin_count < 2) return [];
  if (trace.bin_count <= 256) return all;
  const touched = new Set();
  for (const step of trace.steps)
    if (step.array && has_bins(trace, step.array))
      each_element(step, (element) =>
        touched.add(output_of(step.array, element) % trace.bin_count));
  return [...touched].sort((a, b) => a - b).slice(0, MOST_CHOICES);
}

function counters_touched(trace) {
  const keys = new Set();
  for (const step of trace.steps)
    if (step.array && !step.array.is_input)
      each_element(step, (element) => keys.add(element_key(step.array, element)));
  return [...keys].sort(by_numbers).slice(0, MOST_CHOICES);
}
