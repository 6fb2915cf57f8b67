import { actionName, actionsOf, betBefore } from "/ui/poker/actions.js";
import { amount, money, setBlind, setUnit } from "/ui/poker/amounts.js";
import { blockers, byDraw, byEquity, byMadeHand } from "/ui/poker/breakdown.js";
import { CLASS, CLASS_NAMES, comboNumber } from "/ui/poker/cards.js";
import { cellsOf } from "/ui/pages/study/cells.js";
import { lockTexts, paintedCells } from "/ui/pages/study/painting.js";
import { isPlayable } from "/ui/pages/study/shares.js";
import { actionColour } from "/ui/poker/colours.js";
import { differences } from "/ui/poker/comparing.js";
import { byClass, means } from "/ui/poker/figures.js";
import { followed } from "/ui/poker/shares.js";
import { equal } from "./check.js";

// First shares, what is typed (place and value), and the shares then.
const TYPED = [
  [[50, 20, 30], [[0, 0], [1, 60]], [0, 60, 40]],
  [[50, 20, 30], [[1, 60], [0, 0]], [0, 60, 40]],
  [[50, 20, 30], [[2, 40], [0, 0]], [0, 60, 40]],
  [[50, 20, 30], [[0, 0], [1, 60], [2, 40]], [0, 60, 40]],
  [[50, 20, 30], [[2, 40], [1, 60], [0, 0]], [0, 60, 40]],
  [[50, 20, 30], [[0, 90], [1, 20]], [90, 20, 0]], // refused, and not changed
  [[50, 20, 30], [[0, 0]], [0, 40, 60]],
  [[100, 0, 0], [[0, 40]], [40, 30, 30]],
  [[20, 80], [[0, 70], [1, 45]], [55, 45]],
  [[100], [[0, 40]], [40]],
  [[25, 25, 25, 25], [[0, 10], [1, 20], [3, 30]], [10, 20, 40, 30]],
];

function compared(actions, ev) {
  return {
    ev: [ev, null],
    equity: [0.5, 0.5],
    eqr: [1, 1],
    actions: Object.keys(actions).map((code) => ({ code, name: code, role: "bet" })),
    frequency: Object.values(actions).map(([share]) => share),
    action_ev: Object.values(actions).map(([, value]) => value),
  };
}

// OOP has AsAh and QdQc, IP KsKh and QsJs:0.5, on Ts3h2h5c; OOP bets.
const combos = (...names) => names.map(comboNumber);
const NODE = {
  board: "Ts3h2h5c", pot: 100, player: 0,
  hands: [
    {
      combos: combos("AhAs", "QcQd"), weight: [1, 1], matchups: [1, 3], equity: [0.95, 0.6], ev: [120, 40],
      eqr: [1.2, 0.6], made: [1, 1], draw: [0, 1],
    },
    {
      combos: combos("KhKs", "JsQs"), weight: [1, 0.5], matchups: [2, 2], equity: [0.3, 0.1], ev: [20, 10],
      eqr: [1, 1], made: [1, 2], draw: [1, 0],
    },
  ],
  strategy: [[0.25, 0.75], [0.75, 0.25]],
  action_evs: [[110, 50], [125, 30]],
  made_hands: ["set", "overpair", "nothing"],
  draws: ["gutshot", "no draw"],
};
const ALL = [1, 1];
// The same spot with a third player, IP, whose KhKs does not come here.
const ofThree = (hands) => ({ ...hands, equity: [null, null], eqr: [null, null], arrives: [true, true] });
const unknown = (hands) => ({ ...ofThree(hands), ev: [null, null] });
const THREE = {
  ...NODE,
  hands: [
    ofThree(NODE.hands[0]), unknown(NODE.hands[1]),
    { ...unknown(NODE.hands[1]), combos: combos("KhKs", "7d8d"), arrives: [false, true] },
  ],
};

export default {
  "shares that were typed stay": () => {
    for (const [first, typed, last] of TYPED) {
      let shares = [...first];
      const touched = [];
      for (const [place, value] of typed) {
        shares[place] = value;
        shares = followed(shares, touched, place);
        touched.push(place);
      }
      equal(shares, last);
    }
  },
  "what one of two solutions does not have makes no difference": () => {
    const here = compared({ X: [1, 50], B50: [0, null] }, 50);
    const there = compared({ X: [0.75, 49], B50: [0.25, 57.22], A: [0, null] }, 49.5);
    const found = {};
    for (const { what, who, action, here: a, there: b, difference } of differences(here, there)) {
      found[`${what} ${action?.code ?? who}`] = [a, b, difference];
    }
    equal(found["ev 0"], [50, 49.5, 0.5]);
    equal(found["ev 1"], [null, null, null]);
    equal(found["frequency X"], [1, 0.75, 0.25]);
    equal(found["frequency B50"], [0, 0.25, -0.25]);
    equal(found["action-ev B50"], [null, 57.22, null]);
    equal(found["frequency A"], [null, 0, null]);
    equal(found["action-ev A"], [null, null, null]);
  },
  "hands that do not arrive are grey, and say so": () => {
    const hands = NODE.hands.map((one) => ({ ...one }));
    hands[0] = { ...hands[0], arrives: [true, false], gone: combos("7c7d") };
    const node = { ...NODE, hands, actions: [{ code: "X", role: "passive" }, { code: "B50", role: "bet:0/1" }] };
    const view = { display: "strategy", metric: "none", heights: "normalized", suits: "grouped" };
    const cellOf = (name, shown) => {
      const cells = cellsOf(node, 0, byClass(node, 0, ALL), ALL, { ...view, ...shown }, ({ code }) => code);
      const { said, isEmpty, image } = cells[CLASS_NAMES.indexOf(name)];
      return [said.replace(/: (not \w+)?.*/, ": $1"), isEmpty, image.includes("--eq-line")];
    };
    equal(cellOf("AA"), ["AA: ", false, false]);
    equal(cellOf("QQ"), ["QQ: not reached", false, true]);
    equal(cellOf("77"), ["77: not reached", true, false]);
    equal(cellOf("KK"), ["KK: not held", true, false]);
    equal(cellOf("QQ", { suits: "individual" }), ["QQ: not reached", false, true]);
  },
  "amounts in chips, big blinds and percent of the pot": () => {
    const seen = () => [amount(50, 100), money(12.5, 100), money(null, 100), money(-0.00001, 100)];
    try {
      equal(seen(), ["50", "12.50", "–", "0.000"]);
      setUnit("pot");
      equal(seen(), ["50%", "12.5%", "–", "0.0%"]);
      setUnit("blinds");
      equal(seen(), ["50", "12.50", "–", "0.000"]); // nobody has said what a big blind is
      setBlind("5");
      equal(seen(), ["10", "2.50", "–", "0.00"]);
      setBlind("nonsense");
      equal(seen()[0], "50");
    } finally {
      setUnit("chips");
      setBlind("");
    }
    equal([money(0.00123456789, 0.5), money(0, 0.5)], ["0.00123457", "0"]);
  },
  "actions are named in the reader's unit; raises by what they add to a call": () => {
    const place = { pot: 274, to_call: 94, street: "flop", player: 1, actions: [] };
    const bet = { street: "flop", player: 0, chosen: 1, actions: [{ code: "X" }, { code: "B94" }] };
    equal(betBefore([bet, place], 1), 94);
    equal(betBefore([{ ...bet, street: "turn" }, place], 1), 0);
    const names = () => ["F", "C", "R260", "A910"].map((code) => actionName({ code }, place, 94));
    equal(names(), ["Fold", "Call", "Raise 260", "All-in 910"]);
    setUnit("pot");
    equal(names()[2], "Raise 45%"); // 166 of 368
    setUnit("chips");
  },
  "an action has one colour along a line": () => {
    const of = (code, role) => actionColour({ code, role });
    equal(of("B50", "bet:0/1"), of("B33", "bet:0/3"));
    equal(of("R120", "bet:0/2"), of("B33", "bet:0/3"));
    equal(of("A910", "bet:0/1"), of("A910", "bet:3/4"));
    const menus = [0, 1, 2, 3, 4].map((k) => of(`B${k + 1}`, `bet:${k}/5`));
    equal(new Set(menus).size, 5);
  },
  "actions of a table, by its columns": () => {
    const found = actionsOf(["board", "Fold freq", "Call freq", "Raise 9 freq", "All-in 20 freq", "Fold ev"]);
    equal(found.map(({ code }) => code), ["F", "C", "R9", "A20"]);
    equal(found.map(({ role }) => role), ["fold", "passive", "bet:0/2", "bet:1/2"]);
  },
  "groups of hands have the means of their hands": () => {
    const [pairs] = byMadeHand(NODE, 0, ALL);
    equal([pairs.name, pairs.combos, pairs.share], ["overpair", 2, 1]);
    equal(pairs.equity, (0.95 + 3 * 0.6) / 4);
    equal(pairs.frequency, [(0.25 + 3 * 0.75) / 4, (0.75 + 3 * 0.25) / 4]);
    equal(byDraw(NODE, 0, ALL).map(({ name, combos: n }) => [name, n]), [["gutshot", 1], ["no draw", 1]]);
    equal(byDraw(NODE, 0, [0, 1]).map(({ name, share }) => [name, share]), [["no draw", 1]]);
    equal(byEquity(NODE, 0, ALL).map(({ from, to, ev }) => [from, to, ev]), [[0.9, 1, 120], [0.5, 0.75, 40]]);
    equal(byMadeHand(NODE, 1, ALL)[0].frequency, []); // who does not act
  },
  "a card blocks the combos that have it": () => {
    const rows = blockers(NODE, 0, ALL);
    equal(rows.map(({ card }) => card), [51, 50, 41, 40]); // As Ah Qd Qc
    equal(rows.map(({ blocked }) => blocked), [0, 0, 0, 0]);
    const [first] = rows;
    equal(first.frequency, [0.25, 0.75]);
    equal(first.change, [-0.375, 0.375]);
    const kings = blockers({ ...NODE, hands: [NODE.hands[1], NODE.hands[1]], player: 1 }, 0, ALL);
    equal(kings.map(({ blocked }) => blocked), [1 / 1.5, 1 / 1.5, 0.5 / 1.5, 0.5 / 1.5]);
  },
  "painted hands make a lock for each node, and one entry for all hands of one mixture": () => {
    const combos = ["AsAh", "KhKs", "QdQc"].map(comboNumber);
    const hands = Object.fromEntries(combos.map((combo, k) => [combo, k < 2 ? "25|75" : "100|"]));
    const names = ["Check", "Bet 50"];
    const [lock, ...others] = lockTexts({ X: { names, hands }, "": { names, hands: {} } });
    equal(others, []);
    equal(lock.split(/[:;] /).slice(1).sort(), [
      "KsKh,AsAh = Check 25%, Bet 50 75%", "QdQc = Check 100%",
    ].sort());
    equal(lock.startsWith("X: "), true);
    const free = CLASS_NAMES.map(() => ({ isEmpty: true, text: "" }));
    const cells = paintedCells(free, combos, hands, ["#111111", "#222222"], (name, { painted, all }) => `${name} ${painted}/${all}`);
    equal(cells[0].said, "AA 1/1");
    equal(cells[0].isEmpty, false);
    equal(cells[2], free[2]);
  },
  "shares that are played add up": () => {
    const of = (shares, on = shares.map(() => true)) => isPlayable({ shares, on });
    equal([of([50, 50]), of([50, 49]), of([50, 0], [true, false]), of([0, 0], [false, false])], [true, false, true, false]);
    equal([of([Number.NaN, 100]), of([60, 60]), of([33.3, 33.3, 33.4])], [false, false, true]);
  },
  "of three players there are EVs of the one who acts, and no equities": () => {
    const [acts, waits] = [means(THREE, 0, ALL), means(THREE, 1, ALL)];
    equal([acts.ev, acts.equity, acts.eqr], [means(NODE, 0, ALL).ev, null, null]);
    equal(acts.frequency, means(NODE, 0, ALL).frequency);
    equal([waits.ev, waits.equity, waits.combos], [null, null, 1.5]);
    const at = (cells, hand) => cells[CLASS[comboNumber(hand)]];
    equal(at(byClass(THREE, 0, ALL), "AhAs").ev, 120);
    equal([at(byClass(THREE, 1, ALL), "KhKs").isHeld, at(byClass(THREE, 1, ALL), "KhKs").ev], [true, null]);
  },
  "hands that do not come here are told apart": () => {
    const cells = byClass(THREE, 2, ALL);
    const show = { heights: "normalized", suits: "grouped", display: "strategy", metric: "none" };
    const said = cellsOf(THREE, 2, cells, ALL, show, ({ name }) => name);
    equal(said[CLASS[comboNumber("KhKs")]].said, "KK: not reached");
    equal(said[CLASS[comboNumber("7d8d")]].said.includes("not reached"), false);
  },
  "a card blocks hands of both others": () => {
    const found = blockers(THREE, 0, ALL).find(({ card }) => comboNumber("AhAs") >= 0 && card === 51);
    equal(found.blocked, 0); // nobody else has the ace of spades
  },
  "classes have the weight of the combos that the board leaves": () => {
    const cells = byClass(NODE, 1, ALL);
    equal(cells[CLASS[comboNumber("KhKs")]].weight, 1 / 6);
    equal(cells.filter((one) => one).length, 2);
  },
};
