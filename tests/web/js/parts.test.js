import { Notice } from "/ui/parts/notice.js";
import { Tabs } from "/ui/parts/tabs.js";
import { GameTree } from "/ui/parts/tree.js";
import { Refusal } from "/ui/core/source.js";
import { drawn, equal, press, served, settled } from "./check.js";

const TREE = {
  width: 200, height: 150, num_players: 2,
  nodes: [
    { x: 100, y: 0, kind: "chance", history: [], parent: null, action: null, probability: null },
    { x: 50, y: 60, kind: "decision", history: ["1"], parent: 0, action: "1", probability: 0.5, player: 0, infoset: "k" },
    { x: 150, y: 60, kind: "decision", history: ["2"], parent: 0, action: "2", probability: 0.5, player: 0, infoset: "k" },
    { x: 50, y: 120, kind: "terminal", history: ["1", "a"], parent: 1, action: "a", probability: null, payoffs: [1, -1] },
    { x: 150, y: 120, kind: "terminal", history: ["2", "a"], parent: 2, action: "a", probability: null, payoffs: [1 / 3, 0] },
  ],
  infosets: [{ key: "k", player: 0, nodes: [1, 2] }],
};

export default {
  "the closest text for what was refused": async () => {
    const texts = [
      ["UnknownNameError", "game", "There is no game of this name."],
      ["WebError", "game", "This game cannot be shown."],
      ["LimitError", "work", "The server is busy. Try again in a moment."],
      ["Nonsense", "players", "That did not work."],
    ];
    for (const [kind, option, text] of texts) {
      const error = new Refusal({ error: "x", kind, option }, 422);
      await drawn(Notice, { error }, (place) => equal(place.querySelector("p").textContent, text));
    }
  },
  "what does not fit is said with what it needs and what there is": async () => {
    const sizes = { given: 5e9, expected: 3e7 };
    for (const [kind, option] of [["LimitError", "memory"], ["DiskError", "disk"]]) {
      const error = new Refusal({ error: "x", kind, option, ...sizes }, 429);
      await drawn(Notice, { error }, (place) => {
        const { textContent: text } = place.querySelector("p");
        equal([text.includes("5.0 GB"), text.includes("30.0 MB")], [true, true]);
      });
    }
  },
  "a notice has the engine's sentence below, if there is one": async () => {
    const error = new Refusal({ error: "<b>no</b>", kind: "WebError", option: "game", remedy: "do" }, 422);
    await drawn(Notice, { error, id: "n" }, (place) => {
      equal(place.querySelector("#n").getAttribute("role"), "alert");
      equal(place.querySelector("details p").textContent, "<b>no</b>; do");
      equal(place.querySelector("details").open, true);
    });
    const away = new Refusal({ kind: "Away" }, 0);
    await drawn(Notice, { error: away }, (place) => equal(place.querySelector("details"), null));
  },
  "a tree is drawn, marked, moved and spread": () => served(() => TREE, () =>
    drawn(GameTree, { source: "games/x", infoset: "k", rows: { k: { a: 0.25 } }, label: "Tree" }, async (place) => {
      await settled();
      const texts = (selector) => [...place.querySelectorAll(selector)].map((one) => one.textContent);
      equal(texts(".eqg-label"), ["10.5", "20.5", "a0.25", "a0.25"]);
      equal(texts(".eqg-payoff"), ["1", "-1", "0.3333", "0"]);
      equal(texts(".eqg-node title")[1], "1: player 0, infoset k");
      equal(place.querySelectorAll(".eqg-node.eqg-lit").length, 2);
      const group = place.querySelector("svg > g");
      const inner = group.querySelector("g");
      const [before, drawing] = [group.getAttribute("transform"), inner.outerHTML];
      press("ArrowLeft", {}, place.querySelector(".eqg-drawing"));
      await settled();
      equal(group.getAttribute("transform") === before, false);
      equal(inner.outerHTML === drawing, true); // only where it is has changed
      press("+", {}, place.querySelector(".eqg-drawing"));
      await settled();
      equal(inner.outerHTML === drawing, false);
      equal(texts(".eqg-label"), ["10.5", "20.5", "a0.25", "a0.25"]);
    })),
  "a tree of a solution marks best responses, and tells what is chosen": () => {
    const answers = { 0: { value: 0.5, actions: { k: "a" } } };
    const nodes = TREE.nodes.map((node) => ({ infoset: "", ...node, player: node.player ?? -1 }));
    const chosen = [];
    const given = { source: "solutions/x", names: ["Row", ""], label: "Tree", onChoose: (node) => chosen.push(node.kind) };
    return served(() => ({ ...TREE, nodes, best_responses: answers }), () => drawn(GameTree, given, async (place) => {
      await settled();
      equal(place.querySelectorAll(".eqg-best").length, 0);
      const select = place.querySelector("select");
      equal([...select.options].map((one) => one.textContent.trim()), ["no player", "Row: 0.5"]);
      select.value = "0";
      select.dispatchEvent(new Event("change"));
      await settled();
      equal(place.querySelectorAll(".eqg-best").length, 2);
      place.querySelector(".eqg-node").dispatchEvent(new MouseEvent("click"));
      equal(chosen, ["chance"]);
    }));
  },
  "tabs are chosen by click and key": async () => {
    const chosen = [];
    const given = { names: ["a", "b", "c"], chosen: "a", text: (name) => name, label: "Views", panel: "p" };
    await drawn(Tabs, { ...given, onChoose: (name) => chosen.push(name) }, async (place) => {
      const row = place.querySelector("[role=tablist]");
      equal([...row.children].map((one) => one.tabIndex), [0, -1, -1]);
      for (const key of ["ArrowRight", "ArrowLeft", "End", "Home", "x"]) press(key, {}, row);
      row.children[1].click();
      equal(chosen, ["b", "c", "c", "a", "b"]);
    });
  },
  "a tree that is refused says why": () => served(
    () => ({ error: "too large", kind: "WebError", option: "game", status: 422 }),
    () => drawn(GameTree, { source: "games/x", label: "Tree" }, async (place) => {
      await settled();
      equal(place.querySelector("[role=alert] p").textContent, "This game cannot be shown.");
    }),
  ),
};
