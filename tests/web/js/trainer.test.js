import { FIRST_FORM, fitting, positionsOf, requestOf } from "/ui/pages/trainer/fitting.js";
import { intervalText, lossText } from "/ui/pages/trainer/figures.js";
import { equal } from "./check.js";

const spot = (solution, oop, ip, spr, street) => ({ solution, positions: [oop, ip], spr, street, title: {} });
const SOLUTIONS = [
  spot("a", "BB", "BTN", 2, "river"),
  spot("b", "SB", "BB", 5, "flop"),
  spot("c", "OOP", "IP", 8.5, "turn"),
  { ...spot("p", "SB", "BB", null, "preflop") },
  { solution: "kuhn", positions: null, spr: null, street: null, title: {} },
];
const names = (form) => fitting(SOLUTIONS, { ...FIRST_FORM, ...form }).map(({ solution }) => solution).join("");

export default {
  "the solutions that fit a form": () => {
    equal(names({}), "abc");
    equal(names({ positions: ["BTN"] }), "a");
    equal(names({ positions: ["BB"] }), "ab");
    equal(names({ streets: ["turn"] }), "bc");
    equal(names({ streets: ["flop", "turn"] }), "bc");
    equal(names({ streets: ["preflop"] }), "p");
    equal(names({ streets: ["preflop", "flop"] }), "bp");
    equal(names({ solutions: ["p"] }), "p");
    equal(names({ solutions: ["p"], stacks: "deep" }), "");
    equal(names({ stacks: "short" }), "a");
    equal(names({ stacks: "deep" }), "c");
    equal(names({ solutions: ["a", "kuhn"] }), "akuhn");
    equal(names({ solutions: ["a", "kuhn"], streets: ["river"] }), "a");
  },
  "positions are in the order of acting": () => {
    const examples = [
      { kind: "spot", title: { oop: "UTG", ip: "BTN" } },
      { kind: "spot", title: { oop: null, ip: "CO" } },
      { kind: "push-fold", title: { oop: "X" } },
    ];
    equal(positionsOf(SOLUTIONS, examples).join(), "SB,BB,UTG,CO,BTN,IP,OOP");
  },
  "the request of a form": () => {
    equal(requestOf(FIRST_FORM), {
      solutions: null, positions: null, streets: null, spr: null, difficulty: "any", first: false, tables: 1,
      seconds: null, questions: 20,
    });
    const form = { ...FIRST_FORM, streets: ["turn"], stacks: "middle", first: "first", seconds: "10", questions: "" };
    equal(requestOf(form), {
      solutions: null, positions: null, streets: ["turn"], spr: [3, 8], difficulty: "any", first: true, tables: 1,
      seconds: 10, questions: null,
    });
  },
  "losses and their intervals are shares of the pot": () => {
    const share = { mean: 0.0125, low: -0.01, high: 0.035 };
    equal([lossText({ share }), intervalText({ share })], ["1.25%", "0.00% to 3.50%"]);
    equal([lossText({ share: null }), intervalText({ share: { ...share, low: null } })], ["–", "no interval yet"]);
  },
};
