import { Results } from "/ui/pages/review/results.js";
import { drawn, equal } from "./check.js";

const TOTAL = { judged: 0, unjudged: 0, loss_bb: 0, mean_loss_percent: null };
const EMPTY = {
  hands: 1, decisions: [], players: [], total: TOTAL, grades: {}, unjudged: {}, complete: true,
  left_out: [{ number: 1, name: "hands.phh", line: 1, reason: "no hand" }],
  by_street: {}, by_position: {}, by_player: {},
};

export default {
  "a review without decisions says so, and has no empty tables": () =>
    drawn(Results, { review: EMPTY, judges: [] }, (place) => {
      equal([place.querySelectorAll("table, select").length, place.querySelectorAll("dd").length], [0, 4]);
      equal([...place.querySelectorAll("dd")].every((fact) => fact.textContent !== ""), true);
      equal(place.querySelector("p").textContent.length > 0, true);
    }),
};
