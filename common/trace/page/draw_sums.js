/* draw_sums.js - the counters: their sums up to this step, and what the whole launch counted. */
"use strict";

function draw_sums(view) {
  view.agree ??= profile_note(view.trace);
  const { trace } = view;
  const step = trace.steps[view.now];
  const launches = trace.launches.map((launch, number) => [launch, number])
    .filter(([, number]) => trace.launches.length < 4 || number === step.l);
  const counting = launches.filter(([launch]) => launch.metrics.some((metric) => metric.value));
  part("sums").replaceChildren(...counting.map(([launch, number]) =>
    launch_sums(view, launch, number)), view.agree);
}

function launch_sums(view, launch, number) {
  const rows = launch.metrics.map((metric) => [metric,
    sum_until(view.trace, number, metric.name, view.now)]);
  const used = rows.filter(([metric, sum]) => metric.value || sum);
  const head = make("tr", {}, ...["counter", "so far", "in all"].map((words, at) =>
    make("th", { scope: "col", class: at ? "figure" : "", text: words })));
  const title = `${launch.kernel}${view.trace.devices > 1 ? ` on device ${launch.device}` :
    ""}, grid (${launch.grid.join(",")}), block ` +
    `(${launch.block.join(",")})${launch.shared ? `, ${counted(launch.shared, "byte")} shared` : ""}`;
  return make("table", { "data-launch": number }, make("caption", { text: title }),
    make("thead", {}, head), make("tbody", {}, ...used.map(([metric, sum]) => sum_row(metric, sum))));
}

function sum_row(metric, sum) {
  const whole = sum === metric.value;
  return make("tr", { "data-metric": metric.name, "data-sum": sum, "data-value": metric.value },
    make("th", { scope: "row" }, short_words(metric), make("small", { text: metric.name })),
    make("td", { class: "figure", text: sum === null ? "-" : grouped(sum) }),
    make("td", { class: `figure ${whole ? "whole" : ""}`, text: grouped(metric.value) }));
}

const OPERATIONS = { ld: "loads", st: "stores", red: "atomics", atom: "atomics, result used" };

/* "sectors of loads, global" for l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum. */
function short_words(metric) {
  const meaning = meaning_of(metric.name);
  if (!meaning) return metric.sentence;
  const kind = meaning.kinds[0];
  const of = meaning.shared && kind === "atom" ? "atomics" : OPERATIONS[kind];
  return `${meaning.field.replace("_", " ")} of ${of}, ${meaning.shared ? "shared" : "global"}`;
}

/* What the sums can be compared with, and whether they agree. */
function profile_note(trace) {
  const last = trace.steps.length - 1;
  const differ = trace.launches.flatMap((launch, number) => launch.metrics.filter((metric) => {
    const sum = sum_until(trace, number, metric.name, last);
    return sum !== null && sum !== metric.value;
  }));
  const said = make("p", { class: "note", id: "agree" });
  if (trace.cut)
    said.append(`${counted(trace.cut, "step")} at the end are left out of this page: ` +
      "\u201cin all\u201d counts them, too. ");
  else if (differ.length)
    said.append(make("span", { class: "wrong", text: "The sums of the steps differ in " +
      `${counted(differ.length, "counter")} from those of the launch. ` }));
  else if (!trace.launches.some((launch) => launch.metrics.length))
    said.append("Code of the host is not counted: one lane of the simulated GPU runs it here.");
  else said.append("The sums of all steps are the counters of the launch. ");
  if (trace.input?.profile)
    said.append("The same by ", make("code", { text: trace.input.profile }), ".");
  return said;
}
