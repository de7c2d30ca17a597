// Opens the page, draws when something changed, and listens to keys.

const THEMES = ["auto", "light", "dark"];
const CLOCK_MS = 60, TABLE_MS = 200;
const pace = { asked: 0, clockAt: 0, tableAt: 0, spent: [], stamps: [], loadMs: 0 };

function wake() {
  if (!pace.asked && page.data) pace.asked = requestAnimationFrame(drawNow);
}

function drawNow(now) {
  pace.asked = 0;
  const { data } = page, began = performance.now();
  if (page.isPlaying) advance(data, now);
  drawStage(data);
  placeHead(data);
  // Text is no use faster than it can be read, and its layout costs more than the maps do.
  if (!page.isPlaying || now - pace.clockAt >= CLOCK_MS) {
    pace.clockAt = now;
    showTime(data);
    moveCursor();
  }
  if (!page.isPlaying || now - pace.tableAt >= TABLE_MS) {
    pace.tableAt = now;
    showTable(data);
    markObserver(data);
    tellTime(data);
  }
  pace.spent.push(performance.now() - began);
  pace.stamps.push(now);
  if (pace.stamps.length > 600) for (const list of [pace.stamps, pace.spent]) list.splice(0, 300);
  if (page.isPlaying) wake();
}

function chooseObserver(o) {
  const { data } = page;
  if (!(o >= 0 && o < data.O)) return;
  page.observer = o;
  line.counts = countsOf(data, o);
  document.getElementById("client-title").textContent = `${sentence(observerName(data, o))} knows`;
  document.getElementById("enemies-title").textContent = `Enemies, as ${observerName(data, o)} knows them`;
  openTable(data);
  drawLine(data);
  wake();
}

function setSwitch(name, isOn) {
  page[name] = isOn;
  document.getElementById(name).setAttribute("aria-pressed", String(isOn));
  if (name === "heat") {
    ground.isStale = true;
    drawHeatKey(page.data);
  }
  wake();
}

function setTheme(theme) {
  page.theme = THEMES.includes(theme) ? theme : "auto";
  const isDark = page.theme === "dark" || (page.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.getElementById("theme").textContent = `Theme: ${page.theme}`;
  readColours();
  colours.isDark = isDark;
  if (!ground.image) return;
  drawSheet(page.data);
  drawHeatKey(page.data);
  drawLine(page.data);
  changeView(page.data);
}

const KEYS = [
  ["Space", "Play or pause"], ["← →", "A frame back or on"], ["Shift ← →", "A second back or on"], ["Home End", "To the start or the end"],
  ["N P", "Next finding, finding before"], ["↑ ↓ Enter", "In the list of findings: choose and jump"], ["1 … 9, 0", "Observer; click a player on the map for the same"],
  ["[ ]", "Observer before, next observer"], [", .", "Slower, faster"], ["G", "Hidden enemies as ghosts"], ["H", "Heat of exposure"],
  ["+ −", "Zoom; also the wheel or two fingers"], ["W A S D", "Move the map; also by dragging"], ["F", "Show the whole map"], ["C", "Bring the observer to the middle"],
  ["T", "Theme: auto, light, dark"], ["Esc", "Out of a field, back to these keys"], ["?", "This help"],
];

function centreOnObserver(data) {
  const { entity } = data.observers[page.observer];
  if (entity == null || !isThere(data, page.frame, entity)) return;
  Object.assign(page.view, { x: moment.x[entity], y: moment.y[entity] });
  moveView(data, 0, 0);
}

function actions(data) {
  const changeSpeed = (by) => setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(page.speed) + by))]);
  const toggle = (name) => () => setSwitch(name, !page[name]);
  const nudge = (dx, dy) => () => moveView(data, dx, dy);
  return {
    " ": () => page.isPlaying ? pause() : play(),
    ArrowLeft: () => stepFrame(data, -1), ArrowRight: () => stepFrame(data, 1),
    "Shift+ArrowLeft": () => stepSeconds(data, -1), "Shift+ArrowRight": () => stepSeconds(data, 1),
    Home: () => setClock(data, 0), End: () => setClock(data, data.end),
    n: () => jumpBy(1), p: () => jumpBy(-1),
    "[": () => chooseObserver((page.observer + data.O - 1) % data.O), "]": () => chooseObserver((page.observer + 1) % data.O),
    ",": () => changeSpeed(-1), ".": () => changeSpeed(1),
    g: toggle("ghosts"), h: toggle("heat"), f: () => fitView(data), c: () => centreOnObserver(data),
    "+": () => zoomMiddle(data, 1.25), "=": () => zoomMiddle(data, 1.25), "-": () => zoomMiddle(data, 0.8),
    w: nudge(0, 60), s: nudge(0, -60), a: nudge(60, 0), d: nudge(-60, 0),
    t: () => setTheme(THEMES[(THEMES.indexOf(page.theme) + 1) % THEMES.length]),
    "?": () => document.getElementById("help").showModal(),
  };
}

function listenToKeys(data) {
  const does = actions(data);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
    const tag = event.target.tagName, key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (tag === "INPUT" || tag === "SELECT") return key === "Escape" ? event.target.blur() : undefined;
    if (key === " " && (tag === "BUTTON" || tag === "A")) return;
    const digit = /^\d$/.test(key) ? (Number(key) + 9) % 10 : -1;
    const act = digit >= 0 ? () => chooseObserver(digit) : does[(event.shiftKey && key.startsWith("Arrow") ? "Shift+" : "") + key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function listenToButtons(data) {
  const on = (id, act) => document.getElementById(id).addEventListener("click", act);
  const does = actions(data);
  for (const [id, key] of Object.entries({ play: " ", back: "ArrowLeft", on: "ArrowRight", prev: "p", next: "n", heat: "h", ghosts: "g",
    "zoom-in": "+", "zoom-out": "-", fit: "f", theme: "t", "help-open": "?" })) on(id, does[key]);
  document.getElementById("speed").addEventListener("change", (event) => setSpeed(Number(event.target.value)));
  document.getElementById("help-keys").append(...KEYS.map(([keys, what]) => make("div", {}, make("dt", {}, make("kbd", {}, keys)), make("dd", {}, what))));
  for (const link of document.querySelectorAll("[data-goto]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const to = document.getElementById(link.dataset.goto);
      to.scrollIntoView({ behavior: page.isCalm ? "auto" : "smooth" });
      to.focus({ preventScroll: true });
    });
  }
  // A button that was clicked gives the keys back: Space plays then, and does not press it again.
  document.addEventListener("click", (event) => { if (event.detail > 0) event.target.closest("button")?.blur(); });
  if (!data.heat) document.getElementById("heat").disabled = true;
}

function obeyHash(data) {
  const asked = new URLSearchParams(location.hash.slice(1));
  const number = (name) => asked.has(name) && asked.get(name) !== "" && Number.isFinite(Number(asked.get(name))) ? Number(asked.get(name)) : null;
  if (asked.has("kinds") || asked.has("by") || asked.has("of") || asked.has("min_ms")) {
    filter({ kinds: asked.get("kinds")?.split(","), observer: number("by"), entity: number("of"), min_ms: number("min_ms") ?? 0 });
  }
  for (const name of ["heat", "ghosts"]) if (asked.has(name)) setSwitch(name, asked.get(name) === "1");
  if (number("finding") !== null) jump(number("finding"));
  if (number("observer") !== null) chooseObserver(number("observer"));
  if (number("clock") !== null) setClock(data, number("clock"));
  if (number("frame") !== null) setFrame(data, Math.trunc(number("frame")));
  if (number("zoom") !== null) zoomFromHash(data, number("zoom"));
  if (SPEEDS.includes(number("speed"))) setSpeed(number("speed"));
  if (number("play")) play();
  if (number("test")) setTimeout(() => { document.body.dataset.state = JSON.stringify(state()); }, number("test") * 1000);
}

function zoomFromHash(data, factor) {
  settleMoment(data, page.frame, page.part, page.observer);
  const e = page.finding?.entity ?? data.observers[page.observer].entity;
  if (e != null && isThere(data, page.frame, e)) Object.assign(page.view, { x: moment.x[e], y: moment.y[e] });
  zoomMiddle(data, factor);
}

// Frames drawn in the last second of play; 0 while it rests.
function measuredFps() {
  const stamps = pace.stamps, last = stamps[stamps.length - 1];
  if (!page.isPlaying || stamps.length < 2) return 0;
  const recent = stamps.filter((stamp) => last - stamp <= 1000);
  return recent.length < 2 ? 0 : (recent.length - 1) * 1000 / (last - recent[0]);
}

// Of the time that the last draws took, in ms: the middle one.
function measuredDraw() {
  const recent = pace.spent.slice(-120).sort((a, b) => a - b);
  return recent[recent.length >> 1] ?? 0;
}

function state() {
  const { data } = page;
  return {
    frames: data.F, frame: page.frame, tick: data.tick[page.frame], clock: page.clock, end: data.end,
    observer: page.observer, playing: page.isPlaying, speed: page.speed,
    findings: data.findings.length, findings_shown: page.shown.length, finding: page.finding ? page.shown.indexOf(page.finding) : -1,
    finding_frame: page.finding?.frame ?? -1, kinds: [...filterNow.kinds], heat: page.heat, ghosts: page.ghosts, theme: page.theme,
    drawn_truth: panes[0].hits.length, drawn_client: panes[1].hits.length,
    fps: measuredFps(), draw_ms: measuredDraw(), load_ms: pace.loadMs,
  };
}

async function open() {
  const began = performance.now();
  page.isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  setTheme(new URLSearchParams(location.hash.slice(1)).get("theme"));
  const data = await readData();
  page.data = data;
  await loadMap(data);
  showHead(data);
  showKey();
  document.getElementById("main").hidden = false;
  document.body.append(make("div", { id: "map-tip", class: "tip", hidden: "" }));
  line.counts = countsOf(data, 0);
  drawSheet(data);
  openLine(data);
  openPanes(data);
  showObservers(data);
  openFindings(data);
  openCharts(data);
  showSummary(data);
  chooseObserver(0);
  listenToKeys(data);
  listenToButtons(data);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme(page.theme));
  matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", (event) => { page.isCalm = event.matches; });
  obeyHash(data);
  document.getElementById("opening").hidden = true;
  pace.loadMs = performance.now() - began;
}

const ready = open().catch((error) => {
  const opening = document.getElementById("opening");
  opening.hidden = false;
  opening.textContent = `This report can't be shown: ${error.message}.`;
  document.getElementById("main").hidden = true;
  document.body.dataset.state = JSON.stringify({ error: error.message });
  throw error;
});
window.fogwallReport = {
  ready, state, jump, play, pause, filter,
  seek: (frame) => setFrame(page.data, frame), choose: chooseObserver,
};
