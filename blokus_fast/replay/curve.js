"use strict";

/* The curve of scores: a line per player over the nodes of a line of the game. */

const curve = (function () {
  const WIDE = 420;
  const HIGH = 190;
  const PAD = { left: 36, right: 10, top: 10, bottom: 24 };
  const { draw: element } = shapes;

  // Steps of 1, 2 or 5 times a power of ten, about five of them.
  function niceStep(span) {
    const rough = Math.max(span, 1) / 5;
    const power = 10 ** Math.floor(Math.log10(rough));
    return Math.max(1, [1, 2, 5, 10].find((factor) => factor * power >= rough) * power);
  }

  // A row is null where nothing is known. `rings` are points to point out, of grades 0 to 2; `low`
  // and `high` are the ends of the scale, where they are given.
  function draw({ rows, strokes, label, ink, pick, rings = [], unit = "", ...scale }) {
    const last = rows.length - 1;
    const every = rows.flatMap((row) => row || []);
    let low = scale.low ?? every.reduce((a, b) => Math.min(a, b), Infinity);
    let high = scale.high ?? every.reduce((a, b) => Math.max(a, b), -Infinity);
    if (low > high) [low, high] = [0, 1];
    const by = niceStep(high - low);
    low = Math.floor(low / by) * by;
    high = Math.max(low + by, Math.ceil(high / by) * by);
    const room = WIDE - PAD.left - PAD.right;
    const xOf = (depth) => PAD.left + (room * depth) / Math.max(1, last);
    const yOf = (score) => PAD.top + ((HIGH - PAD.top - PAD.bottom) * (high - score)) / (high - low);
    const svg = element("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label });
    const write = (x, y, anchor, text) => svg.append(element("text", {
      x, y, "text-anchor": anchor, "font-size": 11, fill: ink.text,
    }, text));
    for (let score = low; score <= high; score += by) {
      const y = yOf(score);
      svg.append(element("path", { d: `M${PAD.left} ${y}H${WIDE - PAD.right}`, stroke: ink.line }));
      write(PAD.left - 5, y + 4, "end", String(score).replace("-", "\u2212") + unit);
    }
    for (let depth = 0; depth <= last; depth += niceStep(last)) {
      write(xOf(depth), HIGH - 8, "middle", String(depth));
    }
    strokes.forEach((stroke, player) => {
      const points = rows.flatMap((row, depth) =>
        (row ? [xOf(depth).toFixed(1) + " " + yOf(row[player]).toFixed(1)] : []));
      if (!points.length) return;
      const d = "M" + points.join("L");
      svg.append(element("path", { d, "stroke-linejoin": "round", ...stroke }));
    });
    for (const { depth, value, color, grade } of rings) {
      svg.append(element("circle", {
        class: "ring", cx: xOf(depth), cy: yOf(value), r: [2.6, 3.6, 4.6][grade],
        fill: grade === 2 ? color : ink.ground, stroke: color, "stroke-width": 2,
      }));
    }
    const marker = element("path", {
      stroke: ink.marker, "stroke-width": 1.5, "pointer-events": "none",
    });
    svg.append(marker);
    const choose = (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDE;
      pick(Math.round(((x - PAD.left) / room) * last));
    };
    svg.addEventListener("pointerdown", choose);
    svg.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) choose(event);
    });
    const mark = (depth) => marker.setAttribute("d", `M${xOf(depth)} ${PAD.top}V${HIGH - PAD.bottom}`);
    return { element: svg, mark };
  }

  return { draw };
})();
