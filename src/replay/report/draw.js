// Draws one pane: the truth, or what the chosen client knew. Knows nothing of input and of the page around it.

let colours = {};

// The colours live in the style sheet alone; a probe resolves them for the canvas.
function readColours() {
  const names = ["paper", "ink", "quiet", "late", "outside", "beyond", "loss", "exposed", "smoke", "sound", "accent", "surface",
    "line", "held", "heat-0", "heat-1", "heat-2", "team-0", "team-1", "team-2", "team-3", "on-team", "nobody"];
  const probe = document.body.appendChild(document.createElement("i"));
  colours = Object.fromEntries(names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  }));
  probe.remove();
  colours.isDark = getComputedStyle(document.body).getPropertyValue("--is-dark").trim() === "1"
    || document.documentElement.dataset.dark === "1";
}

function teamColour(data, team) {
  const index = data.teams.indexOf(team);
  return index < 0 ? colours.nobody : colours[`team-${index % 4}`];
}

const atX = (pane, x) => (x - page.view.x) * page.view.scale + pane.width / 2;
const atY = (pane, y) => pane.height / 2 - (y - page.view.y) * page.view.scale;
const bodyRadius = () => Math.min(15, Math.max(7.5, 0.75 * page.view.scale));

// Where everything is at the moment shown: between frame f and the next one, never across a cut.
const moment = { x: new Float64Array(0), y: null, yaw: null, heldX: null, heldY: null };

function settleMoment(data, f, part, o) {
  const { E } = data;
  if (moment.x.length !== E) for (const key of Object.keys(moment)) moment[key] = new Float64Array(E);
  const on = part > 0 && f + 1 < data.F && !data.cut[f + 1];
  for (let e = 0; e < E; e++) {
    const i = f * E + e, j = i + E;
    const moves = on && isThere(data, f + 1, e);
    const mix = (a, b) => moves ? a + (b - a) * part : a;
    moment.x[e] = mix(data.pos[i * 3], data.pos[j * 3]);
    moment.y[e] = mix(data.pos[i * 3 + 1], data.pos[j * 3 + 1]);
    const turn = moves ? ((((data.yaw[j] - data.yaw[i]) % 3600) + 5400) % 3600) - 1800 : 0;
    moment.yaw[e] = (data.yaw[i] + turn * part) * Math.PI / 1800;
    const a = pairAt(data, f, o, e), b = a + data.O * E;
    const goesOn = moves && (data.mark[b] & HELD) && data.verdict[a] === data.verdict[b];
    const shift = (k) => (goesOn ? data.shift[a * 2 + k] + (data.shift[b * 2 + k] - data.shift[a * 2 + k]) * part : data.shift[a * 2 + k]) / 100;
    moment.heldX[e] = moment.x[e] + shift(0);
    moment.heldY[e] = moment.y[e] + shift(1);
  }
}

function drawTruth(ctx, pane, data, f, o) {
  const observer = data.observers[o], own = observer.entity;
  drawSmokes(ctx, pane, data, f);
  if (own != null && isThere(data, f, own)) drawSightLines(ctx, pane, data, f, o, own);
  pane.hits.length = 0;
  for (const e of drawingOrder(data, own)) {
    if (!isThere(data, f, e)) continue;
    const x = atX(pane, moment.x[e]), y = atY(pane, moment.y[e]), mark = markOf(data, f, o, e);
    if (outside(pane, x, y)) continue;
    drawBody(ctx, data, f, e, x, y, { observer: e === own });
    if (!isOwn(data, f, o, e)) drawMarks(ctx, x, y, mark);
    if (isPicked(e)) drawBrackets(ctx, x, y);
    pane.hits.push({ x, y, e });
  }
}

function drawClient(ctx, pane, data, f, o) {
  const own = data.observers[o].entity;
  drawSmokes(ctx, pane, data, f);
  drawSounds(ctx, pane, data, o);
  pane.hits.length = 0;
  for (const e of drawingOrder(data, own)) {
    if (!isThere(data, f, e)) continue;
    const x = atX(pane, moment.heldX[e]), y = atY(pane, moment.heldY[e]);
    const trueX = atX(pane, moment.x[e]), trueY = atY(pane, moment.y[e]);
    if (isOwn(data, f, o, e)) {
      drawBody(ctx, data, f, e, x, y, { observer: e === own });
      pane.hits.push({ x, y, e });
      continue;
    }
    const mark = markOf(data, f, o, e), verdict = verdictOf(data, f, o, e);
    const shown = drawEnemy(ctx, pane, data, f, e, verdict, mark, x, y);
    if (!shown && page.ghosts) drawGhost(ctx, data, f, e, trueX, trueY, verdict.short);
    if (mark & LATE) drawMarks(ctx, trueX, trueY, mark);
    else if (shown && verdict.level === "seen") drawMarks(ctx, x, y, mark);
    if (isPicked(e)) drawBrackets(ctx, shown ? x : trueX, shown ? y : trueY);
    if (shown || page.ghosts || mark & LATE) pane.hits.push({ x: shown ? x : trueX, y: shown ? y : trueY, e });
  }
}

// Draws an enemy as its level lets the client hold it; answers whether there was anything to draw.
function drawEnemy(ctx, pane, data, f, e, verdict, mark, x, y) {
  const colour = teamColour(data, data.entities[e].team);
  if (verdict.level === "seen" && mark & HELD) drawBody(ctx, data, f, e, x, y, {});
  else if (verdict.level === "spotted") drawSpotted(ctx, data, e, x, y, colour);
  else if (verdict.level === "heard" && mark & HELD) drawHeard(ctx, data, e, x, y, colour);
  else if (mark & HELD) drawBody(ctx, data, f, e, x, y, { faint: true });
  else return false;
  return true;
}

const order = [];
function drawingOrder(data, own) {
  order.length = 0;
  for (let e = 0; e < data.E; e++) if (data.entities[e].class !== "player") order.push(e);
  for (let e = 0; e < data.E; e++) if (data.entities[e].class === "player" && e !== own) order.push(e);
  if (own != null) order.push(own);
  return order;
}

const outside = (pane, x, y) => x < -40 || y < -40 || x > pane.width + 40 || y > pane.height + 40;
const isPicked = (e) => page.finding && page.finding.entity === e && page.finding.observer === page.observer;

function drawSightLines(ctx, pane, data, f, o, own) {
  const x = atX(pane, moment.x[own]), y = atY(pane, moment.y[own]);
  for (let e = 0; e < data.E; e++) {
    const mark = markOf(data, f, o, e);
    if (!(mark & (IN_SIGHT | LATE)) || !isThere(data, f, e) || isOwn(data, f, o, e)) continue;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(atX(pane, moment.x[e]), atY(pane, moment.y[e]));
    ctx.strokeStyle = mark & LATE ? colours.late : colours.ink;
    ctx.globalAlpha = mark & LATE ? 1 : 0.7;
    ctx.lineWidth = mark & LATE ? 2.5 : 1.25;
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
}

function drawBody(ctx, data, f, e, x, y, how) {
  const entity = data.entities[e], flags = data.flags[f * data.E + e], colour = teamColour(data, entity.team);
  if (entity.class !== "player") return drawThing(ctx, x, y, colour);
  if (!(flags & ALIVE)) return drawCross(ctx, x, y, colour);
  const r = bodyRadius() * (flags & CROUCHED ? 0.84 : 1);
  ctx.globalAlpha = how.faint ? 0.45 : 1;
  drawView(ctx, x, y, r, moment.yaw[e], colour, how.observer ? 15 : 8);
  disc(ctx, x, y, r);
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = colours.paper;
  ctx.stroke();
  if (how.observer) {
    disc(ctx, x, y, r + 3.5);
    ctx.lineWidth = 2;
    ctx.strokeStyle = colours.ink;
    ctx.stroke();
  }
  if (entity.name.length <= 2) label(ctx, entity.name, x, y, colours["on-team"], r * 1.25, true);
  else label(ctx, shortName(entity.name), x, y + r + 9, colours.ink, 10, false);
  ctx.globalAlpha = 1;
}

function drawView(ctx, x, y, r, yaw, colour, length) {
  const dx = Math.cos(yaw), dy = -Math.sin(yaw);
  ctx.beginPath();
  ctx.moveTo(x + dx * r, y + dy * r);
  ctx.lineTo(x + dx * (r + length), y + dy * (r + length));
  ctx.lineCap = "round";
  ctx.lineWidth = 5;
  ctx.strokeStyle = colours.paper;
  ctx.stroke();
  ctx.lineWidth = 2.5;
  ctx.strokeStyle = colour;
  ctx.stroke();
  ctx.lineCap = "butt";
}

function drawCross(ctx, x, y, colour) {
  const r = bodyRadius() * 0.62;
  ctx.beginPath();
  ctx.moveTo(x - r, y - r); ctx.lineTo(x + r, y + r);
  ctx.moveTo(x + r, y - r); ctx.lineTo(x - r, y + r);
  ctx.lineWidth = 4.5; ctx.strokeStyle = colours.paper; ctx.stroke();
  ctx.lineWidth = 2; ctx.strokeStyle = colour; ctx.stroke();
}

function drawThing(ctx, x, y, colour) {
  const r = bodyRadius() * 0.55;
  ctx.beginPath();
  ctx.moveTo(x, y - r); ctx.lineTo(x + r, y); ctx.lineTo(x, y + r); ctx.lineTo(x - r, y);
  ctx.closePath();
  ctx.fillStyle = colour; ctx.fill();
  ctx.lineWidth = 1.25; ctx.strokeStyle = colours.paper; ctx.stroke();
}

function drawSpotted(ctx, data, e, x, y, colour) {
  const side = Math.max(10, data.spotted_step_m * page.view.scale);
  ctx.fillStyle = colour;
  ctx.globalAlpha = 0.22;
  ctx.fillRect(x - side / 2, y - side / 2, side, side);
  ctx.globalAlpha = 1;
  ctx.lineWidth = 2;
  ctx.strokeStyle = colour;
  ctx.strokeRect(x - side / 2, y - side / 2, side, side);
  label(ctx, shortName(entityName(data, e)), x, y, colours.ink, 10, false);
}

function drawHeard(ctx, data, e, x, y, colour) {
  ctx.setLineDash([2, 3]);
  disc(ctx, x, y, bodyRadius() + 2);
  ctx.lineWidth = 2;
  ctx.strokeStyle = colour;
  ctx.stroke();
  ctx.setLineDash([]);
  label(ctx, shortName(entityName(data, e)), x, y, colours.ink, 10, false);
}

function drawGhost(ctx, data, f, e, x, y, reason) {
  const colour = teamColour(data, data.entities[e].team), r = bodyRadius();
  ctx.globalAlpha = 0.8;
  if (!isAlive(data, f, e)) drawCross(ctx, x, y, colour);
  else {
    disc(ctx, x, y, r);
    ctx.fillStyle = colours.paper;
    ctx.globalAlpha = 0.55;
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.setLineDash([3, 3]);
    ctx.lineWidth = 1.5;
    ctx.strokeStyle = colour;
    ctx.stroke();
    ctx.setLineDash([]);
    if (entityName(data, e).length <= 2) label(ctx, entityName(data, e), x, y, colours.quiet, r * 1.15, true);
  }
  ctx.globalAlpha = 1;
  const name = entityName(data, e);
  label(ctx, name.length <= 2 ? reason : `${shortName(name)}: ${reason}`, x, y + r + 9, colours.quiet, 10.5, false);
}

function drawMarks(ctx, x, y, mark) {
  const r = bodyRadius();
  if (mark & LATE) {
    ring(ctx, x, y, r + 5, 3.5, colours.late);
    label(ctx, "late", x, y - r - 15, colours.late, 12, false, 700);
  } else if (mark & EXPOSED) {
    ring(ctx, x, y, r + 4, 2.25, colours.exposed);
    if (mark & DEEP) ring(ctx, x, y, r + 8, 2.25, colours.exposed);
  }
}

function ring(ctx, x, y, r, width, colour) {
  disc(ctx, x, y, r);
  ctx.lineWidth = width + 2;
  ctx.strokeStyle = colours.paper;
  ctx.stroke();
  ctx.lineWidth = width;
  ctx.strokeStyle = colour;
  ctx.stroke();
}

function drawBrackets(ctx, x, y) {
  const a = bodyRadius() + 13, b = 6;
  ctx.beginPath();
  for (const [sx, sy] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
    ctx.moveTo(x + sx * a, y + sy * (a - b));
    ctx.lineTo(x + sx * a, y + sy * a);
    ctx.lineTo(x + sx * (a - b), y + sy * a);
  }
  ctx.lineWidth = 2;
  ctx.strokeStyle = colours.accent;
  ctx.stroke();
}

function drawSmokes(ctx, pane, data, f) {
  for (const smoke of data.smokes) {
    if (f < smoke.from || f > smoke.to) continue;
    disc(ctx, atX(pane, smoke.at[0]), atY(pane, smoke.at[1]), smoke.radius * page.view.scale);
    ctx.fillStyle = colours.smoke;
    ctx.globalAlpha = 0.42;
    ctx.fill();
    ctx.globalAlpha = 0.9;
    ctx.lineWidth = 1;
    ctx.strokeStyle = colours.smoke;
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
}

// A sound is shown for a second: the square of its place's step, and a ring that leaves it.
const SOUND_SHOWN_S = 1;
function drawSounds(ctx, pane, data, o) {
  const list = data.soundsOf[o];
  let i = firstSoundFrom(data, list, page.clock - SOUND_SHOWN_S);
  for (; i < list.length && data.clock[list[i].frame] <= page.clock; i++) {
    const sound = list[i], age = (page.clock - data.clock[sound.frame]) / SOUND_SHOWN_S;
    const x = atX(pane, sound.at[0]), y = atY(pane, sound.at[1]);
    const step = Math.max(6, sound.step_m * page.view.scale), wave = page.isCalm ? 0.5 : age;
    if (outside(pane, x, y)) continue;
    ctx.strokeStyle = colours.sound;
    ctx.globalAlpha = 0.9 * (1 - age);
    ctx.lineWidth = 1;
    ctx.strokeRect(x - step / 2, y - step / 2, step, step);
    ctx.lineWidth = 2;
    for (const part of [0.35, 0.7]) {
      disc(ctx, x, y, step * (part + wave * 0.5));
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    if (age < 0.7 && page.view.scale > 9) label(ctx, sound.class, x, y, colours.ink, 10, false);
  }
}

function firstSoundFrom(data, list, clock) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (data.clock[list[middle].frame] < clock) low = middle + 1; else high = middle;
  }
  return low;
}

const shortName = (name) => name.length > 14 ? `${name.slice(0, 13)}…` : name;

function disc(ctx, x, y, r) {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
}

function label(ctx, text, x, y, colour, size, isInside, weight = 600) {
  ctx.font = `${weight} ${size}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  if (!isInside) {
    ctx.lineWidth = 3;
    ctx.lineJoin = "round";
    ctx.strokeStyle = colours.paper;
    ctx.strokeText(text, x, y);
  }
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y + (isInside ? 0.5 : 0));
}
