// The findings: the filter, the list (only the rows in view are in the page), and the jump to one.

const ROW_PX = 46;
const filterNow = { kinds: new Set(), observer: null, entity: null, min_ms: 0 };

function openFindings(data) {
  const kinds = document.getElementById("kinds");
  for (const [kind, { name, colour, about, stays }] of Object.entries(KINDS)) {
    filterNow.kinds.add(kind);
    const count = data.findings.filter((finding) => finding.kind === kind).length;
    if (!count && !stays) continue;
    const chip = make("button", { type: "button", class: "chip", "data-kind": kind, "aria-pressed": "true", title: about });
    chip.style.setProperty("--kind", `var(--${colour})`);
    chip.append(make("i", { class: "swatch" }), `${name} `, make("span", { class: "quiet" }, countText(count)));
    chip.addEventListener("click", () => {
      const on = new Set(filterNow.kinds);
      if (!on.delete(kind)) on.add(kind);
      filter({ kinds: [...on] });
    });
    kinds.append(chip);
  }
  const choose = (id, key, names) => {
    const select = document.getElementById(id);
    select.append(make("option", { value: "" }, "All"), ...names.map((name, i) => make("option", { value: i }, name)));
    select.addEventListener("change", () => filter({ [key]: select.value === "" ? null : Number(select.value) }));
  };
  choose("by-observer", "observer", data.observers.map((_, o) => sentence(observerName(data, o))));
  choose("by-entity", "entity", data.entities.map((entity) => entity.name));
  const length = document.getElementById("by-length");
  length.addEventListener("input", () => filter({ min_ms: Math.max(0, Number(length.value) || 0) }));
  const list = document.getElementById("list");
  list.addEventListener("scroll", () => drawRows(data), { passive: true });
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[data-row]");
    if (row) jump(Number(row.dataset.row));
  });
  list.addEventListener("keydown", (event) => listKey(data, event));
  new ResizeObserver(() => drawRows(data)).observe(list);
  filter({});
}

// Narrows the list; keys not named stay. Observer and entity are indices, null for all.
function filter(change) {
  const { data } = page;
  if (change.kinds) filterNow.kinds = new Set(change.kinds);
  for (const key of ["observer", "entity", "min_ms"]) if (key in change) filterNow[key] = change[key];
  const { kinds, observer, entity, min_ms } = filterNow;
  page.shown = data.findings.filter((finding) => kinds.has(finding.kind) && finding.ms >= min_ms
    && (observer === null || finding.observer === observer) && (entity === null || finding.entity === entity));
  for (const chip of document.querySelectorAll(".chip")) chip.setAttribute("aria-pressed", String(kinds.has(chip.dataset.kind)));
  document.getElementById("by-observer").value = observer ?? "";
  document.getElementById("by-entity").value = entity ?? "";
  const length = document.getElementById("by-length");
  if (Number(length.value) !== min_ms) length.value = min_ms;
  document.getElementById("found").textContent = page.shown.length === data.findings.length
    ? countText(data.findings.length) : `${countText(page.shown.length)} of ${countText(data.findings.length)}`;
  const none = document.getElementById("none");
  none.hidden = page.shown.length > 0;
  none.textContent = data.findings.length ? "No finding passes this filter." : "Nothing came late and nothing was exposed.";
  document.getElementById("rows").style.height = `${page.shown.length * ROW_PX}px`;
  drawRows(data);
  if (line.ctx) drawLine(data);
}

function drawRows(data) {
  const list = document.getElementById("list");
  const from = Math.max(0, Math.floor(list.scrollTop / ROW_PX) - 3);
  const to = Math.min(page.shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW_PX) + 3);
  const rows = [];
  for (let i = from; i < to; i++) rows.push(rowOf(data, i));
  document.getElementById("rows").replaceChildren(...rows);
  const chosen = page.shown.indexOf(page.finding);
  if (chosen >= from && chosen < to) list.setAttribute("aria-activedescendant", `finding-${chosen}`);
  else list.removeAttribute("aria-activedescendant");
}

function rowOf(data, i) {
  const finding = page.shown[i], kind = KINDS[finding.kind];
  const row = make("div", { id: `finding-${i}`, class: "row", role: "option", "data-row": i, "aria-selected": String(finding === page.finding),
    "aria-setsize": page.shown.length, "aria-posinset": i + 1, style: `top: ${i * ROW_PX}px; --kind: var(--${kind.colour})` },
    make("i", { class: "swatch" }),
    make("span", { class: "what" }, `${kind.name}: `, make("b", {}, entityName(data, finding.entity)), ` for ${observerName(data, finding.observer)}`),
    make("span", { class: "when" }, timeText(data.clock[finding.frame])),
    make("span", { class: "text", title: finding.text }, finding.text),
    make("span", { class: "length" }, `${countText(finding.ms)} ms`));
  return row;
}

// Goes to the i-th finding of the list as filtered: a bit before it, with its observer.
function jump(i) {
  const { data } = page, finding = page.shown[i];
  if (!finding) return false;
  page.finding = finding;
  chooseObserver(finding.observer);
  let first = finding.frame;
  while (first > 0 && !data.cut[first] && data.clock[finding.frame] - data.clock[first] < BEFORE_FINDING_S) first--;
  setClock(data, Math.max(data.clock[first], data.clock[finding.frame] - BEFORE_FINDING_S));
  const at = (finding.frame * data.E + finding.entity) * 3;
  if (isThere(data, finding.frame, finding.entity)) bringIntoView(data, data.pos[at], data.pos[at + 1]);
  const list = document.getElementById("list"), top = i * ROW_PX;
  if (top < list.scrollTop || top + ROW_PX > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2 + ROW_PX / 2;
  drawRows(data);
  showChosen(data, finding);
  wake();
  return true;
}

function showChosen(data, finding) {
  const node = document.getElementById("chosen"), kind = KINDS[finding.kind].name;
  node.hidden = false;
  node.replaceChildren(
    make("b", {}, `${kind}: ${entityName(data, finding.entity)} for ${observerName(data, finding.observer)}, ${countText(finding.ms)} ms from tick ${countText(data.tick[finding.frame])}`),
    finding.text);
}

// The next (+1) or the one before (-1), from the chosen one while its moment is near, or else from the moment shown.
const NEAR_S = 5;
function jumpBy(by) {
  const { data } = page, chosen = page.shown.indexOf(page.finding);
  if (chosen >= 0 && Math.abs(data.clock[page.finding.frame] - page.clock) < NEAR_S) return jump(chosen + by);
  if (by > 0) return jump(page.shown.findIndex((finding) => data.clock[finding.frame] > page.clock));
  return jump(page.shown.findLastIndex((finding) => data.clock[finding.frame] < page.clock));
}

function listKey(data, event) {
  const chosen = page.shown.indexOf(page.finding), pageful = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_PX) - 1);
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: pageful, PageUp: -pageful };
  if (event.key in moves) jump(Math.min(page.shown.length - 1, Math.max(0, (chosen < 0 ? -1 : chosen) + moves[event.key])));
  else if (event.key === "Enter" && chosen >= 0) jump(chosen);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
