// The data of the report, and what can be asked of it by frame (f), observer (o) and entity (e).
// "clock" is seconds since the first frame with the gaps at cuts taken out: the axis of the slider.

const IN_SIGHT = 1, LATE = 2, EXPOSED = 4, DEEP = 8, HELD = 16;
const ALIVE = 1, CROUCHED = 2;
const WITH_LEVEL_OF_OWN = new Set(["owner", "team"]);

// A kind without findings has no chip unless it `stays`.
const KINDS = {
  late: { name: "Late", colour: "late", about: "In sight, and the client did not know", stays: true },
  outside: { name: "Outside limits", colour: "outside", about: "Late, after a motion that the limits do not allow" },
  beyond: { name: "Beyond lead", colour: "beyond", about: "Late, for the link was slower than the lead" },
  loss: { name: "By loss", colour: "loss", about: "Late, for more packets in a row were lost than the rules survive" },
  exposed: { name: "Exposed", colour: "exposed", about: "Known exactly, and not in sight", stays: true },
};

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// A column is base64 of a little-endian array, or a plain array of numbers.
function column(name, value, Kind, length) {
  const read = typeof value === "string" ? new Kind(bytesOf(value).buffer) : Kind.from(value ?? []);
  if (length !== undefined && read.length !== length) {
    throw new Error(`${name} holds ${read.length} values; ${length} were meant`);
  }
  return read;
}

async function readData() {
  const node = document.getElementById("data");
  const packed = bytesOf(node.textContent.trim());
  node.remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const raw = await new Response(stream).json().catch(() => { throw new Error("its data is damaged or cut off"); });
  return understand(raw);
}

function understand(raw) {
  if (raw.version !== 1) throw new Error(`this page reads version 1 of the data, not ${raw.version}`);
  const frames = raw.frames, F = frames.count, E = raw.entities.length, O = raw.observers.length;
  if (!(F > 0 && O > 0)) throw new Error("there is no frame, or no observer, to show");
  const tick = column("frames.tick", frames.tick, Int32Array, F);
  const cut = column("frames.cut", frames.cut, Uint8Array, F);
  const data = {
    ...raw, F, E, O, tick, cut,
    clock: clockOf(tick, cut, raw.tick_hz),
    pos: column("frames.pos", frames.pos, Float32Array, F * E * 3),
    yaw: column("frames.yaw", frames.yaw, Int16Array, F * E),
    flags: column("frames.flags", frames.flags, Uint8Array, F * E),
    verdict: column("frames.verdict", frames.verdict, Uint8Array, F * O * E),
    mark: column("frames.mark", frames.mark, Uint8Array, F * O * E),
    shift: column("frames.shift", frames.shift, Int16Array, F * O * E * 2),
    smokes: raw.smokes ?? [],
    findings: (raw.findings ?? []).map((finding, index) => ({ ...finding, index })),
    soundsOf: soundsByObserver(raw.sounds ?? [], O),
    summary: raw.summary ?? [],
    charts: raw.charts ?? {},
  };
  for (const { kind } of data.findings) KINDS[kind] ??= { name: sentence(kind), colour: "quiet", about: kind };
  data.findings.sort((a, b) => a.frame - b.frame || a.index - b.index);
  data.end = data.clock[F - 1];
  if (raw.heat) data.heat = { ...raw.heat, values: column("heat.values", raw.heat.values, Float32Array, raw.heat.width * raw.heat.height) };
  delete data.frames;
  return data;
}

function clockOf(tick, cut, hz) {
  const clock = new Float64Array(tick.length);
  for (let f = 1; f < tick.length; f++) {
    clock[f] = clock[f - 1] + (cut[f] ? 1 : Math.max(1, tick[f] - tick[f - 1])) / hz;
  }
  return clock;
}

function soundsByObserver(sounds, O) {
  const lists = Array.from({ length: O }, () => []);
  for (const sound of sounds) lists[sound.observer]?.push(sound);
  for (const list of lists) list.sort((a, b) => a.frame - b.frame);
  return lists;
}

// The last index whose value is at most `value`, or 0.
function lastAtMost(sorted, value) {
  let low = 0, high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle] <= value) low = middle; else high = middle - 1;
  }
  return low;
}

// The clock of a moment of the recording (tick / tick_hz), or NaN where no frame is near: a gap at a cut.
function clockOfSecond(data, second) {
  const tick = second * data.tick_hz;
  const f = lastAtMost(data.tick, tick);
  const past = (tick - data.tick[f]) / data.tick_hz;
  const last = f + 1 >= data.F || data.cut[f + 1];
  if (past < -1 || (last && past > 1)) return NaN;
  return data.clock[f] + Math.max(0, last ? 0 : past);
}

const pairAt = (data, f, o, e) => (f * data.O + o) * data.E + e;
const markOf = (data, f, o, e) => data.mark[pairAt(data, f, o, e)];
const UNKNOWN = { name: "Not named", short: "?", level: "hidden" };
const verdictOf = (data, f, o, e) => data.verdicts[data.verdict[pairAt(data, f, o, e)]] ?? UNKNOWN;
const isThere = (data, f, e) => !Number.isNaN(data.pos[(f * data.E + e) * 3]);
const isAlive = (data, f, e) => (data.flags[f * data.E + e] & ALIVE) !== 0;

// Own team, or what the observer may know without geometry.
function isOwn(data, f, o, e) {
  const observer = data.observers[o];
  return e === observer.entity || (observer.team != null && data.entities[e].team === observer.team)
    || WITH_LEVEL_OF_OWN.has(verdictOf(data, f, o, e).level);
}

// The first frame of the stretch up to f in which the verdict, sight and holding did not change.
function sinceFrame(data, f, o, e) {
  const same = IN_SIGHT | HELD | LATE | EXPOSED;
  const at = pairAt(data, f, o, e), verdict = data.verdict[at], mark = data.mark[at] & same;
  const there = isThere(data, f, e), step = data.O * data.E;
  let g = f;
  for (let i = at - step; g > 0 && !data.cut[g]; g--, i -= step) {
    if (data.verdict[i] !== verdict || (data.mark[i] & same) !== mark || isThere(data, g - 1, e) !== there) break;
  }
  return g;
}

function distanceOf(data, f, a, b) {
  const i = (f * data.E + a) * 3, j = (f * data.E + b) * 3, p = data.pos;
  return Math.hypot(p[i] - p[j], p[i + 1] - p[j + 1], p[i + 2] - p[j + 2]);
}

// How many enemies were truly in sight, known and late at each frame: the strip of the slider.
function countsOf(data, o) {
  const { F, E } = data, observer = data.observers[o];
  const inSight = new Uint8Array(F), held = new Uint8Array(F), late = new Uint8Array(F);
  const enemies = [];
  for (let e = 0; e < E; e++) {
    if (e !== observer.entity && data.entities[e].class === "player" && data.entities[e].team !== observer.team) enemies.push(e);
  }
  for (let f = 0; f < F; f++) {
    for (const e of enemies) {
      const mark = data.mark[(f * data.O + o) * E + e];
      inSight[f] += mark & IN_SIGHT;
      held[f] += (mark & HELD) / HELD;
      late[f] += (mark & LATE) / LATE;
    }
  }
  return { inSight, held, late, of: enemies.length };
}

const isNumber = (name) => /^\d+$/.test(name);
const observerName = (data, o) => {
  const { name } = data.observers[o];
  return isNumber(name) ? `client ${name}` : name;
};
const entityName = (data, e) => data.entities[e].name;

function timeText(seconds, digits = 2) {
  const whole = Math.max(0, seconds);
  const scale = 10 ** digits, rounded = Math.round(whole * scale) / scale;
  const minutes = Math.floor(rounded / 60);
  return `${minutes}:${(rounded - minutes * 60).toFixed(digits).padStart(digits ? 3 + digits : 2, "0")}`;
}
const countText = (n) => Math.round(n).toLocaleString("en-US");
