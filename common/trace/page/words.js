/* words.js - says in a sentence what a step does. */
"use strict";

/* "bins[2] (m-r)"; the bin's name where the array is the result. */
function element_name(trace, array, element) {
  const place = place_of(array, element);
  const block = array.is_shared && array.block >= 0 ? ` of block ${array.block}` : "";
  const bin = array.is_result && trace.names?.[element] ? ` (${trace.names[element]})` : "";
  return `${array.name}${place}${bin}${block}`;
}

/* "[2]", or "[1][3]" in an array of rows. */
function place_of(array, element) {
  const row = array.row > 0 && array.row < array.count ? array.row : 0;
  const whole = output_of(array, element), part = part_words(array, element);
  if (!row) return `[${whole}]${part}`;
  return `[${Math.floor(element / row)}][${Math.floor((element % row) / array.per)}]${part}`;
}

function who(step) {
  return is_of_host(step) ? "the host" : `warp ${step.w} of block ${step.b}${step.on}`;
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function lanes_words(step) {
  const active = step.lanes.length;
  if (active === LANES) return capital(who(step));
  if (active === 1) return `Lane ${step.lanes[0]} of ${who(step)}`;
  return `${capital(counted(active, "lane"))} of ${who(step)}`;
}

/* "text[32] to [63]", "text[0] to [279], 9 apart", "bins[2] (m-r)". */
function where(trace, step) {
  const touched = [...lanes_by_element(step).keys()].sort((a, b) => a - b);
  const first = touched[0], last = touched[touched.length - 1];
  if (touched.length === 1) return element_name(trace, step.array, first);
  const { name } = step.array, short = (element) => place_of(step.array, element);
  if (last - first === touched.length - 1)
    return `${name}${short(first)}${last === first + 1 ? " and " : " to "}${short(last)}`;
  const stride = touched[1] - first;
  if (touched.every((element, at) => element === first + at * stride))
    return `${name}${short(first)} to ${short(last)}, ${stride} apart`;
  return `${counted(touched.length, "element")} of ${name} between ${short(first)} and ${short(last)}`;
}

/* What the atomics of a step add, when it is the same for all lanes: "1"; else null. */
function addend(step) {
  if (!step.before || !step.values || step.op || step.parts > 1) return null;
  const added = step.values.map((value, k) =>
    cell_number(step.array, step.elements[k], value) -
    cell_number(step.array, step.elements[k], step.before[k]));
  return added.every((one) => one === added[0]) ? added[0] : null;
}

/* What other atomics do, one lane and several. */
const ATOMICS = {
  extreme: ["takes an extreme with", "take extremes with"],
  bits: ["combines bits with", "combine bits with"],
  cas: ["compares and swaps", "compare and swap"],
  exchange: ["exchanges", "exchange"],
};

function action(trace, step) {
  const many = step.lanes.length > 1 && step.lanes.length < LANES;
  const verb = (one, several) => (many ? several : one);
  const at = where(trace, step);
  if (step.o === "ld") {
    const what = step.array.is_input && step.array.per === 1 ?
      `${counted(step.lanes.length * step.parts, trace.unit)}, ` : "";
    return `${verb("loads", "load")} ${what}${at}`;
  }
  if (step.o === "st") return `${verb("stores", "store")} to ${at}`;
  const by = addend(step);
  if (step.op) return `${verb(...ATOMICS[step.op])} ${at}`;
  const adds = by !== null && by >= 0 ? `${verb("adds", "add")} ${by} ${many ? "each " : ""}to` :
    step.before && step.values ? `${verb("adds", "add")} to` :
      `${verb("does", "do")} an atomic on`;
  return `${adds} ${at}${step.o === "atom" && !step.array.is_shared ? ", and uses what was there" : ""}`;
}

function cost(step) {
  if (step.bad) return "refused";
  const conflicts = step.k > 0 ? `, ${counted(step.k, "bank conflict")}` : "";
  return step.array.is_shared ? `1 request, ${counted(step.c, "wavefront")}${conflicts}` :
    `1 request, ${counted(step.c, "sector")}`;
}

function host_sentence(trace, step) {
  const array = trace.arrays[step.to];
  const bytes = counted(step.z, "byte"), of = array ? ` of ${array.name}` : "";
  if (step.o === "nccl")
    return `${counted(step.of, "device")} add up: ${step.f}, ${bytes} of each.`;
  if (step.f === "fill") return `The host has ${bytes}${of} filled on device ${step.d}.`;
  return `The host has ${bytes}${of} copied ${step.f === "to a device" ? `to device ${step.d}` :
    step.f === "to the host" ? `from device ${step.d} to its memory` : step.f}.`;
}

/* Steps without memory. */
const OTHERS = {
  bar: (step) => `${capital(who(step))} passes the barrier: all warps of its block have come.`,
  end: (step) => `${lanes_words(step)} ${step.lanes.length === 1 ||
    step.lanes.length === LANES ? "returns" : "return"}: the kernel ends here for them.`,
  vote: (step) => `The lanes of ${who(step)} vote: ${step.f ?? "each says yes or no, all learn who"}.`,
  match: (step) => `The lanes of ${who(step)} find those with the same value: ${step.f ?? "match"}.`,
  reduce: (step) => `The lanes of ${who(step)} put their values together: ${step.f ?? "reduce"}.`,
  shfl: (step) => `The lanes of ${who(step)} pass values to each other: ${step.f ?? "shuffle"}.`,
  sync: (step) => `The lanes of ${who(step)} wait for each other: ${step.f ?? "__syncwarp"}.`,
};

/* The sentence of a step. */
function sentence(trace, step) {
  if (is_of_host(step)) return host_sentence(trace, step);
  if (!step.array) return OTHERS[step.o]?.(step) ?? `${capital(who(step))}: ${step.f ?? step.o}.`;
  return `${lanes_words(step)} ${action(trace, step)}: ${cost(step)}.`;
}

/* What else is worth saying: who waits for whom, what gets lost, who has nothing to do. */
function remark(trace, step) {
  const text = [];
  if (is_of_host(step)) return "";
  if (step.bad) text.push("There is nothing of this array at the address: the launch ends here.");
  if (step.array) text.push(...remarks_on_access(trace, step));
  if (!step.array && is_same_for_all(step.values))
    text.push(`All of them got ${bits_or_number(trace, step, step.values[0])}.`);
  const idle = LANES - step.lanes.length;
  if (idle > 0 && step.o !== "end") text.push(`${counted(idle, "lane")} ` +
    `${idle === 1 ? "has" : "have"} nothing to do here.`);
  return text.join(" ");
}

/* Whether lanes of an atomic in shared memory that want one counter were counted as one. */
function are_merged(step) {
  return step.array.is_shared && step.c === stacked(step, true).length &&
    step.c < stacked(step, false).length;
}

/* Whether all lanes have one value, and more than one lane has it. */
function is_same_for_all(values) {
  return values !== null && values.length > 1 && values.every((value) => value === values[0]);
}

function remarks_on_access(trace, step) {
  const [element, lanes] = [...lanes_by_element(step)]
    .reduce((most, one) => (one[1].length > most[1].length ? one : most), [0, []]);
  if (lanes.length < 2 || step.parts > 1) return [];
  const name = element_name(trace, step.array, element);
  if (is_atomic(step)) return [`${lanes.length} lanes want ${name}: ${are_merged(step) ?
    "adding a constant, they are merged into one pass" : "they take turns"}.`];
  if (step.o === "st") return [`${lanes.length} lanes store to ${name}: one of these values stays.`];
  return step.array.is_input ? [] : [`${lanes.length} lanes read ${name} at once.`];
}
