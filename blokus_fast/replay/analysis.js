"use strict";

/* What a search thinks of the game, where the page has it: best moves, mistakes, heat, and rows for
   the curve. It knows the page only by what page.js hands over. All text is text, never markup. */

const analysis = (function () {
  const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  const NAMES = Object.keys(SIGNS);
  const STEPS = "0123456789abcdefghijklmnopqrstuvwxyz";
  const { make, draw, outline } = shapes;

  const minus = (text) => text.replace("-", "\u2212");
  const percent = (value) => (value === null ? "\u2013" : `${Math.round(100 * value)}%`);
  const part = (share) => (share > 0 && share < 0.005 ? "<1%" : percent(share));
  const tenth = (value) => (value === null ? "\u2013" : minus(value.toFixed(1).replace(/^-(?=0\.0$)/, "")));
  const upper = (text) => text[0].toUpperCase() + text.slice(1);

  function mixed(scale, part) {
    const place = part * (scale.length - 1);
    const step = Math.min(Math.floor(place), scale.length - 2);
    const channels = (color) => [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
    const [a, b] = [channels(scale[step]), channels(scale[step + 1])];
    return `rgb(${a.map((from, i) => Math.round(from + (b[i] - from) * (place - step))).join(",")})`;
  }

  /* `page` has nodes, game, settings, and functions: byId, chip, center, theme, fill, css, go,
     current (the node), line (numbers of nodes), redraw (the board), keep and show. */
  function attach(data, page) {
    const { nodes, game, settings, byId } = page;
    const entries = new Map(data.entries.map((entry) => [entry.node, entry]));
    // The move that led to a node, as it was judged in the position before.
    const judged = new Map();
    for (const [index, entry] of entries) {
      const after = nodes[index].children[0];
      if (after !== undefined && entry.played && entry.loss !== null) judged.set(after, entry);
    }
    let shown = null;
    let pinned = false;

    const what = (move) => (move.squares.length ? `${move.piece} at ${move.text}` : move.text);
    const markOf = (index) => (judged.has(index) ? judged.get(index).mark : "");

    // ---- On the board

    function underPieces(svg) {
      const entry = entries.get(page.current().index);
      if (!settings.heat || !entry || !entry.heat) return;
      const scale = data.heat[page.theme()];
      const group = draw("g", { class: "heat", "aria-hidden": "true" });
      [...entry.heat].forEach((step, square) => {
        if (step === "0") return;
        const [x, y] = page.center(square);
        const fill = mixed(scale, STEPS.indexOf(step) / (STEPS.length - 1));
        group.append(draw("rect", { x: x - 11, y: y - 11, width: 22, height: 22, fill }));
      });
      svg.append(group);
    }

    function overPieces(svg) {
      if (!shown || !shown.squares.length) return;
      const cells = page.cellsOf(shown.squares);
      const [left, top, unit] = page.frame;
      const d = outline(cells, 1.6, unit, left, top);
      const group = draw("g", { class: "candidate" }, draw("title", {}, what(shown)));
      const fill = page.fill(shown.color);
      group.append(
        draw("path", { d, fill, "fill-opacity": 0.45 }),
        draw("path", { d, fill: "none", stroke: page.css("--background"), "stroke-width": 5 }),
        draw("path", {
          d, fill: "none", stroke: page.css("--highlight"), "stroke-width": 3,
          "stroke-linejoin": "round",
        }),
      );
      svg.append(group);
    }

    // ---- The list of the best moves

    function reveal(move, pin) {
      shown = move;
      pinned = pin;
      byId("alternatives").querySelectorAll("button").forEach((button) => {
        const own = move !== null && Number(button.dataset.move) === move.id;
        button.setAttribute("aria-pressed", own && pin);
        button.classList.toggle("shown", own);
      });
      tellLine();
      page.redraw();
    }

    function tellLine() {
      const entry = entries.get(page.current().index);
      const move = shown || (entry && entry.moves[0]);
      const line = move ? move.line : [];
      const first = shown ? "After it" : "After the best move";
      byId("expected").textContent = line.length ? `${first} the search expects ${line.join("; ")}.` : "";
    }

    function row(move, rank, entry) {
      const played = entry.played !== null && entry.played.id === move.id;
      const button = make("button", {
        type: "button", "data-move": move.id, "aria-pressed": "false",
        "aria-label": `${rank ? `Move ${rank}` : "The move played"}: ${what(move)}; `
          + `${part(move.share)} of the visits, chance ${percent(move.value)}, `
          + `expected score ${tenth(move.score)}${move.proven ? ", proven" : ""}`
          + (played && rank ? "; it was played" : ""),
      });
      const bar = make("span", { class: "bar", "aria-hidden": "true" }, make("span"));
      bar.firstChild.style.width = `${(100 * move.share).toFixed(1)}%`;
      const place = make("span", { class: "place" }, page.chip(move.color), " ",
        make("b", {}, move.squares.length ? move.piece : move.text));
      if (played) place.append(" ", make("span", { class: "tag" }, "played"));
      if (move.squares.length) place.append(" ", make("span", { class: "squares" }, move.text));
      button.append(
        make("span", { class: "rank" }, rank ? String(rank) : "\u2013"), place,
        make("span", { class: "share" }, bar, make("span", {}, part(move.share))),
        make("span", { class: "number" }, percent(move.value) + (move.proven ? "\u2713" : "")),
        make("span", { class: "number" }, tenth(move.score)),
      );
      button.addEventListener("pointerenter", (event) => {
        if (event.pointerType === "mouse" && !pinned) reveal(move, false);
      });
      button.addEventListener("pointerleave", (event) => {
        if (event.pointerType === "mouse" && !pinned) reveal(null, false);
      });
      // With the keyboard, where there is no pointing: what has the focus is shown.
      button.addEventListener("focus", () => {
        if (button.matches(":focus-visible")) reveal(move, false);
      });
      button.addEventListener("blur", () => {
        if (!pinned) reveal(null, false);
      });
      button.addEventListener("click", () => {
        if (pinned && shown === move) reveal(null, false);
        else reveal(move, true);
        // On a small screen the board may have gone out of view.
        const there = document.querySelector("#board .candidate");
        if (there) there.scrollIntoView({ block: "nearest" });
      });
      return make("li", {}, button);
    }

    function drawList() {
      const entry = entries.get(page.current().index);
      const list = byId("alternatives");
      const moves = entry ? entry.moves : [];
      const rows = moves.map((move, place) => row(move, place + 1, entry));
      if (entry && entry.played && !moves.some((move) => move.id === entry.played.id)) {
        rows.push(row(entry.played, 0, entry));
      }
      list.replaceChildren(...rows);
      list.hidden = byId("alternative-heads").hidden = !rows.length;
      byId("unanalyzed").textContent = entry ? (moves.length ? "" : "The game is over.")
        : "This position was not analyzed.";
      tellLine();
    }

    // ---- The move that led here

    function drawVerdict() {
      const node = page.current();
      const entry = judged.get(node.index);
      const box = byId("verdict");
      box.className = entry && entry.mark ? entry.mark : "";
      box.replaceChildren();
      if (!entry) return;
      const best = entry.moves[0];
      if (!entry.mark) {
        if (entry.moves.length > 1 && entry.played.id === best.id) box.append("The best move.");
        return;
      }
      const from = best.value;
      box.append(
        make("b", {}, `${SIGNS[entry.mark]} ${upper(entry.mark)}`),
        `: the chance goes from ${percent(from)} to ${percent(Math.max(0, from - entry.loss))}. `
          + `Better was ${what(best)}. `,
      );
      const button = make("button", { type: "button", class: "quiet" }, "Look at it");
      button.setAttribute("aria-label", "Look at the better moves in the position before");
      button.addEventListener("click", () => page.go(entry.node));
      box.append(button);
    }

    // ---- Marks

    function drawTimeline() {
      const line = page.line();
      const ticks = line.map((index, depth) => [index, depth]).filter(([index]) => markOf(index));
      byId("marks").replaceChildren(...ticks.map(([index, depth]) => {
        const tick = make("span", { class: markOf(index), title: page.describe(nodes[index]) });
        tick.style.left = `${(100 * depth) / Math.max(1, line.length - 1)}%`;
        tick.addEventListener("click", () => page.go(index));
        return tick;
      }));
    }

    function label(button, index) {
      const mark = markOf(index);
      if (!mark) return;
      button.append(make("span", { class: `sign ${mark}` }, SIGNS[mark]));
      const words = `${button.getAttribute("aria-label")}; ${mark}`;
      button.setAttribute("aria-label", words);
      button.title = words;
    }

    function nextMark(direction) {
      const line = page.line();
      for (let depth = page.current().depth + direction; line[depth] !== undefined; depth += direction) {
        if (markOf(line[depth])) return page.go(line[depth]);
      }
      return undefined;
    }

    // ---- The curve

    const VIEWS = {
      chances: {
        name: "Chances", word: "Chances to win in percent", key: "values", factor: 100,
        low: 0, high: 100, unit: "%",
      },
      expected: { name: "Expected scores", word: "Expected final scores", key: "scores", factor: 1 },
    };

    function curveView() {
      const view = VIEWS[settings.view];
      if (!view) return null;
      const line = page.line();
      const rows = line.map((index) => {
        const entry = entries.get(index);
        return entry ? entry[view.key].map((value) => value * view.factor) : null;
      });
      const told = rows.filter(Boolean).at(-1) || [];
      const ends = game.players.map((name, player) =>
        (told.length ? `${name} ${tenth(told[player])}${view.unit || ""}` : name));
      const rings = line
        .map((index, depth) => ({ depth, mark: markOf(index), row: rows[depth] }))
        // Of the least ones there would be too many to tell apart.
        .filter(({ mark, row: values }) => values && NAMES.indexOf(mark) > 0)
        .map(({ depth, mark, row: values }) => ({
          depth, value: values[judged.get(line[depth]).player],
          color: page.css(`--${mark}`), grade: NAMES.indexOf(mark),
        }));
      return {
        rows, rings, low: view.low, high: view.high, unit: view.unit,
        label: `${view.word} over the moves of this line. At its end: ${ends.join(", ")}.`,
      };
    }

    function chances() {
      const entry = entries.get(page.current().index);
      return entry ? entry.values.map(percent) : null;
    }

    // ---- The start

    function setView(name) {
      settings.view = name;
      byId("views").querySelectorAll("button").forEach((button) => {
        button.setAttribute("aria-pressed", button.dataset.view === name);
      });
      byId("curve-title").textContent = VIEWS[name] ? VIEWS[name].name : "Scores";
    }

    // Beside the board where there is room, so that both can be seen; else right below it.
    const wide = window.matchMedia("(min-width: 54rem)");
    function settle() {
      const section = byId("analysis");
      if (wide.matches) byId("side").prepend(section);
      else byId("options").before(section);
    }
    wide.addEventListener("change", settle);
    settle();
    document.body.classList.add("analyzed");
    for (const id of ["analysis", "marks", "views", "heat-option", "mark-keys", "verdict"]) {
      byId(id).hidden = false;
    }
    for (const [view, name] of [...Object.keys(VIEWS).map((v) => [v, VIEWS[v].name]), ["scores", "Scores"]]) {
      const button = make("button", { type: "button", "data-view": view }, name);
      button.addEventListener("click", () => {
        setView(view);
        page.keep();
        page.show();
      });
      byId("views").append(button);
    }
    setView(settings.view in VIEWS || settings.view === "scores" ? settings.view : "chances");
    byId("heat").checked = settings.heat === true;
    byId("heat").addEventListener("change", (event) => {
      settings.heat = event.target.checked;
      page.keep();
      page.redraw();
    });
    const counts = NAMES.map((name) => [name, data.entries.filter((e) => e.mark === name).length]);
    byId("counts").textContent = counts
      .map(([name, count]) => `${count} ${count === 1 ? name : name.replace(/y$/, "ie") + "s"} (${SIGNS[name]})`)
      .join(", ") + (data.complete ? "" : "; the analysis was broken off");

    function prepare() {
      shown = null;
      pinned = false;
    }

    function show() {
      drawList();
      drawVerdict();
    }

    return { underPieces, overPieces, label, nextMark, curveView, chances, prepare, show, drawTimeline };
  }

  return { attach };
})();
