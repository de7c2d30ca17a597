// Time: the moment shown, play, and the slider with its marks.

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const BEFORE_FINDING_S = 0.5;
const LANES = { marks: 4, exposed: 17, strip: 30, stripHeight: 22, axis: 55, height: 70 };

function setClock(data, clock) {
  page.clock = Math.min(data.end, Math.max(0, clock));
  let f = page.frame;
  if (!(data.clock[f] <= page.clock && (f + 1 >= data.F || page.clock < data.clock[f + 1]))) f = lastAtMost(data.clock, page.clock);
  page.frame = f;
  const next = f + 1;
  page.part = next < data.F && !data.cut[next] ? (page.clock - data.clock[f]) / (data.clock[next] - data.clock[f]) : 0;
  wake();
}

function setFrame(data, f) {
  page.frame = Math.min(data.F - 1, Math.max(0, f));
  setClock(data, data.clock[page.frame]);
}

function stepFrame(data, by) {
  pause();
  setFrame(data, page.frame + (by < 0 && page.part > 0 ? by + 1 : by));
}
const stepSeconds = (data, by) => setClock(data, page.clock + by);

function play() {
  const { data } = page;
  if (page.clock >= data.end) setClock(data, 0);
  page.isPlaying = true;
  page.last = 0;
  showPlay();
  wake();
}

function pause() {
  page.isPlaying = false;
  showPlay();
  wake();
}

function showPlay() {
  const button = document.getElementById("play");
  button.setAttribute("aria-label", page.isPlaying ? "Pause" : "Play");
  document.getElementById("play-shape").setAttribute("d", page.isPlaying ? "M4 3h3v10H4zM9 3h3v10H9z" : "M4 2.5 13 8l-9 5.5z");
}

function setSpeed(speed) {
  page.speed = speed;
  document.getElementById("speed").value = String(speed);
}

// A tab that slept must not leap: a step of play is at most a quarter of a second of real time.
function advance(data, now) {
  if (page.last) {
    const passed = Math.min(0.25, (now - page.last) / 1000);
    setClock(data, page.clock + passed * page.speed);
    if (page.clock >= data.end) pause();
  }
  page.last = now;
}

const line = { width: 0, ctx: null, counts: null };

function openLine(data) {
  const node = document.getElementById("line");
  line.ctx = node.querySelector("canvas").getContext("2d");
  document.getElementById("end").textContent = `of ${timeText(data.end)}`;
  node.setAttribute("aria-valuemax", data.end.toFixed(2));
  document.getElementById("speed").append(...SPEEDS.map((s) => make("option", { value: s }, `${s}×`)));
  setSpeed(1);
  new ResizeObserver(() => drawLine(data)).observe(node);
  const clockAt = (event) => {
    const box = node.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * data.end;
  };
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    node.setPointerCapture(event.pointerId);
    setClock(data, clockAt(event));
  });
  node.addEventListener("pointermove", (event) => {
    const clock = clockAt(event), tip = document.getElementById("line-tip");
    if (node.hasPointerCapture(event.pointerId)) setClock(data, clock);
    tip.hidden = false;
    tip.textContent = timeText(clock);
    tip.style.left = `${Math.min(line.width - 24, Math.max(24, clock / data.end * line.width))}px`;
  });
  node.addEventListener("pointerleave", () => { document.getElementById("line-tip").hidden = true; });
}

// The marks of the findings shown, seams at cuts, and how many enemies were in sight and known; not drawn while playing.
function drawLine(data) {
  const node = document.getElementById("line"), ratio = Math.min(2, window.devicePixelRatio || 1), ctx = line.ctx;
  line.width = node.clientWidth;
  ctx.canvas.width = Math.round(line.width * ratio);
  ctx.canvas.height = Math.round(LANES.height * ratio);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  const scale = line.width / (data.end || 1);
  drawStrip(ctx, data, scale);
  drawSeams(ctx, data, scale);
  for (const kind of Object.keys(KINDS).reverse()) {
    const y = kind === "exposed" ? LANES.exposed : LANES.marks;
    ctx.fillStyle = colours[KINDS[kind].colour];
    for (const finding of page.shown) {
      if (finding.kind !== kind) continue;
      const from = data.clock[finding.frame], to = data.clock[Math.min(data.F - 1, finding.frame + Math.max(0, finding.frames))];
      ctx.fillRect(from * scale - (kind === "exposed" ? 0 : 1), y, Math.max(kind === "exposed" ? 1.5 : 2.5, (to - from) * scale), 10);
    }
  }
  drawLineAxis(ctx, data, scale);
  placeHead(data);
}

function drawStrip(ctx, data, scale) {
  const { inSight, held, of } = line.counts;
  const top = LANES.strip, height = LANES.stripHeight, unit = height / Math.max(1, of);
  ctx.fillStyle = colours.line;
  ctx.globalAlpha = 0.45;
  ctx.fillRect(0, top, line.width, height);
  ctx.globalAlpha = 1;
  for (const [counts, colour] of [[held, colours.held], [inSight, colours.ink]]) {
    ctx.fillStyle = colour;
    ctx.globalAlpha = counts === held ? 0.55 : 0.85;
    let from = 0;
    for (let f = 1; f <= data.F; f++) {
      if (f < data.F && counts[f] === counts[from]) continue;
      const x = data.clock[from] * scale, end = (f < data.F ? data.clock[f] : data.end) * scale;
      if (counts[from]) ctx.fillRect(x, top + height - counts[from] * unit, Math.max(0.75, end - x), counts[from] * unit);
      from = f;
    }
  }
  ctx.globalAlpha = 1;
}

function drawSeams(ctx, data, scale) {
  ctx.fillStyle = colours.quiet;
  ctx.globalAlpha = 0.55;
  for (let f = 1; f < data.F; f++) if (data.cut[f]) ctx.fillRect(Math.round(data.clock[f] * scale), 0, 1, LANES.axis);
  ctx.globalAlpha = 1;
}

function drawLineAxis(ctx, data, scale) {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200], step = steps.find((s) => s * scale >= 70) ?? 3600;
  ctx.font = "11px system-ui, sans-serif";
  ctx.textBaseline = "top";
  ctx.fillStyle = colours.quiet;
  for (let s = 0; s <= data.end; s += step) {
    const x = s * scale;
    ctx.textAlign = x < 14 ? "left" : x > line.width - 14 ? "right" : "center";
    ctx.fillRect(Math.min(line.width - 1, Math.round(x)), LANES.axis - 2, 1, 4);
    ctx.fillText(timeText(s, 0), x, LANES.axis + 4);
  }
}

function placeHead(data) {
  document.getElementById("head").style.transform = `translateX(${(page.clock / (data.end || 1) * line.width).toFixed(2)}px)`;
}

function showTime(data) {
  document.getElementById("now").textContent = timeText(page.clock);
  document.getElementById("tick").textContent = `tick ${countText(data.tick[page.frame])}`;
}

function tellTime(data) {
  const node = document.getElementById("line");
  node.setAttribute("aria-valuenow", page.clock.toFixed(2));
  node.setAttribute("aria-valuetext", `${timeText(page.clock)} of ${timeText(data.end)}`);
}
