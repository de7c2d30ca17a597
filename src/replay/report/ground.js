// The ground of both panes: the picture of the map and the heat over it, drawn anew only when the view changes.
// The picture is kept as pixels for moving, and drawn from its shapes once the view rests.

const SHEET_PX = 2048, REST_MS = 160;
const ground = { image: null, sheet: null, sheetScale: 1, heat: null, heatTop: 0, detail: null, rest: 0 };

async function loadMap(data) {
  const { low, high, svg } = data.map;
  const widthM = high[0] - low[0], heightM = high[1] - low[1];
  ground.sheetScale = SHEET_PX / Math.max(widthM, heightM);
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (root.nodeName.toLowerCase() !== "svg") throw new Error("the picture of the map is not an SVG");
  if (!root.getAttribute("viewBox")) {
    root.setAttribute("viewBox", `0 0 ${parseFloat(root.getAttribute("width"))} ${parseFloat(root.getAttribute("height"))}`);
  }
  root.setAttribute("width", Math.round(widthM * ground.sheetScale));
  root.setAttribute("height", Math.round(heightM * ground.sheetScale));
  root.setAttribute("preserveAspectRatio", "none");
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`;
  await image.decode();
  ground.image = image;
}

function drawSheet(data) {
  const { low, high } = data.map, scale = ground.sheetScale;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round((high[0] - low[0]) * scale));
  canvas.height = Math.max(1, Math.round((high[1] - low[1]) * scale));
  const ctx = canvas.getContext("2d", { willReadFrequently: true });
  ctx.drawImage(ground.image, 0, 0, canvas.width, canvas.height);
  tone(ctx, canvas.width, canvas.height);
  ground.sheet = canvas;
  ground.detail = null;
  ground.heat = data.heat ? heatCanvas(data.heat) : null;
}

// The picture is made for paper. In the dark its lightness is turned round and pressed together; in the light it is
// made a little paler, so that bodies stand out.
function tone(ctx, width, height) {
  const pixels = ctx.getImageData(0, 0, width, height), p = pixels.data, isDark = colours.isDark;
  for (let i = 0; i < p.length; i += 4) {
    const r = p[i], g = p[i + 1], b = p[i + 2], l = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    const to = isDark ? 24 + 105 * Math.max(0, (250 - l) / 255) ** 0.6 : 52 + l * 0.796, chroma = isDark ? 0.3 : 0.75;
    p[i] = to + (r - l) * chroma - (isDark ? 2 : 0);
    p[i + 1] = to + (g - l) * chroma + (isDark ? 1 : 0);
    p[i + 2] = to + (b - l) * chroma + (isDark ? 8 : 0);
  }
  ctx.putImageData(pixels, 0, 0);
}

const HEAT_STEPS = 64;
function heatRamp() {
  const stops = ["heat-0", "heat-1", "heat-2"].map((name) => colours[name].match(/[\d.]+/g).slice(0, 3).map(Number));
  return Array.from({ length: HEAT_STEPS }, (_, i) => {
    const t = i / (HEAT_STEPS - 1) * 2, from = stops[Math.min(1, Math.floor(t))], to = stops[Math.min(1, Math.floor(t)) + 1];
    const part = t - Math.min(1, Math.floor(t));
    return from.map((c, k) => Math.round(c + (to[k] - c) * part));
  });
}

// One pixel a cell, on a logarithmic ramp: a few places hold most of the exposure.
function heatCanvas(heat) {
  const canvas = document.createElement("canvas");
  canvas.width = heat.width;
  canvas.height = heat.height;
  const ctx = canvas.getContext("2d"), pixels = ctx.createImageData(heat.width, heat.height), ramp = heatRamp();
  ground.heatTop = heat.values.reduce((top, value) => value > top ? value : top, 0);
  const top = Math.log1p(ground.heatTop) || 1;
  for (let row = 0; row < heat.height; row++) {
    for (let x = 0; x < heat.width; x++) {
      const value = heat.values[row * heat.width + x];
      if (!(value > 0)) continue;
      const step = Math.min(HEAT_STEPS - 1, Math.floor(Math.log1p(value) / top * HEAT_STEPS));
      const at = ((heat.height - 1 - row) * heat.width + x) * 4;
      pixels.data.set(ramp[step], at);
      pixels.data[at + 3] = 150 + step * 1.6;
    }
  }
  ctx.putImageData(pixels, 0, 0);
  return canvas;
}

function drawHeatKey(data) {
  const key = document.getElementById("heat-key");
  key.hidden = !page.heat || !ground.heat;
  if (key.hidden) return;
  const ramp = heatRamp(), top = ground.heatTop;
  const stops = ramp.filter((_, i) => i % 9 === 0).map((c) => `rgb(${c})`).join(",");
  const middle = Math.expm1(Math.log1p(top) / 2);
  key.replaceChildren(
    make("div", { class: "title" }, `${sentence(data.heat.unit)}, cells of ${data.heat.cell_m} m`),
    make("div", { class: "ramp", style: `background: linear-gradient(to right, ${stops})` }),
    make("div", { class: "ends" }, make("span", {}, "1"), make("span", {}, countText(middle)), make("span", {}, countText(top))));
}

function drawGround(data, pane) {
  const ctx = pane.ground, { low, high } = data.map, scale = page.view.scale;
  ctx.setTransform(pane.ratio, 0, 0, pane.ratio, 0, 0);
  ctx.clearRect(0, 0, pane.width, pane.height);
  const x = atX(pane, low[0]), y = atY(pane, high[1]);
  const width = (high[0] - low[0]) * scale, height = (high[1] - low[1]) * scale;
  const detail = ground.detail;
  const fits = detail && detail.scale === scale && detail.x === x && detail.y === y
    && detail.canvas.width === pane.ground.canvas.width && detail.canvas.height === pane.ground.canvas.height;
  ctx.imageSmoothingQuality = "high";
  if (fits) ctx.drawImage(detail.canvas, 0, 0, pane.width, pane.height);
  else ctx.drawImage(ground.sheet, x, y, width, height);
  if (page.heat && ground.heat) drawHeat(ctx, pane, data.heat, scale);
  drawScale(ctx, pane, scale);
}

function drawHeat(ctx, pane, heat, scale) {
  ctx.imageSmoothingEnabled = false;
  const top = heat.low[1] + heat.height * heat.cell_m;
  ctx.drawImage(ground.heat, atX(pane, heat.low[0]), atY(pane, top), heat.width * heat.cell_m * scale, heat.height * heat.cell_m * scale);
  ctx.imageSmoothingEnabled = true;
}

// A bar of a round number of metres.
function drawScale(ctx, pane, scale) {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200];
  const metres = steps.find((step) => step * scale >= 48) ?? 500, length = metres * scale;
  const x = pane.width - 14 - length, y = pane.height - 14;
  for (const [width, colour] of [[4, colours.paper], [1.5, colours.quiet]]) {
    ctx.beginPath();
    ctx.moveTo(x, y - 4); ctx.lineTo(x, y); ctx.lineTo(x + length, y); ctx.lineTo(x + length, y - 4);
    ctx.lineWidth = width; ctx.strokeStyle = colour; ctx.stroke();
  }
  label(ctx, `${metres} m`, x + length / 2, y - 9, colours.quiet, 11, false, 500);
}

// Draws the picture from its shapes for the view at rest, where the kept pixels are too coarse.
function sharpen(data, pane) {
  if (page.view.scale * pane.ratio <= ground.sheetScale * 1.02) return;
  const canvas = document.createElement("canvas");
  canvas.width = pane.ground.canvas.width;
  canvas.height = pane.ground.canvas.height;
  const ctx = canvas.getContext("2d", { willReadFrequently: true }), { low, high } = data.map, scale = page.view.scale;
  const x = atX(pane, low[0]), y = atY(pane, high[1]);
  ctx.setTransform(pane.ratio, 0, 0, pane.ratio, 0, 0);
  ctx.drawImage(ground.image, x, y, (high[0] - low[0]) * scale, (high[1] - low[1]) * scale);
  tone(ctx, canvas.width, canvas.height);
  ground.detail = { canvas, x, y, scale };
}
