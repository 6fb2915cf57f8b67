import { infosetsOf, keyOf, packOf } from "/ui/core/packs.js";
import { equal } from "./check.js";

const row = (infoset, player, p, value, regret) => ({
  infoset, player, strategy: { a: p, b: 1 - p }, value, regrets: regret === null ? null : { a: regret, b: -1 },
});
const TABLE = {
  total: 4, start: 0,
  infosets: [row("2p", 1, 1, 0.5, 2), row("1", 0, 0.5, null, 5), row("1pb", 0, 0.9, -1, null), row("[x]", 1, 0.5, 0.5, 1)],
};
const names = (values) => infosetsOf(TABLE, { count: 25, ...values }).infosets.map(({ infoset }) => infoset);

export default {
  "a question is the same in any order, and without what is not given": () => {
    equal(keyOf({ b: 2, a: ["x", "y"], c: "", d: null, e: false, f: true, g: undefined, h: [] }),
      '[["a","x"],["a","y"],["b","2"],["f","true"]]');
    equal(keyOf({}), "[]");
    equal(keyOf({ q: 'ä"\n\u2028' }), '[["q","ä\\"\\n\u2028"]]');
  },
  "packs are told apart by some of the values, and by the beginning of lists": () => {
    const document = { by: ["move"], packs: { "[]": "p0", '[["move","x"]]': "p1" } };
    equal([{}, { move: [] }, { move: ["x", "y"], other: 1 }, { move: ["z"] }].map((v) => packOf(document, v) ?? null),
      ["p0", "p0", "p1", null]);
    equal(packOf({ by: [], packs: { "[]": "p" } }, { any: 1 }), "p");
    const boards = { by: ["board"], packs: { "[]": "p0", '[["board","8h"]]': "p1", '[["board","8h2c"]]': "p2" } };
    equal([{}, { line: "X-B50" }, { line: "X-X|8h" }, { line: "X-X|8h|X-X|2c|B5" }].map((v) => packOf(boards, v)),
      ["p0", "p0", "p1", "p2"]);
  },
  "infosets are found by patterns of their whole keys, which have two signs": () => {
    equal(names({ match: "*p*" }), ["2p", "1pb"]);
    equal(names({ match: "?p" }), ["2p"]);
    equal(names({ match: "[x]" }), ["[x]"]);
    equal(names({ match: "1" }), ["1"]);
    equal(names({ key: "1pb", match: "" }), ["1pb"]);
    equal(names({ player: "1" }), ["2p", "[x]"]);
    equal(names({ player: "" }).length, 4);
  },
  "infosets are found by what is shown for their keys, too": () => {
    const found = (wanted) =>
      infosetsOf(TABLE, { count: 25, ...wanted }, { 1: "J", "1pb": "Jpb" }).infosets.map(({ infoset }) => infoset);
    equal(found({ match: "J*" }), ["1", "1pb"]);
    equal(found({ match: "1*" }), ["1", "1pb"]);
    equal(found({ key: "Jpb" }), ["1pb"]);
  },
  "infosets are sorted by figures, those without one last, equal ones in the order of the game": () => {
    equal(names({ order: "infoset" }), ["1", "1pb", "2p", "[x]"]);
    equal(names({ order: "infoset", descending: true }), ["[x]", "2p", "1pb", "1"]);
    equal(names({ order: "player", descending: true }), ["2p", "[x]", "1", "1pb"]);
    equal(names({ order: "value", descending: true }), ["2p", "[x]", "1pb", "1"]);
    equal(names({ order: "mixing", descending: true }), ["1", "[x]", "1pb", "2p"]);
    equal(names({ order: "regret" }), ["[x]", "2p", "1", "1pb"]);
  },
  "a page of infosets begins where it is asked to": () => {
    const page = infosetsOf(TABLE, { start: 1, count: 2 });
    equal([page.total, page.start, page.infosets.map(({ infoset }) => infoset)], [4, 1, ["1", "1pb"]]);
  },
};
