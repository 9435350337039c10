"use strict";

/* Squares as shapes, and elements: what does not know the game. Squares are numbered row by row
   from the top; cells are (x, y). */

const shapes = (function () {
  const SVG = "http://www.w3.org/2000/svg";

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  function draw(tag, attributes, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // The geometry of a board with `size` rows.
  function board(size) {
    const at = (square) => [Math.floor(square / size), square % size];

    function neighbors(square) {
      const [row, column] = at(square);
      const found = [];
      if (row) found.push(square - size);
      if (row < size - 1) found.push(square + size);
      if (column) found.push(square - 1);
      if (column < size - 1) found.push(square + 1);
      return found;
    }

    function diagonals(square) {
      const [row, column] = at(square);
      const found = [];
      for (const r of [row - 1, row + 1]) {
        for (const c of [column - 1, column + 1]) {
          if (r >= 0 && c >= 0 && r < size && c < size) found.push(r * size + c);
        }
      }
      return found;
    }

    function groups(grid) {
      // The pieces: what the squares of each color fall into, since they never share an edge.
      const seen = new Set();
      const found = [];
      for (let square = 0; square < grid.length; square++) {
        const color = grid[square];
        if (color < 0 || seen.has(square)) continue;
        const group = [square];
        seen.add(square);
        for (let i = 0; i < group.length; i++) {
          for (const other of neighbors(group[i])) {
            if (grid[other] === color && !seen.has(other)) {
              seen.add(other);
              group.push(other);
            }
          }
        }
        found.push({ color, squares: group.sort((a, b) => a - b) });
      }
      return found;
    }

    function middleOf(squares) {
      const places = squares.map(at);
      const mean = (axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length;
      const [row, column] = [mean(0), mean(1)];
      const far = (square) => (at(square)[0] - row) ** 2 + (at(square)[1] - column) ** 2;
      return squares.reduce((best, square) => (far(square) < far(best) ? square : best));
    }

    const cellsOf = (squares) => squares.map((square) => at(square).reverse());

    return { at, neighbors, diagonals, groups, middleOf, cellsOf };
  }

  // The outline of squares (x, y), drawn inset, with the squares on its right hand.
  function outline(cells, inset, unit, left, top) {
    const inside = new Set(cells.map(([x, y]) => x + "," + y));
    const has = (x, y) => inside.has(x + "," + y);
    const edges = new Map();
    const add = (x, y, dx, dy) => {
      const key = x + "," + y;
      if (!edges.has(key)) edges.set(key, []);
      edges.get(key).push([dx, dy]);
    };
    for (const [x, y] of cells) {
      if (!has(x, y - 1)) add(x, y, 1, 0);
      if (!has(x + 1, y)) add(x + 1, y, 0, 1);
      if (!has(x, y + 1)) add(x + 1, y + 1, -1, 0);
      if (!has(x - 1, y)) add(x, y + 1, 0, -1);
    }
    let path = "";
    while (edges.size) {
      const start = edges.keys().next().value;
      let [x, y] = start.split(",").map(Number);
      const way = [];
      let course = null;
      do {
        const key = x + "," + y;
        const ways = edges.get(key);
        let pick = 0;
        if (course && ways.length > 1) {
          pick = Math.max(0, ways.findIndex(([dx, dy]) => dx === -course[1] && dy === course[0]));
        }
        course = ways.splice(pick, 1)[0];
        if (!ways.length) edges.delete(key);
        way.push([x, y, course]);
        x += course[0];
        y += course[1];
      } while (x + "," + y !== start);
      path += way
        .map(([px, py, out], i) => [px, py, way[(i || way.length) - 1][2], out])
        .filter(([, , into, out]) => into[0] !== out[0] || into[1] !== out[1])
        .map(([px, py, into, out], i) => {
          const vx = left + px * unit - inset * (into[1] + out[1]);
          const vy = top + py * unit + inset * (into[0] + out[0]);
          return (i ? "L" : "M") + vx.toFixed(1) + " " + vy.toFixed(1);
        })
        .join("") + "Z";
    }
    return path;
  }

  function seams(cells, unit, left, top, gap) {
    const inside = new Set(cells.map(([x, y]) => x + "," + y));
    let path = "";
    for (const [x, y] of cells) {
      const px = left + x * unit;
      const py = top + y * unit;
      if (inside.has(x - 1 + "," + y)) path += `M${px} ${py + gap}v${unit - 2 * gap}`;
      if (inside.has(x + "," + (y - 1))) path += `M${px + gap} ${py}h${unit - 2 * gap}`;
    }
    return path;
  }

  const ICONS = {
    first: "M6 5V19M18 5L10 12L18 19",
    back: "M15 5L7 12L15 19",
    run: "M8 5V19L19 12Z",
    pause: "M8 5V19M16 5V19",
    forward: "M9 5L17 12L9 19",
    last: "M18 5V19M6 5L14 12L6 19",
  };

  const icon = (name) =>
    draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: ICONS[name] }));

  function pieceIcon({ name, cells: rows }, fill, stroke) {
    const cells = rows.map(([row, column]) => [column, row]);
    const wide = 9 * Math.max(...cells.map(([x]) => x)) + 11;
    const high = 9 * Math.max(...cells.map(([, y]) => y)) + 11;
    return draw("svg", {
      width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": name,
    }, draw("title", {}, name),
    draw("path", { d: outline(cells, 0.4, 9, 1, 1), fill, stroke }),
    draw("path", { d: seams(cells, 9, 1, 1, 1.5), stroke, "stroke-opacity": 0.5 }));
  }

  return { make, draw, icon, pieceIcon, board, outline, seams };
})();
