import { Bets } from "/ui/pages/play/bets.js";
import { amountsOf, chips } from "/ui/pages/play/amounts.js";
import { Coach, mappedWords } from "/ui/pages/play/coach.js";
import { numberIn } from "/ui/pages/play/place.js";
import { whoName } from "/ui/pages/play/words.js";
import { Card } from "/ui/parts/cards.js";
import { actionColour, roleColour } from "/ui/poker/colours.js";
import { html } from "/ui/core/html.js";
import { drawn, equal, press, served, settled } from "./check.js";

const action = (word, ev, frequency, role) => ({ word, label: word, role, ev, error: null, frequency });
const SAID = {
  actions: [action("Fold", 0, 0, "fold"), action("Call", 1.25, 0.75, "passive"), action("All-in", -2, 0.25, "bet:0/1")],
  chosen: 2, best: 1, ev_loss: 3.25, estimated: false, grade: "blunder", share: 0.0325, stake_name: "pot",
  mapped: null, study: "/study/x?line=X", drill: null,
};
const PLACE = { unit: "chips", range: 100, kind: "spot" };
const text = (place, selector) => place.querySelector(selector).textContent;

export default {
  "amounts of chips, blinds and units": () => {
    const inChips = amountsOf({ unit: "chips", range: 100 });
    equal([inChips.value(1234.567), inChips.value(-0.001), inChips.value(null)], ["1,234.57", "0.00", "–"]);
    equal([inChips.payoff(3), inChips.payoff(-2.5), inChips.payoff(0), inChips.won(0.126)], ["+3", "-2.5", "0", "0.13"]);
    equal(inChips.withUnit("3"), "3 chips");
    const inBlinds = amountsOf({ unit: "big blinds", range: 1 });
    equal([inBlinds.value(0.12345), inBlinds.withUnit("1")], ["0.123", "1 big blind"]);
    const small = amountsOf({ unit: "units", range: 1e-4 });
    equal([small.value(1.23456e-4), small.value(1e-20), small.won(1.5e-8)], ["0.000123456", "0", "1.5e-8"]);
    equal([chips(30), chips(2.5), chips(1e6)], ["30", "2.50", "1,000,000"]);
  },
  "means have intervals where there are any": () => {
    const { mean, interval } = amountsOf({ unit: "units", range: 4 });
    equal([mean(null), mean({ mean: 0.5 }), mean({ mean: -0.5 }, 100)], ["–", "+0.500000", "-50.0000"]);
    equal(interval({ mean: 1, low: null, high: null }), "no interval yet");
    equal(interval({ mean: 1, low: -0.00001, high: 2 }, 100), "-0.0010 to 200.0000");
  },
  "the coach says what a choice costs": () => drawn(Coach, { said: SAID, place: PLACE }, (place) => {
    equal(
      text(place, "[data-part=said] > span:nth-of-type(2)"),
      "All-in has an EV loss of 3.25 chips, 3.25% of the pot; Call has the highest EV.",
    );
    equal([...place.querySelectorAll("td:nth-child(2)")].map((one) => one.textContent), ["0.00", "1.25", "-2.00"]);
    equal(text(place, "[data-chosen=true] td"), "All-in (you)");
    equal(place.querySelector("a").getAttribute("href"), "./study/x?line=X");
  }),
  "the coach says where nothing is lost, known or certain": async () => {
    const frequent = (shares) => SAID.actions.map((one, k) => ({ ...one, frequency: shares[k] }));
    const [sure, unknown] = [frequent([0.001, 0.999, 0]), frequent([null, null, null])];
    const texts = [
      [{ chosen: 1, ev_loss: 0, grade: "best" }, "Call has no EV loss; the solution mixes: Call 75%, All-in 25%."],
      [{ chosen: 0, ev_loss: 0.001, grade: "best" },
        "Fold has no EV loss, though the solution plays otherwise: Call 75%, All-in 25%."],
      [{ chosen: 1, ev_loss: 0, actions: sure }, "Call has no EV loss."],
      [{ chosen: 1, ev_loss: 0, actions: frequent([0.2, 0.5, 0.3]) },
        "Call has no EV loss; the solution mixes: Call 50%, All-in 30%, …."],
      [{ chosen: 0, ev_loss: 0, actions: unknown }, "Fold has no EV loss."],
      [{ ev_loss: null, grade: null }, "All-in: no EVs, since the solution never reaches this point."],
      [{ estimated: true, grade: null }, "All-in has an estimated EV loss of 3.25 chips, with 95% intervals below."],
      [{ share: null, grade: null }, "All-in has an EV loss of 3.25 chips; Call has the highest EV."],
    ];
    for (const [given, sentence] of texts) {
      await drawn(Coach, { said: { ...SAID, ...given }, place: PLACE }, (place) => {
        const spans = [...place.querySelectorAll("[data-part=said] > span")];
        equal(spans.at(-1).textContent, sentence);
      });
    }
  },
  "a bet is mapped to one or several": async () => {
    const shares = [{ word: "Check", probability: 0.25 }, { word: "Bet 50", probability: 0.75 }];
    const given = { setup: () => () => html`<p>${mappedWords({ amount: 20, share: 0.2, exact: false, shares })}</p>` };
    await drawn(given, {}, (place) => {
      equal(text(place, "p"), "Bet of 20, 20.0% of the pot: mapped to Check (25.0%) or Bet 50 (75.0%).");
    });
    equal(mappedWords({ exact: true }), "The solution has this bet.");
  },
  "a bet has to be a step of the rules": () => served(
    (address) => ({ amount: Number(new URL(address, location).searchParams.get("amount")), exact: true }),
    async () => {
      const bets = { least: 10, most: 90, step: 5, facing: 0, pot: 60, menu: [] };
      const done = [];
      await drawn(Bets, { bets, table: "play/tables/x", onBet: (amount) => done.push(amount) }, async (place) => {
        const field = place.querySelector("[type=number]");
        const button = [...place.querySelectorAll("button")].at(-1);
        const give = async (value) => {
          field.value = value;
          field.dispatchEvent(new Event("input"));
          await settled();
        };
        equal([field.value, button.textContent], ["30", "Bet 30"]);
        equal(place.querySelectorAll("button").length, 5); // a third of the pot is 20
        for (let k = 0; k < 50 && !text(place, "[role=status]"); k += 1) await settled(); // it is asked after a pause
        equal(text(place, "[role=status]"), "The solution has this bet.");
        for (const wrong of ["31", "5", "95", ""]) {
          await give(wrong);
          equal([button.disabled, text(place, "[role=status]")], [true, "A bet is from 10 to 90 chips."]);
          press("Enter", {}, field);
        }
        await give("90");
        equal(button.textContent, "All-in 90");
        press("Enter", {}, field);
      });
      equal(done, [90]);
    },
  ),
  "cards have names": async () => {
    const names = [["As", "ace of spades"], ["Td", "ten of diamonds"], ["7h", "7 of hearts"], ["K", "king"], [null, "face down"]];
    for (const [code, name] of names) {
      await drawn(Card, { code }, (place) => equal(place.querySelector("[role=img]").getAttribute("aria-label"), name));
    }
  },
  "actions have the colours that they have in studies": () => {
    const coded = { "fold": "F", "passive": "C", "bet:0/1": "B30", "bet:2/3": "B90" };
    for (const [role, code] of Object.entries(coded)) equal(roleColour(role, "raise 90"), actionColour({ role, code }));
    equal(roleColour("bet:2/3", "all-in"), actionColour({ role: "bet:2/3", code: "A180" }));
    equal(roleColour("game:9/12"), "var(--eq-action-1)");
  },
  "who moves, and numbers of the address": () => {
    equal(["chance", "you", "AI", "AI 2", "Ada"].map(whoName), ["chance", "you", "AI", "AI 2", "Ada"]);
    equal(["", "7", "x", "-1", "9007199254740993"].map(numberIn), [null, 7, "x", "-1", "9007199254740993"]);
  },
};
