// The page of `fogwall replay`. It draws what the data says and decides nothing.
//
// The part of the address behind # sets the page up; all are optional, and indices count from 0:
//   frame=120       the frame shown             clock=3.5       or the time in seconds on the slider
//   observer=3      index of the observer       finding=2       jump to this finding of the filtered list
//   play=1          start playing               speed=2         0.25 0.5 1 2 4 8
//   heat=1          the heat of exposure        ghosts=1        hidden enemies as outlines
//   kinds=late,exposed  by=3  of=7  min_ms=100  the filter: kinds, observer, enemy, least length
//   theme=dark      auto, light or dark         zoom=2.5        times the fitted size, at the finding or the observer
//   test=1          after a second, or test=SECONDS, write JSON of state() into the attribute data-state of body
// Where the page can't open, that attribute holds an object with "error" alone, with test or without.
//
// window.fogwallReport: ready (a promise), state(), jump(i), play(), pause(), seek(frame), choose(observer),
// filter({kinds, observer, entity, min_ms}).
//
// The script is these files in this order: head, data, draw, ground, stage, time, panels, findings, charts, main.
// The writer of the report puts it, the style sheet and the data in place of the tokens of report.html.
//
// In the data, smokes stand from their first frame to their last one inclusive; seconds of a chart are tick / tick_hz;
// the edges of a histogram are one more than its counts, or as many where the last bin is open.

// What is shown. All else follows from this and from the data.
const page = {
  data: null, view: { x: 0, y: 0, scale: 0, isFitted: true },
  clock: 0, frame: 0, part: 0, observer: 0, finding: null, shown: [],
  isPlaying: false, speed: 1, last: 0, heat: false, ghosts: false, theme: "auto", isCalm: false,
};
