import { onReturn, place, said, say } from "/ui/core/address.js";
import { drawn, equal, settled } from "./check.js";

export default {
  "queries repeat lists and leave out what is empty": () => {
    const values = { move: ["a b", "c&d"], no: "", nothing: null, off: false, x: 0 };
    equal(place("games", values), "./games?move=a+b&move=c%26d&x=0");
    equal(place("games"), "./games");
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
      await settled();
      equal([returned, said().one("game")], [1, "kuhn"]);
    });
    history.replaceState({}, "", `${location.pathname}${before}`);
  },
};
