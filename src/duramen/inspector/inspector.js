"use strict";
/* The inspector of duramen. Plain script, no library, no request (except to its own server with --serve).
 *
 * The data of the report is JSON in #data: see inspector/report.py for its fields. Blocks are columns: blocks.text[i].
 * The page is shown in a sandboxed frame without scripts; its blocks have the attribute data-b with their number. */

const input = JSON.parse(document.getElementById("data").textContent);
const report = input.report;
const $ = (id) => document.getElementById(id);

/** Make an element: el("p.reason", {title: "x"}, "text", child). */
function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const percent = (value) => `${Math.round(value * 100)} %`;
const two = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
const count = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const stored = (key, value) => {
  try { // some browsers refuse storage for files
    if (value === undefined) return localStorage.getItem(key);
    localStorage.setItem(key, value);
  } catch { /* nothing is remembered then */ }
  return null;
};

// ---------------------------------------------------------------- theme and help

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  stored("duramen-theme", theme);
}
const asked = new URLSearchParams(location.search).get("theme") || location.hash.match(/theme=(light|dark)/)?.[1];
setTheme(asked || stored("duramen-theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));

const KEYS = [
  ["j k", "next or previous block; also with the arrows"], ["n p", "next or previous uncertain block"], ["+ −", "mark the block: keep it, drop it"],
  ["0", "remove the mark"], ["[ ]", "lower or raise the cut-off"], ["1 – 9", "open a tab"], ["/", "search in the blocks"],
  ["s", "show or hide the page's own styles"], ["t", "light or dark"], ["Esc", "let the block go"], ["?", "this help"],
];
for (const [keys, what] of KEYS) $("keys").append(el("dt", {}, el("kbd", {}, keys)), el("dd", {}, what));

// ---------------------------------------------------------------- state

const blocks = report ? report.blocks : null;
const total = report ? blocks.text.length : 0;
const state = {
  variant: 0, cut: null, compare: -1, selected: -1, hot: -1, tab: "left-out", search: "",
  options: { links: true, images: true, comments: false }, source: { markdown: false, html: true }, styles: true,
  shown: { k: true, d: true, u: true }, marks: new Map(),
};
const FREE_STEPS = new Set(["threshold", "types", "threads", "comments", "silence"]); // as BlockExplanation.is_kept_at
const string = (number) => (number < 0 ? "" : report.strings[number]);
const variant = () => report.variants[state.variant];
const comparison = () => (state.compare < 0 ? null : report.comparisons[state.compare]);

/** Whether a block is kept now: by the extraction, or at the cut-off of the slider. */
function isKept(block) {
  const one = variant();
  const kept = one.kept[block] === "1";
  if (state.cut === null || one.p[block] === null || !FREE_STEPS.has(string(one.step[block]))) return kept;
  return one.p[block] >= state.cut;
}
/** Whether the method read a block; what is hidden it did not read. */
const isRead = (block) => { const step = variant().step[block]; return step >= 0 && string(step) !== "hidden"; };
const isUncertain = (block) => { const p = variant().p[block]; return p !== null && p >= 0.25 && p <= 0.75; };
const isTheirs = (block) => comparison().shares[block] >= 50;

/** The letter of a block's color: k (kept), d (dropped); when comparing b (both), o (ours), t (theirs), n (neither). */
function letter(block) {
  if (state.compare >= 0) return isKept(block) ? (isTheirs(block) ? "b" : "o") : isTheirs(block) ? "t" : "n";
  return isKept(block) ? "k" : "d";
}

// ---------------------------------------------------------------- the page in its frame

const FRAME_CSS = `
[data-s]{transition:none;print-color-adjust:exact}
[data-s=k],[data-s=b]{background-color:rgb(27 138 76/.13)!important;box-shadow:inset 3px 0 0 #1b8a4c!important}
[data-s=d]{background-color:rgb(110 120 134/.12)!important;box-shadow:inset 3px 0 0 #9aa3af!important}
[data-s=o]{background-color:rgb(29 95 209/.15)!important;box-shadow:inset 3px 0 0 #1d5fd1!important}
[data-s=t]{background-color:rgb(176 32 156/.14)!important;box-shadow:inset 3px 0 0 #b0209c!important}
[data-u]{background-color:rgb(216 140 0/.2)!important}
[data-s]:not(span){padding-left:7px!important}
[data-off]{background-color:transparent!important;box-shadow:none!important}
span[data-s]{border-radius:2px}
[data-hot]{outline:2px solid #5b93ee!important;outline-offset:1px}
[data-sel]{outline:2.5px solid #1d5fd1!important;outline-offset:1px}
[data-m=must]{text-decoration:underline 2px #1b8a4c!important;text-underline-offset:3px}
[data-m=must_not]{text-decoration:line-through 2px #b3382c!important}
[data-b]{cursor:pointer}`;
const elementsOf = []; // the elements of the page's frame, by block

function loadFrame() {
  const frame = $("frame");
  frame.addEventListener("load", () => {
    const page = frame.contentDocument;
    if (!page || !page.body) return;
    page.head.append(Object.assign(page.createElement("style"), { textContent: FRAME_CSS }));
    elementsOf.length = 0;
    for (const element of page.querySelectorAll("[data-b]")) (elementsOf[element.dataset.b] ||= []).push(element);
    listen(page, true);
    paint();
    if (state.selected >= 0) { flag(state.selected, "sel", true); reveal(state.selected); }
  });
  frame.srcdoc = report.frame;
}

/** Follow the pointer in a document whose blocks are marked. */
function listen(page, isPage) {
  const find = (event) => { const target = event.target.closest?.("[data-b]"); return target ? Number(target.dataset.b) : -1; };
  page.addEventListener("mouseover", (event) => setHot(find(event), isPage ? "page" : "pane"));
  page.addEventListener("mouseleave", () => setHot(-1, "page"));
  page.addEventListener("click", (event) => { event.preventDefault(); const block = find(event); select(block, isPage ? "page" : "pane"); });
  page.addEventListener("keydown", onKey);
}

function paint() {
  for (let block = 0; block < total; block++) {
    const elements = elementsOf[block];
    if (!elements) continue;
    const s = letter(block), off = state.compare < 0 && !state.shown[s], mark = state.marks.get(block);
    const unsure = state.compare < 0 && state.shown.u && isUncertain(block);
    for (const element of elements) {
      element.dataset.s = s;
      if (unsure) element.dataset.u = ""; else delete element.dataset.u;
      if (off) element.dataset.off = ""; else delete element.dataset.off;
      if (mark) element.dataset.m = mark; else delete element.dataset.m;
    }
  }
  drawLegend();
}

function flag(block, name, isOn) {
  const pane = $("panel").querySelector("iframe")?.contentDocument;
  const others = pane ? pane.querySelectorAll(`[data-b="${block}"]`) : [];
  for (const element of [...(elementsOf[block] || []), ...others]) { if (isOn) element.dataset[name] = ""; else delete element.dataset[name]; }
  for (const row of $("panel").querySelectorAll(`[data-b="${block}"]`)) row.classList.toggle(name, isOn);
}

function setHot(block, from) {
  if (block === state.hot) return;
  if (state.hot >= 0) flag(state.hot, "hot", false);
  state.hot = block;
  if (block >= 0) {
    flag(block, "hot", true);
    if (from !== "page") reveal(block); else revealRow(block);
  }
  drawFacts();
}

function select(block, from) {
  if (state.selected >= 0) flag(state.selected, "sel", false);
  state.selected = block;
  if (block >= 0) {
    flag(block, "sel", true);
    if (from !== "page") reveal(block);
    if (from !== "pane") revealRow(block);
  }
  drawFacts();
}

function reveal(block) {
  const element = elementsOf[block]?.[0];
  if (!element) return;
  const box = element.getBoundingClientRect(), height = $("frame").clientHeight;
  if (box.top < 40 || box.bottom > height - 40) $("frame").contentWindow.scrollBy(0, box.top + box.height / 2 - height / 2); // scrollIntoView would scroll the report too
}

function revealRow(block) {
  list.ensure?.(block);
  const row = $("panel").querySelector(`[data-b="${block}"]`);
  const box = row?.closest(".list");
  if (!box) return;
  const top = row.offsetTop - box.offsetTop;
  if (top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 3;
}

// ---------------------------------------------------------------- header, slider, legend

function drawHeader() {
  const one = variant();
  let words = 0, all = 0, kept = 0, read = 0;
  for (let block = 0; block < total; block++) {
    if (isRead(block)) { read += 1; all += blocks.words[block]; }
    if (isKept(block)) { kept += 1; words += blocks.words[block]; }
  }
  const hidden = total - read;
  const kind = hidden ? "visible block" : "block";
  const counts = `${kept.toLocaleString("en")} of ${count(read, kind)} kept${hidden ? `, ${hidden.toLocaleString("en")} hidden` : ""}`;
  $("title").textContent = report.page.title || report.page.name;
  $("address").textContent = [report.page.url || report.page.name, `method ${one.method}`, counts, one.note].filter(Boolean).join(" · ");
  $("confidence").textContent = two(one.confidence);
  $("words").textContent = `${words.toLocaleString("en")} of ${all.toLocaleString("en")}`;
  const types = Object.entries(report.summary.pageTypes);
  $("types").hidden = !types.length;
  if (!types.length) return;
  $("type").textContent = `${report.summary.pageType} ${percent(report.summary.pageTypes[report.summary.pageType] ?? 0)}`;
  $("type-card").replaceChildren(el("h2", {}, "Probability of each page type"), ...types.map(([name, share]) =>
    el("div.barrow", { style: `--share:${share}` }, el("span", {}, name), el("i"), el("span", {}, percent(share)))));
}

function drawFavor() {
  $("favor-control").hidden = report.variants.length < 2;
  $("favor").replaceChildren(...report.variants.map((one, number) =>
    el("button", { "aria-pressed": String(number === state.variant), onclick: () => { state.variant = number; state.cut = null; drawAll(); } }, one.favor)));
}

/** The expected precision, recall and F1 if blocks from a probability on are kept. */
function expected(cut) {
  const cutoffs = variant().cutoffs; // the highest probability first
  let found = null;
  for (const cutoff of cutoffs) { if (cutoff[0] < cut) break; found = cutoff; }
  return found;
}

function drawSlider() {
  const one = variant();
  $("cut-control").hidden = !one.cutoffs.length;
  if (!one.cutoffs.length) return;
  const cut = state.cut ?? one.threshold ?? 1;
  $("cut").value = cut;
  $("cut-value").textContent = two(cut);
  $("cut").setAttribute("aria-valuetext", `probability ${two(cut)}`);
  $("cut-reset").hidden = state.cut === null;
  const found = expected(cut), kept = [...Array(total).keys()].filter(isKept).length;
  $("expect").replaceChildren(...(found
    ? [["precision", found[3], "--ours"], ["recall", found[4], "--theirs"], ["F1", found[5], "--kept"]].map(([name, value, color]) =>
      el("span", { style: `--c:var(${color})` }, `${name} `, el("b", {}, two(value))))
    : [el("span", {}, "nothing above the cut-off")]), el("span", {}, "blocks ", el("b", {}, String(kept))));
  const lowest = Math.min(0.9, ...[3, 4, 5].map((column) => expected(cut)?.[column] ?? 0.9)) - 0.1; // what is below is cut off
  const line = (column, color) => {
    const height = (value) => Math.min(110, (100 * (1 - value)) / (1 - lowest)).toFixed(1);
    const points = one.cutoffs.map((cutoff) => `${(cutoff[0] * 100).toFixed(1)},${height(cutoff[column])}`).join(" ");
    return `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.5" vector-effect="non-scaling-stroke"/>`;
  };
  const at = one.threshold === null ? "" : `<line x1="${one.threshold * 100}" x2="${one.threshold * 100}" y1="0" y2="100" stroke="currentColor" stroke-dasharray="2 2" vector-effect="non-scaling-stroke" opacity=".5"/>`;
  $("curve").innerHTML = at + line(3, "var(--ours)") + line(4, "var(--theirs)") + line(5, "var(--kept)"); // numbers only
}

function drawLegend() {
  const counts = {}, unsure = { k: 0, d: 0 };
  for (let block = 0; block < total; block++) {
    const own = letter(block), s = !isRead(block) && (own === "d" || own === "n") ? "h" : own; // as the header counts
    counts[s] = (counts[s] || 0) + 1;
    if (s in unsure && isUncertain(block)) unsure[s] += 1;
  }
  const other = comparison()?.name;
  const keys = state.compare >= 0
    ? [["b", "both", "var(--kept)"], ["o", `only ${variant().method}`, "var(--ours)"], ["t", `only ${other}`, "var(--theirs)"], ["n", "neither", "var(--line)"]]
    : [["k", "kept", "var(--kept)"], ["d", "dropped", "var(--dropped)"], ["u", "uncertain", "#f0c878"]];
  $("legend").replaceChildren(...keys.map(([s, name, color]) => {
    const label = [el("span.key", { style: `--c:${color}` }), name];
    if (s !== "u") label.push(el("b", {}, (counts[s] || 0).toLocaleString("en")));
    if (unsure[s]) label.push(`(${unsure[s].toLocaleString("en")} uncertain)`);
    if (state.compare >= 0) return el("label", {}, ...label);
    const box = el("input", { type: "checkbox", checked: state.shown[s], "data-state": s, onchange: () => { state.shown[s] = box.checked; paint(); } });
    return el("label", {}, box, ...label);
  }), ...(counts.h ? [el("span", {}, "hidden ", el("b", {}, counts.h.toLocaleString("en")))] : []), el("span.grow"),
  el("label", {}, el("input", { type: "checkbox", id: "styles", checked: state.styles, onchange: toggleStyles }), "page styles"));
}

function toggleStyles() {
  state.styles = !state.styles;
  const sheet = $("frame").contentDocument?.querySelector("style[data-page]");
  if (sheet?.sheet) sheet.sheet.disabled = !state.styles;
  drawLegend();
}

// ---------------------------------------------------------------- the facts of one block

function drawFacts() {
  const block = state.hot >= 0 ? state.hot : state.selected, card = $("facts");
  if (block < 0) { card.replaceChildren(el("h2", {}, "Block"), el("p.reason", {}, "Point at a block of the page, or press j, to see why it was kept or dropped."), drawSteps() ?? ""); return; }
  const one = variant(), p = one.p[block], kept = isKept(block);
  const mark = state.marks.get(block);
  const act = (label, value) => el("button.button", { "aria-pressed": String(mark === value), onclick: () => setMark(block, mark === value ? null : value) }, label);
  const head = el("div.head", {}, el(`span.tag.${kept ? "k" : "d"}`, {}, kept ? "kept" : "dropped"),
    isUncertain(block) ? el("span.tag.u", {}, "uncertain") : null,
    el("span.reason", { style: "margin:0" }, `${count(blocks.words[block], "word")} · step ${string(one.step[block])}`),
    el("div.acts", {}, act("Keep", "must"), act("Drop", "must_not")));
  const parts = [head, el("p.quote", {}, blocks.text[block]), el("p.reason", {}, state.cut === null ? string(one.why[block]) : atCut(block))];
  if (p !== null) {
    const cut = state.cut ?? one.threshold;
    parts.push(el("div.scale", { role: "img", "aria-label": `probability ${two(p)}, cut-off ${two(cut)}` },
      cut === null ? null : el("u", { style: `left:${cut * 100}%` }), cut === null ? null : el("span.cut", { style: `left:${cut * 100}%` }, `cut-off ${two(cut)}`),
      el("i", { style: `left:${p * 100}%` }), el("span", { style: `left:${Math.min(Math.max(p * 100, 8), 92)}%` }, `probability ${two(p)}`)));
    const side = (name, title, items) => el(`div.${name}`, {}, el("h2", {}, title), el("ul", {}, ...items.map(([phrase, value]) =>
      el("li", {}, string(phrase), el("b", {}, (value > 0 ? "+" : "−") + Math.abs(value).toFixed(2))))));
    parts.push(el("div.evidence", {}, side("for", "For content", blocks.for[block]), side("against", "Against content", blocks.against[block])));
  }
  const notes = [];
  if (blocks.hidden[block] >= 0) notes.push(`Hidden: ${string(blocks.hidden[block])}.`);
  if (blocks.comment[block] >= 0) notes.push(`Comment: ${string(blocks.comment[block])}.`);
  if (blocks.repeated[block]) notes.push(`Repeated on ${count(blocks.repeated[block], "other page")} of the site.`);
  if (blocks.score[block] !== null && p !== null) notes.push(`Score ${two(blocks.score[block])} (log odds); by the first classifier alone ${two(blocks.first[block])}.`);
  if (comparison()) notes.push(`${comparison().name} has ${comparison().shares[block]} % of its words.`);
  parts.push(el("ul.notes", {}, ...notes.map((note) => el("li", {}, note)), el("li", {}, el("code", {}, string(blocks.xpath[block])))));
  card.replaceChildren(...parts);
}

function atCut(block) {
  const p = variant().p[block], step = string(variant().step[block]);
  if (p === null || !FREE_STEPS.has(step)) return string(variant().why[block]);
  return `At the cut-off ${two(state.cut)} it would be ${isKept(block) ? "kept" : "dropped"}: its probability is ${two(p)}.`;
}

function drawSteps() {
  const steps = variant().steps;
  if (!steps.length) return null;
  return el("div", {}, el("h2", {}, "Steps of this page"), el("ul.notes", {}, ...steps.map((step) =>
    el("li", {}, `${step.name}: ${step.does} (+${step.added} −${step.removed})`))));
}

// ---------------------------------------------------------------- lists that grow as they are scrolled

const CHUNK = 300;
const list = { ensure: null };

/** Fill a box with rows, a chunk at a time; `numbers` gives the block of each row for list.ensure. */
function fill(box, length, makeRow, blockOf) {
  let made = 0;
  const more = (until) => {
    const rows = document.createDocumentFragment();
    for (const stop = Math.min(length, Math.max(until, made + CHUNK)); made < stop; made++) rows.append(makeRow(made));
    box.append(rows);
  };
  more(0);
  box.addEventListener("scroll", () => { if (made < length && box.scrollTop + 3 * box.clientHeight > box.scrollHeight) more(0); });
  let places = null;
  list.ensure = (block) => {
    if (!places) { places = new Map(); for (let at = 0; at < length; at++) { const one = blockOf(at); if (!places.has(one)) places.set(one, at); } }
    const at = places.get(block);
    if (at !== undefined && at >= made) more(at + 1);
  };
  box.addEventListener("mouseover", (event) => { const row = event.target.closest("[data-b]"); if (row) setHot(Number(row.dataset.b), "pane"); });
  box.addEventListener("mouseleave", () => setHot(-1, "pane"));
  box.addEventListener("click", (event) => { const row = event.target.closest("[data-b]"); if (row) select(Number(row.dataset.b), "pane"); });
}

function rowList(found, describe) {
  const box = el("div.list");
  fill(box, found.length, (at) => {
    const block = found[at], row = el(`div.row${isUncertain(block) ? ".u" : ""}`, { "data-b": block },
      el("div.text", {}, blocks.text[block].slice(0, 400)), el("div.why", {}, describe(block)));
    if (block === state.selected) row.classList.add("sel");
    return row;
  }, (at) => found[at]);
  return box;
}

// ---------------------------------------------------------------- tabs

const matches = (block) => !state.search || blocks.text[block].toLowerCase().includes(state.search);

function searchBar(...others) {
  const box = el("input", { type: "search", id: "search", placeholder: "Search blocks  /", value: state.search, "aria-label": "Search in the blocks",
    oninput: () => { state.search = box.value.toLowerCase(); drawPanel(); $("search").focus(); } });
  return el("div.bar", {}, box, ...others);
}

const TABS = [
  ["left-out", "Left out", () => [...Array(total).keys()].filter((block) => !isKept(block)).length, drawLeftOut],
  ["text", "Text", null, () => drawSource("text")],
  ["markdown", "Markdown", null, () => drawOutput("markdown")],
  ["html", "HTML", null, () => drawOutput("html")],
  ["metadata", "Metadata", null, drawMetadata],
  ["comments", "Comments", () => report.comments.length, drawComments],
  ["records", "Records", () => (report.records ? report.records.count : null), drawRecords],
  ["compare", "Compare", () => report.comparisons.length || null, drawCompare],
  ["marks", "Marks", () => state.marks.size || null, drawMarks],
];

function drawTabs() {
  $("tabs").replaceChildren(...TABS.map(([id, name, size]) => {
    const number = size?.();
    return el("button", { role: "tab", id: `tab-${id}`, "aria-selected": String(id === state.tab), "aria-controls": "panel", tabindex: id === state.tab ? 0 : -1,
      onclick: () => openTab(id) }, name, !number ? null : el("small", {}, ` ${number.toLocaleString("en")}`));
  }));
  $("panel").setAttribute("aria-labeledby", `tab-${state.tab}`);
}

function openTab(id) { state.tab = id; drawTabs(); drawPanel(); }

function drawPanel() {
  list.ensure = null;
  $("panel").replaceChildren(...TABS.find(([id]) => id === state.tab)[3]());
}

function drawLeftOut() {
  const found = [...Array(total).keys()].filter((block) => !isKept(block) && matches(block));
  const why = (block) => [state.cut === null ? string(variant().why[block]) : atCut(block),
    blocks.comment[block] >= 0 ? `It is ${string(blocks.comment[block])}.` : "",
    blocks.repeated[block] ? `Repeated on ${count(blocks.repeated[block], "other page")}.` : "",
    blocks.plainest[block] >= 0 ? `Against it: ${string(blocks.plainest[block])}.` : ""].filter(Boolean).join(" ");
  const words = found.reduce((sum, block) => sum + blocks.words[block], 0);
  const hidden = found.filter((block) => !isRead(block)).length;
  return [searchBar(el("span", {}, `${count(found.length, "block")}, ${count(words, "word")}${hidden ? `; ${hidden.toLocaleString("en")} hidden` : ""}`)),
    found.length ? rowList(found, why) : el("p.empty", {}, "Nothing was left out.")];
}

/** The bar of options that change how the content is written. */
function optionBar(format) {
  const box = (name) => { const check = el("input", { type: "checkbox", checked: state.options[name], onchange: () => { state.options[name] = check.checked; drawPanel(); } });
    return el("label", {}, check, name); };
  const switches = format === "text" ? [] : [el("div.segments", { role: "group", "aria-label": "View" },
    ...["rendered", "source"].map((view) => el("button", { "aria-pressed": String((view === "source") === state.source[format]),
      onclick: () => { state.source[format] = view === "source"; drawPanel(); } }, view)))];
  const copy = el("button.button", { onclick: () => copyText(outputLines(format).join("\n"), copy) }, "Copy");
  return el("div.bar", {}, ...switches, box("links"), box("images"), box("comments"), el("span.grow", { style: "flex:1" }), copy);
}

function outputKey(format) {
  const key = [format, ...Object.keys(state.options).filter((name) => state.options[name])].join(" ");
  const outputs = variant().outputs;
  return key in outputs ? key : Object.keys(outputs).find((one) => one.split(" ")[0] === format);
}
const outputLines = (format) => { const lines = variant().outputs[outputKey(format)], out = []; for (let at = 0; at < lines.length; at += 2) out.push(string(lines[at])); return out; };

async function copyText(text, button) {
  try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { button.textContent = "Not allowed here"; }
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

function drawSource(format) {
  const lines = variant().outputs[outputKey(format)];
  const box = el(format === "text" ? "div.list.prose" : "div.list.source");
  fill(box, lines.length / 2, (at) => {
    const block = lines[2 * at + 1], line = el("div.line", block >= 0 ? { "data-b": block } : {}, string(lines[2 * at]));
    if (block >= 0 && block === state.selected) line.classList.add("sel");
    return line;
  }, (at) => lines[2 * at + 1]);
  const note = state.cut === null ? null : el("div.bar", {}, "The slider moves the colors of the page; outputs are those of the extraction.");
  return [optionBar(format), ...(note ? [note] : []), lines.length > 2 || string(lines[0] ?? -1) ? box : el("p.empty", {}, "Nothing was kept.")];
}

function drawOutput(format) {
  if (state.source[format]) return drawSource(format);
  const rendered = variant().rendered;
  const key = state.options.comments && `${format} comments` in rendered ? `${format} comments` : format;
  const frame = el("iframe", { sandbox: "allow-same-origin", title: `The content as ${format}`, style: "background:#fff" });
  frame.addEventListener("load", () => {
    const page = frame.contentDocument;
    if (!page?.body) return;
    const css = "body{max-width:72ch;padding:16px 20px;font-size:15px}pre{background:#f4f5f7;padding:10px;overflow:auto}td,th{border:1px solid #dfe2e7}blockquote{border-left:3px solid #dfe2e7;margin-left:0;padding-left:14px}" +
      "[data-hot]{background:#e6eefc}[data-sel]{background:#dbe7fb;outline:2px solid #1d5fd1}[data-b]{cursor:pointer}" +
      (state.options.links ? "" : "a{color:inherit;text-decoration:none}") + (state.options.images ? "" : "img,.duramen-box{display:none}");
    page.head.append(Object.assign(page.createElement("style"), { textContent: css }));
    listen(page, false);
    if (state.selected >= 0) flag(state.selected, "sel", true);
  });
  frame.srcdoc = string(rendered[key]);
  return [optionBar(format), frame];
}

function drawMetadata() {
  const claim = ([value, source, weight, block]) => el("tr", block >= 0 ? { "data-b": block } : {}, el("td", {}, value), el("td", {}, source), el("td.n", {}, (weight >= 0 ? "+" : "−") + Math.abs(weight).toFixed(2)));
  const candidate = ([value, score, probability, evidence]) => el("tr", {}, el("td", {}, value),
    el("td", {}, evidence.map(([name, weight]) => `${name} ${weight >= 0 ? "+" : "−"}${Math.abs(weight).toFixed(2)}`).join(", ")), el("td.n", {}, two(score)), el("td.n", {}, two(probability)));
  const head = (...names) => el("tr", {}, ...names.map((name) => el("th", { scope: "col" }, name)));
  const box = el("div.list", {}, ...report.metadata.map((field) => el("div.field", {}, el("h3", {}, field.name.replace("_", " ")),
    el("div.value", {}, field.value || "not given", field.value ? el("small", {}, `  ${field.source}, confidence ${two(field.confidence)}`) : null),
    field.claims.length ? el("table.data", {}, head("claim", "source", "weight"), ...field.claims.map(claim)) : null,
    field.candidates.length ? el("details", {}, el("summary", {}, `${count(field.candidates.length, "candidate")} and their evidence`),
      el("table.data", {}, head("candidate", "evidence", "score", "probability"), ...field.candidates.map(candidate))) : null)));
  follow(box);
  return report.metadata.length ? [box] : [el("p.empty", {}, "The page has no metadata.")];
}

function follow(box) {
  box.addEventListener("mouseover", (event) => { const row = event.target.closest("[data-b]"); setHot(row ? Number(row.dataset.b) : -1, "pane"); });
  box.addEventListener("mouseleave", () => setHot(-1, "pane"));
  box.addEventListener("click", (event) => { const row = event.target.closest("[data-b]"); if (row) select(Number(row.dataset.b), "pane"); });
}

function drawComments() {
  const box = el("div.list", {}, ...report.comments.map((one) => el("div.comment", { "data-b": one.block, style: `--depth:${Math.min(one.depth, 8)}` },
    el("div", {}, el("b", {}, one.author || "unknown"), el("small", {}, `  ${one.date || one.stamp || ""}`)), one.text)));
  follow(box);
  return report.comments.length ? [box] : [el("p.empty", {}, "No reader comments were found.")];
}

function drawRecords() {
  const table = report.records;
  if (!table) return [el("p.empty", {}, "Records were not extracted: run duramen inspect with --records.")];
  if (!table.rows.length) return [el("p.empty", {}, table.reason)];
  const body = el("tbody"), box = el("div.list", {}, el("table.data", {}, el("thead", {}, el("tr", {}, ...table.names.map((name) => el("th", { scope: "col" }, name)))), body));
  table.rows.forEach((row, at) => body.append(el("tr", { "data-b": table.blocks[at] ?? -1 }, ...row.map((cell) => el("td", {}, cell)))));
  follow(box);
  return [el("div.bar", {}, `${count(table.count, "record")}: ${table.reason}`), box];
}

function drawCompare() {
  if (!report.comparisons.length) return [el("p.empty", {}, "Nothing to compare with: name other methods with --method auto,econ, a wrapper with --wrapper, or the right text with --gold.")];
  const one = comparison();
  if (!one) return [el("p.empty", {}, "Choose what to compare with above the page.")];
  if (one.error) return [el("p.empty", {}, `${one.name} failed: ${one.error}`)];
  const all = [...Array(total).keys()];
  const ours = all.filter((block) => letter(block) === "o" && matches(block)), theirs = all.filter((block) => letter(block) === "t" && matches(block));
  const number = (label, value) => el("div", {}, el("b", {}, value), label);
  const facts = el("div.bar", {}, el("div.numbers", {}, number("precision", two(one.precision)), number("recall", two(one.recall)), number("word F1", two(one.f1)),
    number(`words of ${one.name}`, one.words.toLocaleString("en")), number("blocks only ours", ours.length), number(`only ${one.name}`, theirs.length)));
  const both = [...ours, ...theirs].sort((a, b) => a - b);
  const side = (block) => (isKept(block) ? `only ${variant().method}: ${string(variant().why[block])}` : `only ${one.name}, ${one.shares[block]} % of its words: ${string(variant().why[block])}`);
  return [facts, searchBar(el("span", {}, one.kind === "gold" ? "against the gold text" : `${one.name} taken as the reference`)),
    both.length ? rowList(both, side) : el("p.empty", {}, "Both keep the same blocks.")];
}

// ---------------------------------------------------------------- marks and fixtures

function setMark(block, value) {
  if (value) state.marks.set(block, value); else state.marks.delete(block);
  paint(); drawFacts(); drawTabs();
  if (state.tab === "marks") drawPanel();
}

function drawMarks() {
  const marked = [...state.marks.keys()].sort((a, b) => a - b), canFix = report.page.source !== null;
  const bar = el("div.bar", {}, el("button.button.primary", { id: "save-marks", disabled: !marked.length, onclick: () => save("marks.json", makeMarks()) }, "Save marks"),
    el("button.button", { id: "save-fixture", disabled: !marked.length || !canFix, onclick: () => save("fixture.json", { ...makeMarks(), source: report.page.source }) }, "Save fixture with page"),
    el("span", {}, "duramen evaluate and duramen train auto read both."));
  if (!marked.length) return [bar, el("p.empty", {}, "Mark blocks with Keep or Drop, or with + and −: what must be in the content, and what must not.")];
  return [bar, rowList(marked, (block) => `${state.marks.get(block) === "must" ? "must be kept" : "must not be kept"}, now ${isKept(block) ? "kept" : "dropped"}`)];
}

/** The marks as a page of an evaluation set: see docs/inspector.md. */
function makeMarks() {
  const texts = (value) => [...state.marks.keys()].sort((a, b) => a - b).filter((block) => state.marks.get(block) === value).map((block) => blocks.text[block]);
  const name = report.page.name.split(/[\\/]/).pop().replace(/\.x?html?(\.gz)?$/i, "") || "page";
  return { id: name, html: report.page.name, url: report.page.url, must: texts("must"), must_not: texts("must_not"),
    version: report.version, method: variant().method, favor: variant().favor || null };
}

function save(suffix, data) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(data, null, 1)], { type: "application/json" }));
  const link = el("a", { href: address, download: `${data.id}.${suffix}` });
  window.lastSaved = data; // for tests: downloads leave no trace in the page
  document.body.append(link); link.click(); link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// ---------------------------------------------------------------- keyboard

function move(step, only) {
  let block = state.selected;
  do { block += step; } while (block >= 0 && block < total && !only(block));
  if (block >= 0 && block < total) select(block, "keys");
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !report) return;
  const target = event.target, typing = target.matches?.("input[type=search], input[type=url], textarea, select");
  if (event.key === "Escape") { if (typing) target.blur(); else select(-1); return; }
  if (typing || $("help-dialog").open) return;
  if (target.getAttribute?.("role") === "tab" && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
    const at = TABS.findIndex(([id]) => id === state.tab), to = (at + (event.key === "ArrowRight" ? 1 : TABS.length - 1)) % TABS.length;
    openTab(TABS[to][0]); $(`tab-${TABS[to][0]}`).focus(); event.preventDefault(); return;
  }
  const isSlider = target.id === "cut", mark = (value) => { if (state.selected >= 0) setMark(state.selected, value); };
  const actions = {
    j: () => move(1, () => true), k: () => move(-1, () => true), n: () => move(1, isUncertain), p: () => move(-1, isUncertain),
    ArrowDown: isSlider ? null : () => move(1, () => true), ArrowUp: isSlider ? null : () => move(-1, () => true),
    "+": () => mark("must"), "=": () => mark("must"), "-": () => mark("must_not"), 0: () => mark(null),
    "[": () => setCut(Math.max(0, (state.cut ?? variant().threshold ?? 0.5) - 0.02)), "]": () => setCut(Math.min(1, (state.cut ?? variant().threshold ?? 0.5) + 0.02)),
    "/": () => { if (!$("search")) openTab("left-out"); $("search").focus(); }, s: toggleStyles,
    t: () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"), "?": () => $("help-dialog").showModal(),
  };
  const tab = /^[1-9]$/.test(event.key) ? TABS[Number(event.key) - 1] : null;
  if (tab) { openTab(tab[0]); event.preventDefault(); return; }
  if (actions[event.key]) { actions[event.key](); event.preventDefault(); }
}

function setCut(cut) {
  if (!variant().cutoffs.length) return;
  state.cut = cut;
  drawSlider(); drawHeader(); drawTabs(); paint(); drawFacts();
  if (["left-out", "compare", "marks"].includes(state.tab)) drawPanel();
}

// ---------------------------------------------------------------- print

const PRINT_WIDTH = 700; // of a sheet of paper, in CSS pixels

/** Make the frame as high as its page, which does not scroll on paper. */
function openFrame() {
  const frame = $("frame"), page = frame.contentDocument?.documentElement;
  if (!page) return;
  Object.assign(frame.style, { flex: "none", width: `${PRINT_WIDTH}px`, height: "0" });
  frame.style.height = `${page.scrollHeight}px`;
}
window.addEventListener("beforeprint", openFrame);
window.addEventListener("afterprint", () => Object.assign($("frame").style, { flex: "", width: "", height: "" }));

// ---------------------------------------------------------------- start

function drawAll() { drawHeader(); drawFavor(); drawSlider(); drawTabs(); drawPanel(); drawFacts(); paint(); }

function startReport() {
  $("app").hidden = false;
  $("compare-control").hidden = !report.comparisons.length;
  $("compare").replaceChildren(el("option", { value: -1 }, "nothing"), ...report.comparisons.map((one, at) => el("option", { value: at }, `${one.name} (${one.kind})`)));
  $("compare").addEventListener("change", (event) => { state.compare = Number(event.target.value); paint(); drawFacts(); if (state.compare >= 0) openTab("compare"); else drawPanel(); });
  const main = report.variants.findIndex((one) => one.favor === "balance");
  state.variant = Math.max(0, main);
  $("cut").addEventListener("input", (event) => setCut(Number(event.target.value)));
  $("cut-reset").addEventListener("click", () => { state.cut = null; drawAll(); });
  $("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  $("help").addEventListener("click", () => $("help-dialog").showModal());
  $("help-close").addEventListener("click", () => $("help-dialog").close());
  document.addEventListener("keydown", onKey);
  drawAll();
  loadFrame();
  const wanted = location.hash.match(/block=(\d+)/), tab = location.hash.match(/tab=([a-z-]+)/);
  if (tab && TABS.some(([id]) => id === tab[1])) openTab(tab[1]);
  if (wanted && Number(wanted[1]) < total) select(Number(wanted[1]), "keys");
}

/** With a server: send an address or a file, and open the report that comes back. */
async function send(path, body) {
  const say = (text, isError) => { const place = $("message"); place.textContent = text; place.classList.toggle("error", Boolean(isError)); };
  say("Working …");
  try {
    const answer = await fetch(`${input.serve}${path}`, { method: "POST", body });
    const text = await answer.text();
    if (answer.ok) location.assign(text); else { say(text, true); if (report) alert(text); }
  } catch { say("The server does not answer: is duramen inspect --serve still running?", true); }
}

function startServer() {
  const sendFile = (file) => { if (file) send(`page?name=${encodeURIComponent(file.name)}`, file); };
  document.addEventListener("dragover", (event) => { event.preventDefault(); $("drop").classList.add("over"); });
  document.addEventListener("dragleave", () => $("drop").classList.remove("over"));
  document.addEventListener("drop", (event) => { event.preventDefault(); $("drop").classList.remove("over"); sendFile(event.dataTransfer.files[0]); });
  $("file").addEventListener("change", (event) => sendFile(event.target.files[0]));
  $("start-form").addEventListener("submit", (event) => { event.preventDefault(); send("url", $("start-url").value); });
  $("open").addEventListener("submit", (event) => { event.preventDefault(); send("url", $("open").querySelector("input").value); });
  $("open").hidden = !report;
}

if (input.serve) startServer();
if (report) startReport(); else $("start").hidden = false;
