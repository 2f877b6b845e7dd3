/* start.js - puts the page together, and draws it anew when the reader has moved. */
"use strict";

/* Draws what depends on the step. */
function show(view) {
  const state = state_after(view.trace, view.now);
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
    try { history.replaceState(null, "", `#step=${view.now + 1}`); } catch { /* so be it */ }
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
  part("theme").addEventListener("click", () => choose_theme(view));
  window.addEventListener("hashchange", () => go_to(view, step_of_address()));
  follow_pointer(view);
}

function start() {
  const trace = read_trace();
  const view = { trace, now: 0, filters: no_filters(), theme: 0, timer: null };
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
  view.now = Math.max(0, Math.min(trace.steps.length - 1, step_of_address()));
  filter(view);
}

start();
