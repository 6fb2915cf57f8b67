import { entryPlace, entryTitle, isOwn, measureOf, runStateText, valueOf } from "/ui/parts/entry_texts.js";
import { gameName, gamesCalled } from "/ui/poker/games.js";
import { isNamed, titleText } from "/ui/poker/titles.js";
import { equal } from "./check.js";

const NOTHING = {
  game: null, board: null, pot: null, stack: null, bets: null, oop: null, ip: null, pot_type: null,
  has_blinds: false, has_locks: false, has_folded: false, rake: null, stacks: null, ante: null, big_blind_ante: null, payouts: null,
};
const SPOT = { ...NOTHING, text: "x", kind: "spot", board: "QsJh2h", pot: 180, stack: 910, bets: [0.52] };

const entry = (more, title = SPOT) => ({
  name: "x", measure: null, measure_name: null, measure_unit: null, measure_percent: null, values: null, title, ...more,
});

export default {
  "titles of spots, of hands from the first card, and of games": () => {
    equal(titleText(SPOT), "QsJh2h, pot 180, stack 910, bets 52%");
    equal(
      titleText({ ...SPOT, oop: "BB", ip: "BTN", pot_type: "3-bet", rake: 0.05, has_locks: true }),
      "BTN against BB, 3-bet pot, QsJh2h, pot 180, stack 910, bets 52%, rake 5%, with locks",
    );
    const hand = { ...NOTHING, text: "push or fold", kind: "push-fold", stacks: [10, 10] };
    equal(titleText(hand), "Push or fold, 2 seats, 10 bb");
    equal(
      titleText({ ...hand, stacks: [10, 7.5, 12], ante: 0.1, payouts: [50, 30, 20] }),
      "Push or fold, 3 seats, 10 / 7.5 / 12 bb, ante 0.1, payouts 50 / 30 / 20",
    );
    equal(titleText({ ...hand, kind: "blueprint", stacks: [100, 100], has_blinds: true }), "Blueprint, 2 seats, stacks 100");
    equal(titleText({ ...hand, stacks: null }), "push or fold"); // a header that cannot be read
    equal(titleText({ ...NOTHING, kind: "game", text: "kuhn", game: "kuhn" }), "Kuhn poker");
    const own = { ...NOTHING, kind: "game", text: "my.efg", game: null };
    equal([titleText(own), isNamed(own), isNamed({ ...own, game: "leduc(players=3)" })], ["my.efg", true, false]);
    equal(["KUHN", "poker bet", "hold'em", " ", "nothing"].map(gamesCalled), [
      ["kuhn", "kuhn_bets"], ["kuhn_bets"], ["leduc"], [], [],
    ]);
    equal(["leduc(players=3)", "prisoners_dilemma", "library:mine", "unheard_of", ""].map(gameName), [
      "Leduc hold'em (players=3)", "Prisoner's dilemma", "library:mine", "unheard_of", "",
    ]);
  },
  "titles of three players have their seats and stacks": () => {
    const three = { ...SPOT, kind: "three", middle: null, stack: null, stacks: [240, 90, 400] };
    equal(titleText(three), "Three players, QsJh2h, pot 180, stack 240 / 90 / 400, bets 52%");
    const named = { ...three, oop: "SB", middle: "BB", ip: "BTN", stack: 240, stacks: [240, 240, 240] };
    equal(titleText(named), "SB, BB and BTN, QsJh2h, pot 180, stack 240, bets 52%");
    const found = entry({ measure: 0.06, measure_unit: "chips", measure_percent: 0.1, values: [1, 2, 3] }, named);
    equal(measureOf(found).about, "What all three gain together, 0.06 chips");
    equal(valueOf(found).about, "chips, SB / BB / BTN");
    equal(entryPlace(found).endsWith("study/x"), true);
  },
  "a damaged file is said to be that, and leads nowhere": () => {
    const damaged = entry({}, { ...NOTHING, kind: "damaged", text: "x" });
    equal(entryTitle(damaged), { text: "A damaged file", isData: false });
    equal(entryPlace(damaged), null);
  },
  "where solutions are looked at": () => {
    const placeOf = (kind) => entryPlace(entry({ name: "a b" }, { ...NOTHING, kind }));
    equal([placeOf("spot"), placeOf("game"), placeOf("multiway")], ["./study/a%20b", "./explore/a%20b", "./charts/a%20b"]);
  },
  "those of the command line are not changed here": () => {
    const names = ["last", "last-2", "last.safetensors", "lasting", "given", "x"];
    equal(names.map((name) => isOwn({ name })), [false, false, true, true, false, true]);
  },
  "what was measured, with its unit": () => {
    const chips = { measure: 0.516, measure_name: "exploitability", measure_unit: "chips", measure_percent: 0.516 };
    equal(measureOf(entry(chips)), { figure: "0.516% of the pot", about: "Exploitability, 0.516 chips" });
    const tiny = { ...chips, measure: 1e-6, measure_name: "mean gain", measure_percent: 1e-6 };
    equal(measureOf(entry(tiny)), { figure: "less than 0.001% of the pot", about: "Mean gain, 1.00e-6 chips" });
    const big = { measure: 0.002, measure_name: "NashConv", measure_unit: "big-blinds" };
    equal(measureOf(entry(big)), { figure: "2.00e-3", about: "NashConv, big blinds" });
    equal(measureOf(entry({ ...big, measure_unit: "prize-pool" })), { figure: "0.2% of the prize pool", about: "NashConv" });
    equal(measureOf(entry({})), null);
  },
  "what the players earn, with its unit": () => {
    const values = { values: [60.12, 39.88], measure_unit: "chips" };
    equal(valueOf(entry(values)), { figure: "60.1 / 39.9", about: "chips, OOP / IP" });
    equal(valueOf(entry(values, { ...SPOT, oop: "BB", ip: "BTN" })).about, "chips, BB / BTN");
    const game = { ...NOTHING, kind: "game" };
    const three = { values: [-1, 0.5, 0.5], measure_unit: "payoffs" };
    equal(valueOf(entry(three, game)), { figure: "-1 / 0.5 / 0.5", about: "payoff units" });
    const prizes = { values: [0.5, 0.3, 0.2], measure_unit: "prize-pool" };
    equal(valueOf(entry(prizes, game)), { figure: "50% / 30% / 20%", about: "of the prize pool" });
    equal(valueOf(entry({})), null);
  },
  "a run that has saved a solution": () => {
    equal([runStateText({ state: "paused" }), runStateText({ state: "new" })], ["is paused", "has not ended"]);
  },
};
