// The two panes as one stage: their size, the shared view, dragging, zooming and picking.

const panes = [];

function openPanes(data) {
  for (const id of ["truth", "client"]) {
    const map = document.querySelector(`#${id} .map`);
    const [groundCanvas, bodiesCanvas] = map.querySelectorAll("canvas");
    const pane = { id, map, ground: groundCanvas.getContext("2d"), bodies: bodiesCanvas.getContext("2d"), width: 0, height: 0, ratio: 1, hits: [] };
    panes.push(pane);
    listenToPane(data, pane);
  }
  const watch = new ResizeObserver(() => sizePanes(data));
  for (const pane of panes) watch.observe(pane.map);
  sizePanes(data);
}

function sizePanes(data) {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  for (const pane of panes) {
    const width = pane.map.clientWidth, height = pane.map.clientHeight;
    if (pane.width === width && pane.height === height && pane.ratio === ratio) continue;
    Object.assign(pane, { width, height, ratio });
    for (const ctx of [pane.ground, pane.bodies]) {
      ctx.canvas.width = Math.round(width * ratio);
      ctx.canvas.height = Math.round(height * ratio);
    }
  }
  if (page.view.isFitted || !page.view.scale) fitView(data);
  changeView(data);
}

const fitScale = (data) => {
  const { low, high } = data.map;
  return Math.max(0.01, Math.min(panes[0].width / (high[0] - low[0]), panes[0].height / (high[1] - low[1])) * 0.98);
};

function fitView(data) {
  const { low, high } = data.map;
  Object.assign(page.view, { x: (low[0] + high[0]) / 2, y: (low[1] + high[1]) / 2, scale: fitScale(data), isFitted: true });
  changeView(data);
}

function changeView(data) {
  ground.isStale = true;
  clearTimeout(ground.rest);
  ground.rest = setTimeout(() => {
    sharpen(data, panes[0]);
    ground.isStale = true;
    wake();
  }, REST_MS);
  wake();
}

function moveView(data, dx, dy) {
  const { low, high } = data.map;
  page.view.x = Math.min(high[0], Math.max(low[0], page.view.x - dx / page.view.scale));
  page.view.y = Math.min(high[1], Math.max(low[1], page.view.y + dy / page.view.scale));
  page.view.isFitted = false;
  changeView(data);
}

// Zooms so that what lies under (x, y) of the pane stays there.
function zoomView(data, factor, x, y, pane = panes[0]) {
  const least = fitScale(data) * 0.7, scale = Math.min(90, Math.max(least, page.view.scale * factor));
  const px = x - pane.width / 2, py = y - pane.height / 2, was = page.view.scale;
  page.view.scale = scale;
  page.view.x += px / was - px / scale;
  page.view.y -= py / was - py / scale;
  moveView(data, 0, 0);
}
const zoomMiddle = (data, factor) => zoomView(data, factor, panes[0].width / 2, panes[0].height / 2);

// Moves the view only if the place is not well inside it.
function bringIntoView(data, x, y) {
  const pane = panes[0], px = atX(pane, x), py = atY(pane, y), edge = 40;
  if (px > edge && py > edge && px < pane.width - edge && py < pane.height - edge) return;
  moveView(data, pane.width / 2 - px, pane.height / 2 - py);
}

function listenToPane(data, pane) {
  const fingers = new Map();
  let travelled = 0;
  const place = (event) => {
    const box = pane.map.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  pane.map.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pane.map.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, place(event));
    travelled = 0;
  });
  pane.map.addEventListener("pointermove", (event) => {
    const [x, y] = place(event), was = fingers.get(event.pointerId);
    if (!was) return showTip(data, pane, x, y);
    if (fingers.size === 2) pinch(data, pane, fingers, event.pointerId, [x, y]);
    else if ((travelled += Math.hypot(x - was[0], y - was[1])) > 3) {
      pane.map.classList.add("dragging");
      moveView(data, x - was[0], y - was[1]);
    }
    fingers.set(event.pointerId, [x, y]);
  });
  const lift = (event) => {
    if (fingers.delete(event.pointerId) && event.type === "pointerup" && travelled <= 3) pickAt(data, pane, ...place(event));
    pane.map.classList.remove("dragging");
  };
  pane.map.addEventListener("pointerup", lift);
  pane.map.addEventListener("pointercancel", lift);
  pane.map.addEventListener("pointerleave", () => showTip(data, pane, -99, -99));
  pane.map.addEventListener("wheel", (event) => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    zoomView(data, Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0015)), ...place(event), pane);
  }, { passive: false });
}

function pinch(data, pane, fingers, id, [x, y]) {
  const [otherX, otherY] = [...fingers].find(([other]) => other !== id)[1], [wasX, wasY] = fingers.get(id);
  const before = Math.hypot(wasX - otherX, wasY - otherY), after = Math.hypot(x - otherX, y - otherY);
  if (before > 0) zoomView(data, after / before, (x + otherX) / 2, (y + otherY) / 2, pane);
  moveView(data, (x - wasX) / 2, (y - wasY) / 2);
}

function hitAt(pane, x, y) {
  let best = null, least = bodyRadius() + 7;
  for (const hit of pane.hits) {
    const away = Math.hypot(hit.x - x, hit.y - y);
    if (away < least) [best, least] = [hit, away];
  }
  return best;
}

function pickAt(data, pane, x, y) {
  const hit = hitAt(pane, x, y);
  const o = hit ? data.observers.findIndex((observer) => observer.entity === hit.e) : -1;
  if (o >= 0) chooseObserver(o);
}

function showTip(data, pane, x, y) {
  const hit = hitAt(pane, x, y), tip = document.getElementById("map-tip");
  pane.map.classList.toggle("over", hit != null);
  tip.hidden = !hit;
  if (!hit) return;
  const f = page.frame, o = page.observer, entity = data.entities[hit.e];
  const verdict = verdictOf(data, f, o, hit.e);
  const lines = [`${entity.class} ${entity.name} · ${entity.team ?? "no team"}${isAlive(data, f, hit.e) ? "" : " · dead"}`];
  if (hit.e !== data.observers[o].entity) lines.push(`${verdict.name} for ${observerName(data, o)}`);
  tip.replaceChildren(...lines.map((line) => make("div", {}, line)));
  const box = pane.map.getBoundingClientRect();
  tip.style.transform = `translate(${Math.round(box.left + hit.x + 14)}px, ${Math.round(box.top + hit.y + 14)}px)`;
}

function drawStage(data) {
  settleMoment(data, page.frame, page.part, page.observer);
  for (const pane of panes) {
    if (ground.isStale) drawGround(data, pane);
    const ctx = pane.bodies;
    ctx.setTransform(pane.ratio, 0, 0, pane.ratio, 0, 0);
    ctx.clearRect(0, 0, pane.width, pane.height);
    (pane.id === "truth" ? drawTruth : drawClient)(ctx, pane, data, page.frame, page.observer);
  }
  ground.isStale = false;
}
