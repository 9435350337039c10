"use strict";

/* The list of moves: a button for every node, and variations in boxes of their own. It knows the
   page only by what page.js hands over. All text is text, never markup. */

const moves = (function () {
  const { make } = shapes;

  /* `page` has nodes, extra (what a search thinks, or null), and functions: byId, chip, describe,
     go. */
  function attach({ nodes, extra, byId, chip, describe, go }) {
    const buttons = new Map();

    function moveButton(index) {
      const node = nodes[index];
      const numbered = ["move", "pick", "pass"].includes(node.kind);
      const label = numbered ? (node.kind === "pick" ? "pick " : "") + node.piece : node.kind === "setup" ? "set-up" : "remark";
      const button = make("button", { type: "button", title: describe(node), "aria-label": describe(node) });
      if (numbered) button.append(make("span", { class: "number" }, `${node.moves}.`), " ");
      if (node.color >= 0) button.append(chip(node.color), " ");
      button.append(label);
      if (extra) extra.label(button, index);
      button.addEventListener("click", () => go(index));
      buttons.set(index, button);
      return button;
    }

    function remark(text) {
      return make("span", { class: "remark" }, text);
    }

    function emit(index, box) {
      const node = nodes[index];
      box.append(moveButton(index), " ");
      if (node.skipped.length) {
        box.append(make("span", { class: "skip" }, `${node.skipped.join(", ")} cannot place`), " ");
      }
      if (node.comment) box.append(remark(node.comment));
    }

    function build() {
      const root = byId("moves");
      if (nodes[0].comment) root.append(remark(nodes[0].comment));
      // Lines that have to be written: where they begin, into what, how deep. Without recursion,
      // since a file may nest its variations as deep as it likes.
      const todo = nodes[0].children.length ? [[nodes[0].children[0], root, 0]] : [];
      while (todo.length) {
        let [index, box, depth] = todo.pop();
        while (index !== undefined) {
          emit(index, box);
          const choices = nodes[nodes[index].parent].children;
          if (choices[0] === index) {
            for (const other of choices.slice(1)) {
              const inner = make("div", { class: "variation" });
              // Deeper than this there would be no room left for the text.
              if (depth < 6) box.append(inner);
              else box.after(inner);
              todo.push([other, inner, depth + 1]);
            }
          }
          index = nodes[index].children[0];
        }
      }
      if (nodes.length === 1) root.append(remark("There are no moves."));
    }

    let marked = null;

    function show(current) {
      if (marked) marked.removeAttribute("aria-current");
      marked = buttons.get(current) || null;
      const list = byId("moves");
      if (!marked) {
        list.scrollTop = 0;
        return;
      }
      marked.setAttribute("aria-current", "step");
      // Only the list scrolls, never the page.
      const top = marked.getBoundingClientRect().top - list.getBoundingClientRect().top;
      const room = list.clientHeight - marked.offsetHeight;
      if (top < 0 || top > room) list.scrollTop += top - room / 2;
    }

    return { build, show };
  }

  return { attach };
})();
