import { html } from "/ui/core/html.js";
import { onKeys } from "/ui/core/keys.js";
import { drawn, equal, press } from "./check.js";

export default {
  "keys act on the page, not in fields, nor with Ctrl": async () => {
    const done = [];
    const Page = {
      setup() {
        onKeys({ ArrowRight: () => done.push("right"), "Shift+ArrowRight": () => done.push("far"), a: () => done.push("a") });
        return () => html`<input /><div data-keys tabindex="0"></div>`;
      },
    };
    await drawn(Page, {}, (place) => {
      equal(press("ArrowRight"), false); // what is done is not the browser's any more
      press("ArrowRight", { shiftKey: true });
      press("a");
      equal(press("b"), true);
      for (const how of ["ctrlKey", "metaKey", "altKey"]) press("ArrowRight", { [how]: true });
      press("ArrowRight", {}, place.querySelector("input"));
      press("ArrowRight", {}, place.querySelector("div"));
    });
    press("ArrowRight");
    equal(done, ["right", "far", "a"]);
  },
  "keys that buttons, links and sliders have are theirs": async () => {
    const done = [];
    const Page = {
      setup() {
        const keys = ["1", "Enter", " ", "ArrowRight", "Escape"];
        onKeys(Object.fromEntries(keys.map((key) => [key, () => done.push(key)])));
        return () => html`<button><i></i></button><a href="./"></a><input type="range" />`;
      },
    };
    await drawn(Page, {}, (place) => {
      for (const one of place.querySelectorAll("i, a")) {
        for (const key of ["1", "Enter", " ", "Escape"]) press(key, {}, one);
      }
      for (const key of ["1", "Enter", "ArrowRight"]) press(key, {}, place.querySelector("input"));
    });
    equal(done, ["1", "Escape", "1", "Escape", "1"]);
  },
};
