// reader.js - what the pages of the book do, besides the theme's own script.

// Folded answers are open on paper, and folded again afterwards.
const opened = [];
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details:not([open]):not(.trace)")) {
    fold.open = true;
    opened.push(fold);
  }
});
addEventListener("afterprint", () => {
  for (const fold of opened.splice(0)) fold.open = false;
});

// What is shown in a frame is told the theme; a file may not look into another.
const system = matchMedia("(prefers-color-scheme: dark)");
function tell_theme() {
  const chosen = document.body.dataset.theme;
  const theme = /^(light|dark)$/.test(chosen) ? chosen : system.matches ? "dark" : "light";
  for (const frame of document.querySelectorAll("iframe")) frame.contentWindow.postMessage(theme, "*");
}
system.addEventListener("change", tell_theme);
new MutationObserver(tell_theme).observe(document.body, { attributeFilter: ["data-theme"] });

// A trace is large: it is loaded when somebody wants to see it.
for (const fold of document.querySelectorAll("details.trace")) {
  fold.addEventListener("toggle", () => {
    if (!fold.open || fold.querySelector("iframe")) return;
    const frame = document.createElement("iframe");
    frame.addEventListener("load", tell_theme);
    frame.src = fold.dataset.page;
    frame.title = fold.dataset.title;
    fold.append(frame);
  });
}

// What scrolls sideways can be scrolled by the keyboard.
function reachable() {
  for (const box of document.querySelectorAll(".picture, .table-wrapper, article pre")) {
    if (box.scrollWidth > box.clientWidth + 1) {
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", box.matches("pre") ? "Code" :
        box.matches(".picture") ? "Picture" : "Table");
    } else if (box.getAttribute("role") === "region") {
      for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    }
  }
}
addEventListener("resize", reachable);
for (const fold of document.querySelectorAll("details")) fold.addEventListener("toggle", reachable);
reachable();
