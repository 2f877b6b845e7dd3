/* steps.js - reads the trace: its steps, what the bits of an element mean, what memory holds after a step.
 *
 * A step is one request of a warp; the file has it in a short form. Afterwards it has, besides what the
 * file says:
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

/* The fields of an element, such as a key and a value. A cell of the page is an element, or a part of it
 * where a kernel uses parts. Values are numbers, or strings of digits where a number would not be exact. */

const ALL_ONES = 0xffffffff; // the index of nothing, of argmax

/* Which cell of its element it is: 0 where a cell is a whole element. */
function cell_in_element(array, cell) {
  return ((cell % array.per) + array.per) % array.per;
}

/* The fields in a cell, with their first bits in it; none where it is a number like any other. */
function fields_in(array, cell) {
  if (!array?.shape) return [];
  const at = cell_in_element(array, cell);
  array.fields ??= Array.from({ length: array.per }, (_, part) => {
    const begin = part * array.bytes * 8, end = begin + array.bytes * 8;
    return array.shape.fields.filter(([, , from, bits]) => from >= begin && from + bits <= end)
      .map(([name, type, from, bits]) => ({ name, type, from: from - begin, bits }));
  });
  return array.fields[at];
}

function float_from(bits, size) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return size === 64 ? view.getFloat64(0) : view.getFloat32(4);
}

/* A field's number. Bits that are no ordinary float are a whole number, which a kernel keeps there. */
function field_number(value, { type, from, bits }) {
  const word = (BigInt(value) >> BigInt(from)) & ((1n << BigInt(bits)) - 1n);
  const exponent = word >> (bits === 64 ? 52n : 23n) & (bits === 64 ? 0x7ffn : 0xffn);
  return type === "f" && (exponent !== 0n || word === 0n) ? float_from(word, bits) : Number(word);
}

function number_words(number) {
  if (Number.isInteger(number)) return String(number);
  if (Number.isNaN(number)) return "NaN";
  return Number.isFinite(number) ? String(Number(number.toPrecision(6))) : number > 0 ? "\u221e" : "\u2212\u221e";
}

function field_words(value, field) {
  const number = field_number(value, field);
  if (field.type === "c") return letter(number);
  return field.name === "index" && number === ALL_ONES ? "\u2013" : number_words(number);
}

/* A cell's number, where it has one: of a count, or a sum; else null. */
function cell_number(array, cell, value) {
  if (value === null || value === undefined) return null;
  const fields = fields_in(array, cell);
  if (fields.length > 1) return null;
  return fields.length ? field_number(value, fields[0]) : Number(value);
}

/* A value as a cell shows it: "17", "12:0.5", a letter of a text. */
function value_words(array, value, cell = 0) {
  if (value === null || value === undefined) return "?";
  if (Array.isArray(value))
    return value.map((one, p) => value_words(array, one, cell + p)).join(is_letters(array) ? "" : " ");
  if (array?.is_text) return letter(value);
  const fields = fields_in(array, cell);
  if (fields.length === 0) return number_words(Number(value));
  return fields.map((field) => field_words(value, field)).join(":");
}

function is_letters(array) {
  return Boolean(array && (array.is_text || array.shape?.fields[0][1] === "c"));
}

function letter(code) {
  if (code === 32) return "\u2423"; // open box
  if (code === 10) return "\u21b5";
  return code > 32 && code < 127 ? String.fromCharCode(code) : "\u00b7";
}

/* ".value" of a cell that is a part of an element; else "". */
function part_words(array, cell) {
  if (array.per === 1) return "";
  const [field] = fields_in(array, cell);
  return field ? `.${field.name}` : ` at byte ${cell_in_element(array, cell) * array.bytes}`;
}

/* The output that a cell of the result, or of a copy of it, is. */
function output_of(array, cell) {
  return Math.floor(cell / array.per);
}

function bin_name(trace, bin) {
  return trace.names?.[bin] ?? String(bin);
}

/* What memory holds after a step is replayed from the steps; a copy is kept every so many, so that any step
 * is near to one. And the sums of the counters up to it. */

const BETWEEN = 64;

/* The values of all arrays before the first step; null where nothing is known. */
function first_state(trace) {
  return trace.arrays.map((array) => {
    if (array.is_text) return null;
    const values = {}; // of those cells that are known: there may be millions
    (array.initial ?? []).forEach((value, element) => { values[element] = value; });
    return values;
  });
}

function copy_of(state) {
  return state.map((values) => values && { ...values });
}

/* What a load reads is true, too: it tells what the host, or an unknown step, has written. */
function apply(state, step) {
  if (is_of_host(step) && step.to >= 0) state[step.to] = state[step.to] && {};
  if (!step.array || step.array.is_text || step.values === null) return;
  const values = state[step.array.number];
  for (const [element, turns] of turns_by_element(step))
    if (element >= 0 && element < step.array.count) values[element] = last_of(turns);
}

/* {element: [[before, after] of each lane]} of a step, as a Map. */
function turns_by_element(step) {
  const found = new Map();
  each_element(step, (element, after, before) => {
    if (after === null || after === undefined) return;
    if (!found.has(element)) found.set(element, []);
    found.get(element).push([before, after]);
  });
  return found;
}

/* What is left when all had their turn. Lanes do not take turns in their order: each begins with
 * what the one before it has left, and what nobody begins with is the end. */
function last_of(turns) {
  const begun = new Map();
  for (const [before] of turns) begun.set(before, (begun.get(before) ?? 0) + 1);
  let last = turns[turns.length - 1][1];
  for (const [, after] of turns) {
    const left = begun.get(after) ?? 0;
    if (left === 0) last = after;
    begun.set(after, left - 1);
  }
  return last;
}

function keep_states(trace) {
  const state = first_state(trace);
  trace.kept = [copy_of(state)];
  trace.steps.forEach((step, number) => {
    apply(state, step);
    if ((number + 1) % BETWEEN === 0) trace.kept.push(copy_of(state));
  });
}

/* The values of all arrays after a step; -1 is before the first. */
function state_after(trace, number) {
  const kept = Math.floor((number + 1) / BETWEEN);
  const state = copy_of(trace.kept[kept]);
  for (let n = kept * BETWEEN; n <= number; n++) apply(state, trace.steps[n]);
  return state;
}

/* What a counter of Nsight Compute's name counts: {shared, kinds, field}, or null. */
function meaning_of(metric) {
  if (metric === "smsp__inst_executed_op_shared_atom.sum")
    return { shared: true, accesses: ["atom", "red"], field: "requests" };
  const found = /_(requests|sectors|wavefronts|bank_conflicts)_.*mem_(global|shared)_op_(\w+)\.sum$/
    .exec(metric);
  if (!found) return null;
  const shared = found[2] === "shared";
  const accesses = shared && found[3] === "atom" ? ["atom", "red"] : [found[3]];
  return { shared, accesses, field: found[1] };
}

function weight(step, field) {
  if (field === "requests") return 1;
  return field === "bank_conflicts" ? step.k : step.c;
}

/* What an atomic made of a loop of compare-and-swap adds to the loads. */
function loads_of_loop(step, { shared, accesses, field }) {
  if (!step.x || !shared || accesses[0] !== "ld") return 0;
  return field === "bank_conflicts" ? step.kx ?? 0 : field === "wavefronts" ? step.x : 0;
}

/* The sum of a counter over the steps of a launch, up to this step; null: it has no meaning here. */
function sum_until(trace, launch, metric, number) {
  const meaning = meaning_of(metric);
  if (!meaning) return null;
  let sum = 0;
  for (let n = 0; n <= number; n++) {
    const step = trace.steps[n];
    if (step.l !== launch || !step.array || step.bad || step.array.is_shared !== meaning.shared) continue;
    if (meaning.accesses.includes(step.o)) sum += weight(step, meaning.field);
    sum += loads_of_loop(step, meaning);
  }
  return sum;
}
