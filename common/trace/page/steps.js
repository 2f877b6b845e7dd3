/* steps.js - reads the trace, and expands the steps, which the file has in a short form.
 *
 * A step is one request of a warp. Afterwards it has, besides what the file says:
 *   number, lanes (those that take part), array (or null), elements (cells of it, one a lane),
 *   values and before (a list, one entry a lane, or null; an entry of a wide access is a list),
 *   parts (how many elements a lane's access has). */
"use strict";

const LANES = 32;

function read_trace() {
  const trace = JSON.parse(part("trace").textContent);
  trace.launches ??= [];
  trace.arrays ??= [];
  trace.names = Array.isArray(trace.bins) ? trace.bins : null;
  trace.bin_count = trace.names ? trace.names.length : trace.bins;
  trace.wrong = new Set(trace.wrong);
  if (trace.devices > 1 || trace.steps.some((step) => step.o === "copy")) add_result_of_host(trace);
  trace.arrays.forEach((array, number) => describe_array(trace, array, number));
  trace.steps = trace.steps.map((step, number) => expand(trace, step, number));
  return trace;
}

/* The bins of the caller, in the host's memory: whole when the function returns. */
function add_result_of_host(trace) {
  trace.arrays.push({ name: "bins", space: "host", block: -1, bytes: trace.shapes.output.cell,
    count: trace.bin_count, row: 0, content: "bins" });
}

function describe_array(trace, array, number) {
  array.number = number;
  array.is_text = array.content === "text";
  array.is_input = array.is_text || /input$/.test(array.content ?? "");
  array.is_result = array.content === "bins";
  array.is_shared = array.space === "shared";
  array.is_host = array.space === "host";
  array.shape = array.is_input ? trace.shapes.input : array.content ? trace.shapes.output : null;
  array.per = array.shape ? Math.max(1, array.shape.bytes / array.bytes) : 1;
  array.device ??= 0;
}

function expand(trace, step, number) {
  const array = step.a >= 0 ? trace.arrays[step.a] : null;
  const lanes = lanes_of(step.m);
  const full = { ...step, number, array, lanes, c: step.c ?? 0, k: step.k ?? 0, d: step.d ?? 0 };
  full.on = trace.devices > 1 ? ` on device ${full.d}` : "";
  full.parts = array ? Math.max(1, Math.round(step.z / array.bytes)) : 1;
  full.elements = array ? elements_of(step, lanes.length) : null;
  full.values = listed(step.v, lanes.length) ?? values_of_text(trace, full);
  full.before = listed(step.r, lanes.length);
  return full;
}

function lanes_of(mask) {
  const lanes = [];
  for (let lane = 0; lane < LANES; lane++) if ((mask >>> lane) & 1) lanes.push(lane);
  return lanes;
}

function elements_of(step, lanes) {
  if (step.i) return step.i;
  const [first, stride] = step.s ?? [0, 0];
  return Array.from({ length: lanes }, (_, k) => first + k * stride);
}

/* One number stands for as many equal ones. */
function listed(values, lanes) {
  if (values === undefined || values === null) return null;
  return Array.isArray(values) ? values : new Array(lanes).fill(values);
}

function values_of_text(trace, step) {
  if (!step.array?.is_text) return null;
  const code = (element) => (element >= 0 && element < trace.text.length ?
    trace.text.charCodeAt(element) : null);
  return step.elements.map((element) => (step.parts === 1 ? code(element) :
    Array.from({ length: step.parts }, (_, k) => code(element + k))));
}

/* Calls visit(element, value after, value before, place among the lanes) for each element. */
function each_element(step, visit) {
  if (!step.array) return;
  const at = (values, k, p) => (values === null ? null :
    Array.isArray(values[k]) ? values[k][p] : values[k]);
  for (let k = 0; k < step.elements.length; k++)
    for (let p = 0; p < step.parts; p++)
      visit(step.elements[k] + p, at(step.values, k, p), at(step.before, k, p), k);
}

/* {element: [the lanes that touch it]} of a step, as a Map. */
function lanes_by_element(step) {
  const found = new Map();
  each_element(step, (element, _after, _before, k) => {
    if (!found.has(element)) found.set(element, []);
    found.get(element).push(step.lanes[k]);
  });
  return found;
}

function is_atomic(step) {
  return step.o === "red" || step.o === "atom";
}

function is_write(step) {
  return step.o === "st" || is_atomic(step);
}

/* A step of the host: a copy, or devices that add up. */
function is_of_host(step) {
  return step.b < 0;
}

/* The latest step up to this one in which the same warp touched the space, or null. */
function latest_access(trace, step, shared) {
  for (let number = step.number; number >= 0; number--) {
    const one = trace.steps[number];
    if (one.l !== step.l && !is_of_host(one)) return null;
    if (one.d === step.d && one.b === step.b && one.w === step.w && one.array && one.array.is_shared === shared)
      return one;
  }
  return null;
}
