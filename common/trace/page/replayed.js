/* replayed.js - what memory holds after a step, and the sums of the counters up to it.
 *
 * Memory is replayed from the steps. A copy is kept every so many steps, so that any step is near
 * to one. */
"use strict";

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
    return { shared: true, kinds: ["atom", "red"], field: "requests" };
  const found = /_(requests|sectors|wavefronts|bank_conflicts)_.*mem_(global|shared)_op_(\w+)\.sum$/
    .exec(metric);
  if (!found) return null;
  const shared = found[2] === "shared";
  const kinds = shared && found[3] === "atom" ? ["atom", "red"] : [found[3]];
  return { shared, kinds, field: found[1] };
}

function weight(step, field) {
  if (field === "requests") return 1;
  return field === "bank_conflicts" ? step.k : step.c;
}

/* What an atomic made of a loop of compare-and-swap adds to the loads. */
function loads_of_loop(step, { shared, kinds, field }) {
  if (!step.x || !shared || kinds[0] !== "ld") return 0;
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
    if (meaning.kinds.includes(step.o)) sum += weight(step, meaning.field);
    sum += loads_of_loop(step, meaning);
  }
  return sum;
}
