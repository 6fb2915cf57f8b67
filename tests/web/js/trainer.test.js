import { FIRST_FORM, fitting, positionsOf, requestOf } from "/ui/pages/trainer/fitting.js";
import { intervalText, lossText } from "/ui/pages/trainer/figures.js";
import { madeText, rangeName } from "/ui/poker/blueprint_ranges.js";
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
  "solved ranges say what each seat gains": () => {
    const set = {
      method: "multiway", hand: 'hand(bets="2.2x,a",raises="a")', seats: ["SB", "BB", "BTN"], buckets: "", samples: 2e6, minutes: 24,
      gain_mbb: 2, gain_interval_mbb: [1, 3], gains_mbb: [1, 2.04, 3],
    };
    equal(madeText(set).endsWith("in thousandths of a big blind per hand: SB 1.0, BB 2.0, BTN 3.0."), true);
    equal(madeText({ ...set, method: "blueprint", gains_mbb: [] }).includes("SB"), false);
  },
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
  "ranges name who has acted, and leave folds out": () => {
    const two = { seats: ["SB", "BB"] };
    const six = { seats: ["SB", "BB", "UTG", "HJ", "CO", "BTN"] };
    const named = (set, seat, line, action) => rangeName(set, { seat, line, action });
    equal([named(two, 0, "", "C"), named(two, 1, "R3", "A20")], ["SB: limp", "BB after raise to 3: all-in"]);
    equal(named(six, 5, "F-F-F", "R2.2"), "BTN: raise to 2.2");
    equal(named(six, 1, "F-F-R2.2-F-F", "C"), "BB after CO raise to 2.2: call");
    equal(named(six, 2, "R2.2-F-C-F-F-A20", "F"), "UTG after UTG raise to 2.2, CO call, BB all-in: fold");
  },
};
