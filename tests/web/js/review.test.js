import { Results } from "/ui/pages/review/results.js";
import { drawn, equal } from "./check.js";

const TOTAL = { judged: 0, unjudged: 0, loss_bb: 0, mean_loss_percent: null };
const EMPTY = {
  hands: 1, decisions: [], players: [], total: TOTAL, grades: {}, unjudged: {}, complete: true,
  left_out: [{ number: 1, name: "hands.phh", line: 1, reason: "no hand" }], // as before there were codes
  by_street: {}, by_position: {}, by_player: {},
};

export default {
  "a review without decisions says so, and has no empty tables": () =>
    drawn(Results, { review: EMPTY, judges: [] }, (place) => {
      equal([place.querySelectorAll("table, select").length, place.querySelectorAll("dd").length], [0, 4]);
      equal([...place.querySelectorAll("dd")].every((fact) => fact.textContent !== ""), true);
      equal(place.querySelector("p").textContent.length > 0, true);
      equal(place.querySelector("li [lang=en]").textContent, "no hand");
    }),
  "hands that are left out say why, and other programs in their own words": () => {
    const turn = { fault: "not-in-turn", values: { player: "Bob", verb: "folds", other: "{Eve}" } };
    const street = { fault: "cards-of-street", values: { street: "flop", cards: "AhKd" } };
    const code = { fault: "not-allowed-here", values: { action: "p1 f", detail: "Not now." } };
    const known = [turn, street, code].map((out) => ({ code: "impossible", reason: "in English", ...out }));
    const others = [{ fault: "of-later", code: "impossible" }, { fault: "cap", code: "of-later" }];
    const all = [...known, ...others.map((out) => ({ values: {}, reason: "in English", ...out }))];
    const left = all.map((out, k) => ({ number: k + 1, name: `${k}`, line: 9, ...out }));
    return drawn(Results, { review: { ...EMPTY, left_out: left }, judges: [] }, (place) => {
      const rows = [...place.querySelectorAll("details li")];
      equal(rows.map((row) => row.textContent), [
        "hand 0, line 9: “Bob” folds, and it is the turn of “{Eve}”",
        "hand 1, line 9: the flop has the cards “AhKd”",
        "hand 2, line 9: PokerKit does not allow “p1 f” here: Not now.",
        "hand 3, line 9: in English",
        "hand 4, line 9: in English",
      ]);
      equal(rows.map((row) => [...row.querySelectorAll("[lang=en]")].map((one) => one.textContent)), [
        [], [], ["Not now."], ["in English"], ["in English"],
      ]);
    });
  },
};
