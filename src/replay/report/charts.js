// The charts, as inline SVG: bytes over time with a cursor, and the two histograms.

const PLOT = { left: 52, right: 14, top: 22, bottom: 34 };
const NS = "http://www.w3.org/2000/svg";
// The cursor and its reading lie over the drawing, so that moving them draws nothing anew.
const charts = { cursor: null, reading: null, toX: null, bytes: null };

function shape(tag, attributes, text) {
  const node = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

// Round steps of 1, 2, 2.5 or 5 that give about `about` of them.
function stepFor(span, about) {
  const raw = span / Math.max(1, about), power = 10 ** Math.floor(Math.log10(raw || 1));
  return [1, 2, 2.5, 5, 10].map((m) => m * power).find((step) => step >= raw * 0.999);
}

function bytesText(bytes) {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  return bytes < 1e6 ? `${+(bytes / 1000).toFixed(1)} kB` : `${+(bytes / 1e6).toFixed(1)} MB`;
}

function openCharts(data) {
  const { bytes, lead, packets } = data.charts;
  if (bytes) {
    const read = (name) => column(`charts.bytes.${name}`, bytes[name], Float32Array);
    const seconds = read("seconds"), mean = read("mean"), max = read("max");
    charts.bytes = Array.from(seconds, (second, i) => ({ clock: clockOfSecond(data, second), mean: mean[i], max: max[i] }))
      .filter((point) => !Number.isNaN(point.clock));
  }
  const draw = (id, ready, into) => {
    const node = document.getElementById(id);
    if (!ready) return node.replaceChildren(make("p", { class: "quiet empty" }, "No figures."));
    new ResizeObserver(() => into(node)).observe(node);
    return into(node);
  };
  draw("bytes-chart", charts.bytes?.length, (node) => drawBytes(data, node));
  draw("lead-chart", lead, (node) => drawHistogram(node, {
    edges: lead.edges_ms, counts: lead.counts, unit: "ms", of: "transitions", mark: lead.asked_ms, markText: `asked: ${lead.asked_ms} ms`, text: (v) => String(v),
  }));
  draw("packets-chart", packets, (node) => drawHistogram(node, {
    edges: packets.edges_bytes, counts: packets.counts, unit: "bytes", of: "packets", text: (v) => countText(v),
  }));
}

function plotOf(node, name) {
  const width = Math.max(220, node.clientWidth), height = Math.max(120, node.clientHeight);
  const svg = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
  node.replaceChildren(svg);
  return { svg, width, height, right: width - PLOT.right, floor: height - PLOT.bottom };
}

function drawRises(plot, top, text) {
  const step = Math.max(1, stepFor(top, Math.max(2, Math.floor((plot.floor - PLOT.top) / 26))));
  const toY = (value) => plot.floor - value / top * (plot.floor - PLOT.top);
  for (let value = 0; value <= top * 1.0001; value += step) {
    const y = Math.round(toY(value)) + 0.5;
    plot.svg.append(shape("line", { class: value ? "grid" : "axis", x1: PLOT.left, x2: plot.right, y1: y, y2: y }),
      shape("text", { class: "tick", x: PLOT.left - 7, y: y + 3.5, "text-anchor": "end" }, text(value)));
  }
  return toY;
}

function drawBytes(data, node) {
  const points = charts.bytes, plot = plotOf(node, "Bytes sent per second to a client, over the match: mean and greatest");
  const top = points.reduce((most, point) => Math.max(most, point.max), 1) * 1.06, toY = drawRises(plot, top, bytesText);
  const toX = (clock) => PLOT.left + clock / (data.end || 1) * (plot.right - PLOT.left);
  const step = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600].find((s) => toX(s) - toX(0) >= 60) ?? 1800;
  for (let s = 0; s <= data.end; s += step) plot.svg.append(shape("text", { class: "tick", x: toX(s), y: plot.floor + 15, "text-anchor": "middle" }, timeText(s, 0)));
  const path = (key) => points.map((point, i) => `${i ? "L" : "M"}${toX(point.clock).toFixed(1)} ${toY(point[key]).toFixed(1)}`).join("");
  plot.svg.append(shape("path", { class: "series most", d: path("max") }), shape("path", { class: "series mean", d: path("mean") }));
  plot.svg.append(shape("path", { class: "series most", d: `M${PLOT.left} 9h16` }), shape("text", { class: "tick", x: PLOT.left + 21, y: 13 }, "greatest"),
    shape("path", { class: "series mean", d: `M${PLOT.left + 78} 9h16` }), shape("text", { class: "tick", x: PLOT.left + 99, y: 13 }, "mean"));
  charts.toX = toX;
  plot.svg.addEventListener("click", (event) => {
    const x = event.clientX - plot.svg.getBoundingClientRect().left;
    setClock(data, (x - PLOT.left) / (plot.right - PLOT.left) * data.end);
  });
  charts.clocks = points.map((point) => point.clock);
  charts.cursor = make("div", { class: "cursor", style: `top: ${PLOT.top - 4}px; height: ${plot.floor - PLOT.top + 4}px` });
  charts.reading = make("div", { class: "reading" });
  node.append(charts.cursor, charts.reading);
  moveCursor();
}

function moveCursor() {
  if (!charts.cursor) return;
  charts.cursor.style.transform = `translateX(${charts.toX(page.clock).toFixed(1)}px)`;
  const point = charts.bytes[lastAtMost(charts.clocks, page.clock)];
  setText(charts.reading, `now ${bytesText(point.mean)} mean, ${bytesText(point.max)} greatest`);
}

// Edges are one more than counts, or as many: then the last bin is open.
function drawHistogram(node, { edges, counts, unit, of, mark, markText, text }) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const plot = plotOf(node, `${countText(total)} ${of} by ${unit}`);
  const widest = edges.length > 1 ? edges[edges.length - 1] - edges[edges.length - 2] : 1;
  const ends = edges.length > counts.length ? edges : [...edges, edges[edges.length - 1] + widest];
  const low = ends[0], high = Math.max(ends[ends.length - 1], mark ?? -Infinity);
  const top = Math.max(1, ...counts) * 1.08, toY = drawRises(plot, top, countText);
  const toX = (value) => PLOT.left + (value - low) / (high - low || 1) * (plot.right - PLOT.left);
  counts.forEach((count, i) => {
    const x = toX(ends[i]), width = Math.max(1, toX(ends[i + 1]) - x - 1);
    const bar = shape("rect", { class: "bar", x: x + 0.5, width, y: toY(count), height: Math.max(0, plot.floor - toY(count)) });
    const open = edges.length === counts.length && i === counts.length - 1;
    bar.append(shape("title", {}, `${text(ends[i])}${open ? " and more" : ` to ${text(ends[i + 1])}`} ${unit}: ${countText(count)} ${of}`));
    plot.svg.append(bar);
  });
  const step = stepFor(high - low, Math.floor((plot.right - PLOT.left) / 70));
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
    plot.svg.append(shape("text", { class: "tick", x: toX(value), y: plot.floor + 15, "text-anchor": "middle" }, text(+value.toFixed(6))));
  }
  plot.svg.append(shape("text", { class: "tick", x: plot.right, y: plot.floor + 30, "text-anchor": "end" }, unit),
    shape("text", { class: "tick", x: PLOT.left, y: 12 }, `${countText(total)} ${of}`));
  if (mark == null) return;
  const x = toX(mark), isLeft = x > plot.right - 110;
  plot.svg.append(shape("line", { class: "asked", x1: x, x2: x, y1: PLOT.top - 4, y2: plot.floor }),
    shape("text", { class: "tick strong", x: x + (isLeft ? -6 : 6), y: PLOT.top + 6, "text-anchor": isLeft ? "end" : "start" }, markText));
}
