// What stands around the map: the head of the page, the key, the observers, the table of enemies, the summary.

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const setText = (node, text) => { if (node.textContent !== text) node.textContent = text; };

function showHead(data) {
  document.title = `Fogwall report: ${data.title}`;
  document.getElementById("title").textContent = data.title;
  const facts = { Match: data.match, Filter: data.filter, "Round trip": `${data.rtt_ms} ms`, Interpolation: `${data.interp_ms} ms`, Ticks: `${data.tick_hz} Hz` };
  document.getElementById("facts").append(...Object.entries(facts).map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, String(value)))));
  document.getElementById("sources").append(...Object.entries(data.hashes ?? {}).map(([name, value]) => make("div", {}, make("dt", {}, sentence(name)), make("dd", {}, String(value)))));
  const judged = data.summary.filter((row) => row.good === true || row.good === false), held = judged.filter((row) => row.good).length;
  const gates = document.getElementById("gates");
  gates.hidden = false;
  gates.className = !judged.length ? "plain" : held === judged.length ? "gate good" : "gate bad";
  gates.textContent = !judged.length ? "Figures" : held === judged.length ? `All ${held} limits hold` : `${judged.length - held} of ${judged.length} limits broken`;
}

const KEY = [
  ["seen", "Seen", '<circle cx="9" cy="9" r="6" fill="var(--team-1)"/><path d="M15 9h3" stroke="var(--team-1)" stroke-width="2.5"/>'],
  ["spotted", "Spotted", '<rect x="3" y="3" width="12" height="12" fill="var(--team-1)" fill-opacity=".22" stroke="var(--team-1)" stroke-width="2"/>'],
  ["heard", "Heard", '<rect x="5" y="5" width="8" height="8" fill="none" stroke="var(--sound)"/><circle cx="9" cy="9" r="7.5" fill="none" stroke="var(--sound)" stroke-width="1.75"/>'],
  ["kept", "Held while hidden", '<circle cx="9" cy="9" r="6" fill="var(--team-1)" fill-opacity=".45"/>'],
  ["ghost", "Hidden", '<circle cx="9" cy="9" r="6.5" fill="none" stroke="var(--team-1)" stroke-width="1.5" stroke-dasharray="3 2.5"/>'],
  ["dead", "Dead", '<path d="m4 4 10 10M14 4 4 14" stroke="var(--team-1)" stroke-width="2"/>'],
  ["sight", "Truly in sight", '<path d="M1 14 17 4" stroke="var(--ink)" stroke-width="1.25"/>'],
  ["late", "Late", '<circle cx="9" cy="9" r="6.5" fill="none" stroke="var(--late)" stroke-width="3.5"/>'],
  ["exposed", "Exposed", '<circle cx="9" cy="9" r="6.5" fill="none" stroke="var(--exposed)" stroke-width="2.25"/>'],
  ["deep", "Deep exposed", '<circle cx="9" cy="9" r="4" fill="none" stroke="var(--exposed)" stroke-width="2"/><circle cx="9" cy="9" r="7.5" fill="none" stroke="var(--exposed)" stroke-width="2"/>'],
];
function showKey() {
  document.getElementById("key").append(...KEY.map(([, name, shape]) => {
    const item = make("li", {});
    item.innerHTML = `<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">${shape}</svg>`;
    item.append(name);
    return item;
  }));
}

const teamVariable = (data, team) => data.teams.includes(team) ? `var(--team-${data.teams.indexOf(team) % 4})` : "var(--nobody)";
const keyOf = (o) => o < 9 ? String(o + 1) : o === 9 ? "0" : "";

function showObservers(data) {
  const teams = [...new Set(data.observers.map((observer) => observer.team))];
  const lates = new Array(data.O).fill(0);
  for (const finding of data.findings) if (finding.kind !== "exposed") lates[finding.observer]++;
  document.getElementById("observers").replaceChildren(...teams.map((team) => {
    const list = make("div", { class: "team", role: "group", "aria-label": team ?? "no team" });
    list.style.setProperty("--team", teamVariable(data, team));
    list.append(make("h3", {}, team ?? "No team"));
    data.observers.forEach((observer, o) => {
      if (observer.team !== team) return;
      const button = make("button", { type: "button", class: "observer", "data-observer": o, "aria-pressed": "false" },
        make("i", { class: "dot" }), make("span", { class: "name", title: `Client ${observer.id}` }, sentence(observerName(data, o))),
        make("span", { class: observer.kind !== "player" ? "extra quiet" : "extra" }, observer.kind !== "player" ? observer.kind : lates[o] ? countText(lates[o]) : "", lates[o] ? make("span", { class: "word" }, " late") : ""));
      if (keyOf(o)) button.append(make("kbd", {}, keyOf(o)));
      button.addEventListener("click", () => chooseObserver(o));
      list.append(button);
    });
    return list;
  }));
}

function markObserver(data) {
  for (const button of document.querySelectorAll(".observer")) {
    const o = Number(button.dataset.observer), { entity } = data.observers[o];
    const isDead = entity != null && isThere(data, page.frame, entity) && !isAlive(data, page.frame, entity);
    const name = isDead ? "observer dead" : "observer", pressed = String(o === page.observer);
    if (button.className !== name) button.className = name;
    if (button.getAttribute("aria-pressed") !== pressed) button.setAttribute("aria-pressed", pressed);
  }
}

const COLUMNS = ["Enemy", "Verdict", "In sight", "Held", "Off by", "Distance", "Since"];
const table = { rows: [] };

function openTable(data) {
  const head = document.querySelector("#enemies thead"), body = document.querySelector("#enemies tbody");
  head.replaceChildren(make("tr", {}, ...COLUMNS.map((name, i) => make("th", { scope: "col", class: i > 3 ? "number" : null }, name))));
  const { entity, team } = data.observers[page.observer];
  table.rows = [];
  data.entities.forEach((other, e) => {
    if (e === entity || (team != null && other.team === team)) return;
    const cells = COLUMNS.map((_, i) => make(i ? "td" : "th", { class: i > 3 ? "number" : null, scope: i ? null : "row" }));
    const dot = make("i", { class: "dot" }), name = make("span", {}, other.class === "player" ? other.name : `${other.name} (${other.class})`);
    dot.style.setProperty("--team", teamVariable(data, other.team));
    cells[0].append(dot, name);
    table.rows.push({ e, node: make("tr", {}, ...cells), cells });
  });
  body.replaceChildren(...table.rows.map((row) => row.node));
}

function showTable(data) {
  const f = page.frame, o = page.observer, own = data.observers[o].entity;
  for (const { e, node, cells } of table.rows) {
    const there = isThere(data, f, e), mark = there ? markOf(data, f, o, e) : 0, verdict = verdictOf(data, f, o, e), at = pairAt(data, f, o, e);
    const state = mark & LATE ? "late" : mark & EXPOSED ? "exposed" : "";
    const name = !there || !isAlive(data, f, e) ? `${state} away` : state;
    if (node.className !== name) node.className = name;
    setText(cells[1], there ? `${verdict.name}${isAlive(data, f, e) ? "" : ", dead"}` : "Not there");
    setText(cells[2], mark & IN_SIGHT ? "Yes" : there ? "No" : "–");
    setText(cells[3], mark & LATE ? "No, late" : mark & HELD ? (mark & DEEP ? "Deep exposed" : mark & EXPOSED ? "Exposed" : "Yes") : there ? "No" : "–");
    setText(cells[4], mark & HELD ? `${(Math.hypot(data.shift[at * 2], data.shift[at * 2 + 1]) / 100).toFixed(2)} m` : "–");
    setText(cells[5], there && own != null && isThere(data, f, own) ? `${distanceOf(data, f, own, e).toFixed(1)} m` : "–");
    setText(cells[6], there ? `${(page.clock - data.clock[sinceFrame(data, f, o, e)]).toFixed(2)} s` : "–");
  }
}

function showSummary(data) {
  const groups = new Map();
  for (const row of data.summary) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  document.getElementById("summary").replaceChildren(...[...groups].map(([group, rows]) => make("table", {},
    make("caption", {}, group),
    make("tbody", {}, ...rows.map((row) => {
      const judged = row.good === true ? "good" : row.good === false ? "bad" : "";
      const value = make("td", { class: `value ${judged}` });
      if (judged) value.append(make("span", { class: "judged" }, judged === "good" ? "Holds" : "Broken"));
      value.append(String(row.value));
      return make("tr", {}, make("th", { scope: "row" }, row.name, row.note ? make("small", {}, row.note) : ""), value);
    })))));
}
