import { onKeys } from "/ui/core/keys.js";
import { openHistory } from "/ui/core/undo.js";
import { drawn, equal, press } from "./check.js";

const openValues = () => {
  const taken = [];
  return { taken, ...openHistory("a", (value) => taken.push(value)) };
};

export default {
  "steps go back and forward": () => {
    const { taken, push, undo, redo, canUndo, canRedo } = openValues();
    equal([canUndo.value, canRedo.value], [false, false]);
    undo(); // there is nothing
    push("b");
    push("c");
    undo();
    undo();
    undo();
    redo();
    equal(taken, ["b", "a", "b"]);
    push("d"); // what was taken back is gone
    equal([canUndo.value, canRedo.value], [true, false]);
    undo();
    equal(taken.at(-1), "b");
  },
  "what is typed into a field at one go is one step": () => {
    const { taken, push, undo } = openValues();
    push("1", "pot");
    push("12", "pot");
    push("12 x", "stack");
    push("y"); // without a key each is one
    push("z");
    for (let k = 0; k < 5; k += 1) undo();
    equal(taken, ["y", "12 x", "12", "a"]);
  },
  "a value that is written anew is no step": () => {
    const { taken, push, amend, undo, redo } = openValues();
    push("AA,KK");
    amend("KK+");
    undo();
    redo();
    equal(taken, ["a", "KK+"]);
  },
  "Ctrl and Z are heard in fields, but not in dialogs": async () => {
    const heard = [];
    const Page = {
      setup() {
        onKeys({ "Ctrl+z": () => heard.push("undo"), "Ctrl+Shift+z": () => heard.push("redo"), z: () => heard.push("z") });
        return () => null;
      },
    };
    await drawn(Page, {}, () => {
      for (const place of ["input", "dialog", "div"]) {
        const element = document.body.appendChild(document.createElement(place));
        const own = document.body.appendChild(document.createElement("div"));
        own.dataset.keys = "all";
        press("z", { ctrlKey: true }, element);
        press("Z", { metaKey: true, shiftKey: true }, element);
        press("z", { ctrlKey: true }, own);
        press("z", { ctrlKey: true, altKey: true }, element);
        element.remove();
        own.remove();
      }
    });
    equal(heard, ["undo", "redo", "undo", "redo"]);
  },
};
