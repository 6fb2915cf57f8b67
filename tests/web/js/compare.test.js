import { spotDifferences } from "/ui/pages/compare/differences.js";
import { drawn, equal } from "./check.js";

const NOTHING = { cost: 0, pot: 100, decisions: [], hands: [] };
const ONE = { line: "", hands: 3, action: "", actions: [], reason: "in English" };

export default {
  "hands that are not compared say why": () => {
    const left = [
      { ...ONE, code: "action", action: "Bet 75", actions: ["Check", "Bet 50"] },
      { ...ONE, code: "line", line: "X-B75", hands: 1, action: "B75" },
      { ...ONE, code: "other" },
    ];
    const list = { setup: () => () => spotDifferences({ ...NOTHING, left_out: left }, { name: "turn" }) };
    return drawn(list, {}, (place) => {
      const rows = [...place.querySelectorAll("details li")];
      equal(rows.map((row) => row.textContent), [
        "the first decision, 3 hands: the solution has no action Bet 75 there: Check, Bet 50",
        "X-B75, 1 hand: B75 is not one of the actions on this line",
        "the first decision, 3 hands: in English",
      ]);
      equal(rows[2].querySelector("[lang=en]").textContent, "in English");
    });
  },
};
