import { hasText, language, pieces, t } from "/ui/core/texts.js";
import { equal, refuses } from "./check.js";

export default {
  "values and plurals are put in": () => {
    equal(language, "en");
    equal(t("lesson.at", { iteration: 2, step: 3, steps: 73 }), "Iteration 2, step 3 of 73");
    equal(t("tree.name", { n: 1 }).startsWith("Game tree of 1 history;"), true);
    equal(t("tree.name", { n: 5 }).startsWith("Game tree of 5 histories;"), true);
  },
  "a value with signs of its own is left alone": () => {
    equal(t("lesson.lost", { infoset: "$& {player} $1" }), "$& {player} $1 is no infoset of this game");
  },
  "pieces keep values as they are": () => {
    const node = { node: true };
    equal(pieces("lesson.infoset-of", { infoset: node, player: 1 }), ["Infoset ", node, " of player ", 1, ""]);
  },
  "a key that is not there is refused": async () => {
    equal((await refuses(() => t("no.such.key"))).message, "no text no.such.key");
    equal([hasText("section.learn"), hasText("no.such.key")], [true, false]);
  },
  "the pseudo-language marks every text and makes it longer": async () => {
    localStorage.setItem("equilibrist.language", "en-XA");
    try {
      const pseudo = await import("/ui/core/texts.js?pseudo");
      const text = pseudo.t("section.learn");
      equal([text[0], text.at(-1)], ["⟦", "⟧"]);
      const [plain, long] = [t, pseudo.t].map((one) => one("lesson.about.reach").length);
      equal(long > 1.4 * plain, true);
      equal(pseudo.pieces("lesson.infoset-of", { infoset: "x", player: 1 })[4], "");
    } finally {
      localStorage.removeItem("equilibrist.language");
    }
  },
  "Chinese has one form for all numbers": async () => {
    localStorage.setItem("equilibrist.language", "zh");
    try {
      const chinese = await import("/ui/core/texts.js?chinese");
      equal(chinese.language, "zh");
      equal([1, 5].map((n) => chinese.t("title.seats", { n })), ["1 个座位", "5 个座位"]);
      equal(chinese.anyOf(["a", "b", "c"]), ["a", "、", "b", "或", "c"]);
    } finally {
      localStorage.removeItem("equilibrist.language");
    }
  },
};
