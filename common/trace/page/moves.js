/* moves.js - how the reader moves: to a step, on and back, by filters, keys, and the bar; puts the page
 * together, and draws it anew then. */
"use strict";

const KEY_WORDS = [
  ["\u2190 \u2192", "a step back, a step on"], ["\u2191 \u2193", "the same line earlier, later"],
  ["PgUp PgDn", "another block"], ["Home End", "first step, last step"],
  ["space", "play, pause"], ["l", "only this line"], ["w", "only this warp"],
  ["f", "choose a filter"], ["Esc", "no filters"], ["r", "the two accesses of a race"],
  ["1 to 6", "to a panel"], ["Tab, Enter", "to lines and bins, filter by one"],
];
const PANELS = ["source-panel", "lanes-panel", "memory-panel", "shared-panel", "bins-panel",
  "sums-panel"];

function go_to(view, number) {
  view.current = Math.max(0, Math.min(view.trace.steps.length - 1, number));
  show(view);
}

/* The next step in a direction, 1 or -1, that passes the filters and the test; or this one. */
function next_step(view, direction, test = () => true) {
  const { steps } = view.trace;
  for (let at = view.current + direction; at >= 0 && at < steps.length; at += direction)
    if (view.member[at] && test(steps[at])) return at;
  return view.current;
}

function move(view, direction, test) {
  const number = next_step(view, direction, test);
  if (number !== view.current) go_to(view, number);
  return number !== view.current;
}

/* Of the steps that pass, the one nearest to a place on the bar. */
function nearest(view, number) {
  if (view.member[number] || view.passing.length === 0) return number;
  return view.passing.reduce((best, one) =>
    (Math.abs(one - number) < Math.abs(best - number) ? one : best));
}

function toggle_filter(view, kind, key) {
  const chosen = view.filters[kind];
  if (!chosen.delete(key)) chosen.add(key);
  filter(view);
}

function filter(view) {
  view.passing = passing(view.trace, view.filters);
  view.member = new Uint8Array(view.trace.steps.length);
  for (const number of view.passing) view.member[number] = 1;
  draw_bar(view);
  draw_chips(view);
  go_to(view, nearest(view, view.current));
}

function clear_filters(view) {
  view.filters = no_filters();
  filter(view);
}

function play(view, on) {
  clearInterval(view.timer);
  view.timer = on ? setInterval(() => {
    const before = view.current;
    move(view, 1);
    if (view.current === before) play(view, false);
  }, 350) : null;
  part("play").textContent = on ? "Pause" : "Play";
  part("sentence").setAttribute("aria-live", on ? "off" : "polite");
}

function toggle_race(view) {
  const { race } = view.trace;
  if (race) go_to(view, view.current === race.first ? race.second : race.first);
}

const COMMANDS = {
  first: (view) => go_to(view, view.passing[0] ?? 0),
  last: (view) => go_to(view, view.passing[view.passing.length - 1] ?? view.current),
  back: (view) => { play(view, false); move(view, -1); },
  on: (view) => { play(view, false); move(view, 1); },
  play: (view) => play(view, !view.timer),
  choose: (view) => {
    const [kind, key] = part("choice").value.split(" ");
    toggle_filter(view, kind, kind === "line" || kind === "bin" ? Number(key) : key);
  },
};

function same_line(view) {
  const { n } = view.trace.steps[view.current];
  return (step) => step.n === n;
}

function other_block(view) {
  const { b, d } = view.trace.steps[view.current];
  return (step) => step.b !== b || step.d !== d;
}

const KEYS = {
  ArrowLeft: COMMANDS.back, ArrowRight: COMMANDS.on, Home: COMMANDS.first, End: COMMANDS.last,
  ArrowUp: (view) => move(view, -1, same_line(view)),
  ArrowDown: (view) => move(view, 1, same_line(view)),
  PageUp: (view) => move(view, -1, other_block(view)),
  PageDown: (view) => move(view, 1, other_block(view)),
  " ": COMMANDS.play,
  l: (view) => toggle_filter(view, "line", view.trace.steps[view.current].n),
  w: (view) => toggle_filter(view, "warp", warp_of(view.trace.steps[view.current])),
  f: () => part("choice").focus(),
  r: toggle_race, Escape: clear_filters,
};

function press(view, event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const at = event.target;
  if (at.matches("select")) {
    if (event.key === "Enter") { COMMANDS.choose(view); event.preventDefault(); }
    if (event.key === "Escape") part("bar").focus();
    return;
  }
  if (event.key === " " && at.matches("button, summary")) return;
  const panel = /^[1-6]$/.test(event.key) ? part(PANELS[event.key - 1]) : null;
  if (panel) { panel.scrollIntoView({ block: "nearest" }); panel.focus(); }
  const act = KEYS[event.key];
  if (!act && !panel) return;
  event.preventDefault();
  act?.(view);
}

/* Dragging scrubs; at most one drawing for each frame. */
function follow_pointer(view) {
  const bar = part("bar");
  let waiting = false, place = 0;
  const seek = (event) => {
    const box = bar.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    place = Math.max(0, Math.min(view.trace.steps.length - 1,
      Math.floor(share * view.trace.steps.length)));
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; go_to(view, nearest(view, place)); });
  };
  bar.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    play(view, false);
    bar.setPointerCapture(event.pointerId);
    seek(event);
  });
  bar.addEventListener("pointermove", (event) => {
    if (bar.hasPointerCapture(event.pointerId)) seek(event);
  });
}

/* Draws what depends on the step. */
function show(view) {
  const state = state_after(view.trace, view.current);
  draw_position(view);
  draw_line(view);
  draw_lanes(view);
  draw_memory(view, state);
  draw_shared(view, state);
  draw_bins(view, state);
  draw_sums(view);
  remember(view);
}

/* The address names the step, #step=17, so that it can be passed on. Not at once: browsers limit it. */
function remember(view) {
  clearTimeout(view.memo);
  view.memo = setTimeout(() => {
    try { history.replaceState(null, "", `#step=${view.current + 1}`); } catch { /* so be it */ }
  }, 500);
}

function step_of_address() {
  const found = /^#step=(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) - 1 : 0;
}

function listen(view) {
  document.addEventListener("keydown", (event) => press(view, event));
  for (const button of document.querySelectorAll("[data-do]"))
    button.addEventListener("click", () => COMMANDS[button.dataset.do](view));
  window.addEventListener("hashchange", () => go_to(view, step_of_address()));
  follow_pointer(view);
}

function start() {
  const trace = read_trace();
  const view = { trace, current: 0, filters: no_filters(), timer: null };
  draw_head(view);
  draw_story(view);
  part("keys").replaceChildren(...KEY_WORDS.flatMap(([keys, words]) =>
    [make("dt", {}, make("kbd", { text: keys })), make("dd", { text: words })]));
  if (trace.steps.length === 0) {
    part("sentence").textContent = "The kernel made no request: there are no steps to show.";
    return;
  }
  keep_states(trace);
  draw_legend(view);
  draw_choices(view);
  draw_source(view);
  draw_groups(view);
  listen(view);
  view.current = Math.max(0, Math.min(trace.steps.length - 1, step_of_address()));
  filter(view);
}

start();
