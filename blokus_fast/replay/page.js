"use strict";

/* Needs shapes.js, curve.js, analysis.js and moves.js, which stand before it in the page.

   The game is a tree of nodes, each with what it changes on the board and in the hands. The page
   shows one node; its "line" is the way from the root to it and on along the first children. All
   text gets into the page as text, never as markup. */

(function () {
  const UNIT = 24;
  const game = JSON.parse(document.getElementById("game").textContent);
  const nodes = game.nodes;
  const size = game.size;
  const { make, draw, outline, seams } = shapes;
  const { at, neighbors, diagonals, groups, middleOf, cellsOf } = shapes.board(size);
  const byId = (id) => document.getElementById(id);

  // ---- The tree

  for (const node of nodes) node.children = [];
  nodes.forEach((node, index) => {
    node.index = index;
    if (index) {
      const parent = nodes[node.parent];
      node.depth = parent.depth + 1;
      node.moves = parent.moves + (["move", "pick", "pass"].includes(node.kind) ? 1 : 0);
      parent.children.push(index);
    } else {
      node.depth = 0;
      node.moves = 0;
    }
  });

  function lineThrough(index) {
    const line = [];
    for (let i = index; i >= 0; i = nodes[i].parent) line.push(i);
    line.reverse();
    for (let i = index; nodes[i].children.length; ) {
      i = preferred.get(i) ?? nodes[i].children[0];
      line.push(i);
    }
    return line;
  }

  // Where somebody went from a node the last time: forward goes there again.
  const preferred = new Map();
  let current = 0;
  let line = lineThrough(0);
  let grid = new Array(size * size).fill(-1);
  let hands = game.hands.map((hand) => hand.counts.slice());

  function step(node, forward) {
    for (const [square, before, after] of node.changes) grid[square] = forward ? after : before;
    for (const [row, piece, change] of node.hands) hands[row][piece] += forward ? change : -change;
  }

  step(nodes[0], true);

  function go(index) {
    if (index === undefined || !nodes[index]) return;
    // Up to the ancestor that both have, and down again.
    const down = [];
    let here = current;
    let there = index;
    while (here !== there) {
      if (nodes[here].depth >= nodes[there].depth) {
        step(nodes[here], false);
        here = nodes[here].parent;
      } else {
        down.push(there);
        there = nodes[there].parent;
      }
    }
    while (down.length) {
      const next = down.pop();
      preferred.set(nodes[next].parent, next);
      step(nodes[next], true);
    }
    current = index;
    if (line[nodes[index].depth] !== index) line = lineThrough(index);
    show();
  }

  const goTo = (depth) => go(line[Math.max(0, Math.min(depth, line.length - 1))]);

  function otherVariation(direction) {
    // The nearest place at or before this one where there is a choice.
    let index = current;
    while (index > 0 && nodes[nodes[index].parent].children.length < 2) {
      index = nodes[index].parent;
    }
    if (index <= 0) return;
    const choices = nodes[nodes[index].parent].children;
    const place = choices.indexOf(index) + direction;
    go(choices[(place + choices.length) % choices.length]);
  }

  function chip(color) {
    const element = make("span", { class: "chip", "aria-hidden": "true", "data-color": color });
    paintChip(element);
    return element;
  }

  // ---- Colors

  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const settings = {
    theme: "", palette: "safe", labels: "", corners: false, view: "", heat: false,
  };
  const KEY = "blokus-fast-replay";
  try {
    Object.assign(settings, JSON.parse(localStorage.getItem(KEY) || "{}"));
  } catch {
    // No storage for pages from files in some browsers: then every visit begins anew.
  }

  function keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
      // As above.
    }
  }

  const theme = () => (settings.theme || (dark.matches ? "dark" : "light"));
  const palette = () => game.palettes[settings.palette] || game.palettes.safe;
  const fill = (color) => palette().fills[color];
  const edge = (color) => palette().edges[theme()][color];
  const inkOn = (color) => palette().inks[color];
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function paintChip(element) {
    const color = Number(element.dataset.color);
    element.style.background = fill(color);
    element.style.borderColor = edge(color);
  }

  function paint() {
    if (settings.theme) document.documentElement.dataset.theme = settings.theme;
    else delete document.documentElement.dataset.theme;
    const other = theme() === "dark" ? "light" : "dark";
    byId("theme").textContent = other === "dark" ? "Dark theme" : "Light theme";
    document.querySelectorAll(".chip").forEach(paintChip);
    drawPlayers();
    buildHands();
    show();
  }

  // ---- The board

  const LEFT = 26;
  const TOP = 6;
  const all = Array.from({ length: size * size }, (_, square) => square);
  const playable = all.filter((square) => !game.playable || game.playable[square] === ".");
  const inPlay = new Set(playable);
  const ground = {
    shape: outline(cellsOf(playable), 0, UNIT, LEFT, TOP),
    lines: seams(cellsOf(playable), UNIT, LEFT, TOP, 0),
  };
  const center = (square) => {
    const [row, column] = at(square);
    return [LEFT + (column + 0.5) * UNIT, TOP + (row + 0.5) * UNIT];
  };

  function cornerSquares(color) {
    const own = all.filter((square) => grid[square] === color);
    if (!own.length) return game.openings[color].filter((square) => grid[square] < 0);
    const found = new Set();
    for (const square of own) {
      for (const other of diagonals(square)) {
        if (inPlay.has(other) && grid[other] < 0
            && neighbors(other).every((next) => grid[next] !== color)) found.add(other);
      }
    }
    return [...found];
  }

  function colorsToMove(node) {
    if (node.over || (game.draft && node.turn >= 0)) return [];
    if (!game.draft) return [node.turn];
    const rows = game.hands.map((hand, row) => [hand, row]);
    return rows
      .filter(([hand, row]) => hand.player === node.next && hands[row].some(Boolean))
      .map(([hand]) => hand.color);
  }

  function startRings() {
    const begun = game.colors.map((_, color) => grid.includes(color));
    if (game.start === "border" || begun.every(Boolean)) return [];
    const rings = [];
    game.starts.forEach((squares, color) => {
      for (const square of squares) {
        if (grid[square] < 0 && (game.start === "any" || !begun[color])) {
          rings.push([square, game.start === "any" ? css("--rim") : edge(color)]);
        }
      }
    });
    return rings;
  }

  function plies() {
    // Which node of the way here placed what lies on a square.
    const found = new Map();
    for (let depth = 1; depth <= nodes[current].depth; depth++) {
      for (const square of nodes[line[depth]].squares) found.set(square, line[depth]);
    }
    return found;
  }

  function drawBoard() {
    const side = size * UNIT;
    const svg = draw("svg", {
      viewBox: `0 0 ${LEFT + side + 6} ${TOP + side + 20}`, role: "img",
      "aria-label": describeBoard(), "font-family": "inherit",
    });
    svg.append(
      draw("path", { d: ground.shape, fill: css("--board") }),
      draw("path", { d: ground.lines, stroke: css("--line"), fill: "none" }),
      draw("path", { d: ground.shape, fill: "none", stroke: css("--rim"), "stroke-width": 1.5 }),
    );
    const name = (x, y, anchor, text) => svg.append(draw("text", {
      x, y, "text-anchor": anchor, "font-size": 11, fill: css("--muted"),
    }, text));
    for (let i = 0; i < size; i++) {
      const middle = (i + 0.5) * UNIT;
      name(LEFT + middle, TOP + side + 14, "middle", String.fromCharCode(97 + i));
      name(LEFT - 6, TOP + middle + 4, "end", String(size - i));
    }
    if (extra) extra.underPieces(svg);
    for (const [square, stroke] of startRings()) {
      const [cx, cy] = center(square);
      svg.append(draw("circle", { cx, cy, r: 8, fill: "none", stroke, "stroke-width": 2.4 }));
    }
    const placed = plies();
    const last = new Set(nodes[current].squares);
    for (const { color, squares } of groups(grid)) {
      const cells = cellsOf(squares);
      const source = placed.get(squares[0]);
      const title = source === undefined ? game.colors[color] : describe(nodes[source]);
      const piece = draw("g", {
        class: "piece", fill: fill(color), stroke: edge(color), "stroke-linejoin": "round",
      }, draw("title", {}, title),
      draw("path", { d: outline(cells, 1.6, UNIT, LEFT, TOP), "stroke-width": 1.8 }),
      draw("path", { d: seams(cells, UNIT, LEFT, TOP, 3), "stroke-opacity": 0.4 }));
      if (source !== undefined) piece.addEventListener("click", () => go(source));
      svg.append(piece);
      const label = labelOf(color, source);
      if (label) {
        const [x, y] = center(middleOf(squares));
        svg.append(draw("text", {
          x, y: y + 4.4, "text-anchor": "middle", "font-weight": 700, fill: inkOn(color),
          "font-size": label.length < 3 ? 12.5 : 10, "pointer-events": "none",
        }, label));
      }
      if (squares.some((square) => last.has(square))) {
        for (const square of label ? [] : squares) {
          const [cx, cy] = center(square);
          svg.append(draw("circle", { cx, cy, r: 3.4, fill: inkOn(color), "pointer-events": "none" }));
        }
        if (label) {
          const d = outline(cells, 1.4, UNIT, LEFT, TOP);
          for (const [stroke, width] of [[css("--background"), 4.6], [css("--ink"), 2.6]]) {
            svg.append(draw("path", { d, fill: "none", stroke, "stroke-width": width }));
          }
        }
      }
    }
    const movers = colorsToMove(nodes[current]);
    for (const color of settings.corners ? movers : []) {
      for (const square of cornerSquares(color)) {
        const [x, y] = center(square);
        svg.append(draw("path", {
          class: "corner", d: `M${x} ${y - 5.5}l5.5 5.5l-5.5 5.5l-5.5 -5.5z`,
          fill: fill(color), stroke: edge(color), "stroke-width": 1.3, "data-square": square,
        }));
      }
    }
    if (extra) extra.overPieces(svg);
    byId("board").replaceChildren(svg);
  }

  function labelOf(color, source) {
    if (settings.labels === "color") return game.colors[color][0].toUpperCase();
    if (source === undefined) return "";
    if (settings.labels === "piece") return nodes[source].piece || "";
    return settings.labels === "number" ? String(nodes[source].moves) : "";
  }

  // ---- What a search thinks of it, where that is in the page

  const extra = game.analysis ? analysis.attach(game.analysis, {
    nodes, game, settings, byId, chip, center, cellsOf, theme, fill, css, go, describe, keep, show,
    frame: [LEFT, TOP, UNIT],
    current: () => nodes[current],
    line: () => line,
    redraw: drawBoard,
  }) : null;

  // ---- In words

  function describe(node) {
    if (node.kind === "start") return "Start";
    if (node.kind === "setup") return "Position set up";
    if (node.kind === "note") return "Remark";
    const who = node.color >= 0 ? game.colors[node.color] : "";
    const player = node.player >= 0 ? ` (${game.players[node.player]})` : "";
    const what = node.kind === "pick" ? `picks ${node.piece}` : node.kind === "pass" ? "passes"
      : `${node.piece} at ${node.text}`;
    return `${node.moves}. ${who}${player}: ${what}`;
  }

  function describeBoard() {
    const node = nodes[current];
    const scores = game.players.map((name, player) => `${name} ${node.scores[player]}`).join(", ");
    return `Board of ${size} by ${size} squares. ${describe(node)}; ${turnText(node)}. Scores: ${scores}.`;
  }

  function turnText(node) {
    const skipped = node.skipped.map((name) => `${name} cannot place`);
    let next = "";
    if (node.over) next = "the game is over";
    else if (node.turn >= 0) next = `${game.colors[node.turn]} to move`;
    else if (node.next >= 0) next = `${game.players[node.next]} to move`;
    return [...skipped, next].join("; ");
  }

  // ---- Players, hands

  function sample(player) {
    // The line of the score curve, which is told apart by its dashes too.
    const svg = draw("svg", { width: 30, height: 12, viewBox: "0 0 30 12", "aria-hidden": "true" });
    svg.append(draw("path", { d: "M1 6H29", ...stroke(player) }));
    return svg;
  }

  const DASHES = ["none", "7 3", "2 3", "9 3 2 3"];

  function stroke(player) {
    const color = game.owners.indexOf(player);
    return {
      fill: "none", "stroke-width": 2.5, "stroke-dasharray": DASHES[player],
      stroke: color < 0 ? css("--ink") : theme() === "dark" ? fill(color) : edge(color),
    };
  }

  function drawPlayers() {
    byId("players").replaceChildren(...game.players.map((name, player) => {
      const item = make("li", { "data-player": player });
      game.owners.forEach((owner, color) => {
        if (owner === player) item.append(chip(color));
      });
      item.append(make("span", { class: "name", title: name }, name), sample(player),
        make("span", { class: "chance" }), make("span", { class: "score" }));
      return item;
    }));
  }

  function showPlayers() {
    const node = nodes[current];
    const chances = extra && extra.chances();
    byId("players").querySelectorAll("li").forEach((item, player) => {
      item.querySelector(".chance").textContent = chances ? chances[player] : "";
      item.classList.toggle("turn", player === node.next);
      if (player === node.next) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
      item.querySelector(".score").textContent = String(node.scores[player]).replace("-", "\u2212");
    });
  }

  function buildHands() {
    byId("hands").replaceChildren(...game.hands.map((hand, row) => {
      const pieces = make("div", { class: "pieces" });
      game.pieces.forEach((piece, number) => {
        if (!hand.most[number]) return;
        const stock = make("span", { class: "stock", "data-piece": number },
          shapes.pieceIcon(piece, fill(hand.color), edge(hand.color)), make("span"));
        pieces.append(stock);
      });
      const heading = make("h3", {}, chip(hand.color), " ", hand.label, " ",
        make("span", { class: "muted" }));
      return make("div", { "data-row": row }, heading, pieces);
    }));
  }

  function showHands() {
    byId("hands").childNodes.forEach((element, row) => {
      let squares = 0;
      element.querySelectorAll(".stock").forEach((stock) => {
        const piece = Number(stock.dataset.piece);
        const count = hands[row][piece];
        squares += count * game.pieces[piece].cells.length;
        stock.classList.toggle(game.draft ? "absent" : "gone", count === 0);
        stock.setAttribute("aria-hidden", count === 0);
        stock.lastChild.textContent = count > 1 ? "\u00d7" + count : "";
      });
      element.querySelector("h3 span:last-child").textContent =
        squares === 1 ? "1 square" : `${squares} squares`;
    });
  }

  const list = moves.attach({ nodes, extra, byId, chip, describe, go });

  // ---- The score curve

  function drawCurve() {
    const ends = game.players.map((name, player) => `${name} ${nodes[line.at(-1)].scores[player]}`);
    return curve.draw({
      rows: line.map((index) => nodes[index].scores),
      strokes: game.players.map((_, player) => stroke(player)),
      label: `Scores over the moves of this line. At its end: ${ends.join(", ")}.`,
      ...(extra && extra.curveView()),
      ink: { text: css("--muted"), line: css("--line"), marker: css("--ink"), ground: css("--background") },
      pick: goTo,
    });
  }

  // ---- Showing a node

  let drawn = "";
  let chart = null;

  function show() {
    const node = nodes[current];
    const slider = byId("slider");
    slider.max = line.length - 1;
    slider.value = node.depth;
    slider.setAttribute("aria-valuetext", `${node.depth} of ${line.length - 1}: ${describe(node)}`);
    byId("now").textContent = `${describe(node)}; ${turnText(node)}`;
    byId("comment").textContent = node.comment;
    for (const id of ["first", "back"]) byId(id).disabled = node.depth === 0;
    for (const id of ["last", "forward"]) byId(id).disabled = node.depth === line.length - 1;
    if (extra) extra.prepare();
    drawBoard();
    if (extra) extra.show();
    showPlayers();
    showHands();
    list.show(current);
    // The curve stays as long as the line and the colors do: it is being dragged on.
    const key = [line.at(-1), line.length, theme(), settings.palette, settings.view].join();
    if (key !== drawn) {
      drawn = key;
      chart = drawCurve();
      byId("curve").replaceChildren(chart.element);
      if (extra) extra.drawTimeline();
    }
    chart.mark(node.depth);
    if (node.depth === line.length - 1) stop();
    try {
      history.replaceState(null, "", "#" + current);
    } catch {
      // Not allowed everywhere, and only a convenience.
    }
  }

  // ---- Controls

  const icon = (id, name) => byId(id).replaceChildren(shapes.icon(name));

  let timer = 0;

  function stop() {
    clearInterval(timer);
    timer = 0;
    icon("run", "run");
    byId("run").setAttribute("aria-label", "Play");
    byId("run").title = "Play";
  }

  function run() {
    if (timer) {
      stop();
      return;
    }
    if (nodes[current].depth === line.length - 1) goTo(0);
    timer = setInterval(() => goTo(nodes[current].depth + 1), 900);
    icon("run", "pause");
    byId("run").setAttribute("aria-label", "Pause");
    byId("run").title = "Pause";
  }

  const actions = {
    first: () => goTo(0),
    back: () => goTo(nodes[current].depth - 1),
    forward: () => goTo(nodes[current].depth + 1),
    last: () => goTo(line.length - 1),
  };
  const keys = {
    ArrowLeft: actions.back,
    ArrowRight: actions.forward,
    Home: actions.first,
    End: actions.last,
    ArrowUp: () => otherVariation(-1),
    ArrowDown: () => otherVariation(1),
    ...(extra && { n: () => extra.nextMark(1), p: () => extra.nextMark(-1) }),
  };

  for (const id of Object.keys(actions)) {
    icon(id, id);
    byId(id).addEventListener("click", actions[id]);
  }
  byId("run").addEventListener("click", run);
  byId("slider").addEventListener("input", (event) => goTo(Number(event.target.value)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.tagName === "SELECT" || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  byId("theme").addEventListener("click", () => {
    settings.theme = theme() === "dark" ? "light" : "dark";
    keep();
    paint();
  });
  dark.addEventListener("change", paint);
  for (const id of ["labels", "palette"]) {
    byId(id).value = settings[id];
    byId(id).addEventListener("change", (event) => {
      settings[id] = event.target.value;
      keep();
      paint();
    });
  }
  byId("corners").checked = settings.corners;
  byId("corners").addEventListener("change", (event) => {
    settings.corners = event.target.checked;
    keep();
    show();
  });
  window.addEventListener("hashchange", () => go(Number(location.hash.slice(1))));

  // ---- The start

  byId("facts").textContent = game.facts.join(" \u00b7 ");
  for (const notice of game.notices) {
    byId("notices").append(make("p", { class: "notice" }, notice));
  }
  list.build();
  stop();
  const wanted = /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : game.begin;
  paint();
  go(nodes[wanted] ? wanted : 0);
})();
