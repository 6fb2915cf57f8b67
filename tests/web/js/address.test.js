import { onReturn, place, said, say, topic } from "/ui/core/address.js";
import { drawn, equal, until } from "./check.js";

export default {
  "queries repeat lists and leave out what is empty": () => {
    const values = { move: ["a b", "c&d"], no: "", nothing: null, off: false, x: 0 };
    equal(place("games", values), "./games?move=a+b&move=c%26d&x=0");
    equal(place("games"), "./games");
  },
  "what a page is about stands behind its folder": () => {
    const before = location.href;
    for (const [path, about] of [["games/a%2Fb(c%3D1)", "a/b(c=1)"], ["explore/x", "x"], ["games/%E0%A4", "%E0%A4"]]) {
      history.replaceState({}, "", `/${path}?move=1&move=2`);
      equal([topic(), said().all("move")], [about, ["1", "2"]]);
    }
    history.replaceState({}, "", before);
  },
  "the address keeps what is said, with a step that Back undoes": async () => {
    const before = location.search;
    const steps = history.length;
    say({ game: "kuhn", step: 1 });
    equal([history.length, said().one("game"), said().number("step", 9)], [steps, "kuhn", 1]);
    say({ game: "kuhn", step: 1 }, true);
    equal(history.length, steps);
    say({ game: "leduc", step: "x" }, true);
    equal([history.length, said().number("step", 9), said().one("none", "else")], [steps + 1, 9, "else"]);
    let returned = 0;
    const Page = { setup: () => (onReturn(() => (returned += 1)), () => null) };
    await drawn(Page, {}, async () => {
      history.back();
      await until(() => returned > 0);
      equal([returned, said().one("game")], [1, "kuhn"]);
    });
    history.replaceState({}, "", `${location.pathname}${before}`);
  },
};
