// found.js - on the page of the search: below each page that was found, its sections with the words.

const MOST_SECTIONS = 3, AROUND = 90; // letters before and behind a word
const words = (new URLSearchParams(location.search).get("q") || "").toLowerCase()
  .split(/\s+/).filter(word => word);

// The text around the first of the words, with all of them marked; as a DOM fragment.
function excerpt(text) {
  const lower = text.toLowerCase();
  const places = words.map(word => lower.indexOf(word)).filter(place => place >= 0);
  const together = lower.indexOf(words.join(" "));
  const first = together >= 0 ? together : places.length ? Math.min(...places) : 0;
  const begin = first > AROUND ? text.indexOf(" ", first - AROUND) + 1 : 0;
  const end = Math.max(text.lastIndexOf(" ", first + 2 * AROUND), first + words[0].length);
  const cut = (begin ? "… " : "") + text.slice(begin, end) + (end < text.length - 1 ? " …" : "");
  const made = document.createDocumentFragment();
  const either = new RegExp("(" + words.map(word => word.replace(/[^\w]/g, "\\$&")).join("|") + ")", "i");
  cut.split(either).forEach((part, place) => {
    if (place % 2 === 0) made.append(part);
    else made.append(Object.assign(document.createElement("mark"), { textContent: part }));
  });
  return made;
}

// How many of the words a section has; one in its heading counts more.
function worth([, heading, text]) {
  const count = inside => words.filter(word => inside.toLowerCase().includes(word)).length;
  return 2 * count(text) + 3 * count(heading);
}

function add(item) {
  const link = item.querySelector("a");
  if (!link || item.querySelector(".sections")) return;
  const [path, anchor] = link.getAttribute("href").split("#");
  const page = path.replace(/\?.*/, "").replace(/\.html$/, "");
  const sections = (TEXTS[page] || []).filter(section => worth(section) > 0)
    .filter(section => !anchor || section[0] === anchor)
    .sort((one, other) => worth(other) - worth(one)).slice(0, anchor ? 1 : MOST_SECTIONS);
  const list = document.createElement("ul");
  list.className = "sections";
  for (const [id, heading, text] of sections) {
    const line = document.createElement("li"), to = document.createElement("a");
    to.href = `${path}#${id}`;
    to.textContent = heading;
    if (!anchor) line.append(to, " ");
    line.append(excerpt(text));
    list.append(line);
  }
  item.append(list);
}

const results = document.getElementById("search-results");
if (results && words.length) {
  const all = () => results.querySelectorAll("ul.search > li").forEach(add);
  new MutationObserver(all).observe(results, { childList: true, subtree: true });
  all();
}
