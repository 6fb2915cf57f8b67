import { shownName, shownWay, textOfShown } from "/ui/parts/labels.js";
import { Walk } from "/ui/parts/walk.js";
import { sheetAt } from "/ui/pages/learn/sheet.js";
import { stepName } from "/ui/pages/learn/sampled.js";
import { drawn, equal, served } from "./check.js";

const KUHN = { 1: "J", 2: "Q", 3: "K", "1pb": "Jpb" };
const HISTORY = {
  game: "kuhn", shown_names: KUHN, history: ["1"], kind: "chance", player: -1, infoset: "", num_steps: 2,
  passed: [{ kind: "chance", player: -1, infoset: "", label: "1", probability: 1 / 3 }],
  steps: [{ label: "2", probability: 0.5, values: null }, { label: "3", probability: 0.5, values: null }],
  reach: 1 / 3, chance_reach: 1 / 3, values: null,
};

export default {
  "names that are shown, and those of the game": () => {
    equal(["1", "1pb", "2pb", "bet"].map((text) => shownName(KUHN, text)), ["J", "Jpb", "2pb", "bet"]);
    equal(shownName(undefined, "1"), "1");
    equal([shownWay(KUHN, ["1", "3", "bet"]), shownWay(KUHN, ["1", "3"], ", "), shownWay({}, [])],
      ["J K bet", "J, K", "(the start)"]);
    equal(["Jpb", "1pb", "J", "x"].map((typed) => textOfShown(KUHN, typed)), ["1pb", "1pb", "1", "x"]);
  },
  "histories of lessons have the cards": () => {
    const history = {
      history: ["1", "2"], chance_reach: 1, others_reach: 1, own_reach: 1, counterfactual_reach: 1, values: [1],
      value: 1, regrets: [0],
    };
    const turn = { player: 0, infoset: "1", actions: ["pass"], strategy: [1], histories: [history] };
    const lesson = { shown_names: KUHN, stages: ["reach"], coefficients: {}, turns: [turn] };
    equal(sheetAt(lesson, 0).rows[0].name, "J Q");
    equal(stepName({ kind: "chance", history: ["3"] }, KUHN), "K");
  },
  "a walk shows cards, and asks by the texts of the game": async () => {
    const went = [];
    await served(() => HISTORY, () => drawn(
      Walk,
      { source: "games/kuhn", moves: ["1"], onGo: (moves) => went.push(moves) },
      async (page) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        const ways = [...page.querySelectorAll("[data-way]")];
        equal(ways.map((way) => way.textContent.trim()), ["Q", "K"]);
        ways[1].click();
      },
    ));
    equal(went, [["1", "3"]]);
  },
};
