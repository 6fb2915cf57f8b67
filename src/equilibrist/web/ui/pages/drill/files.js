// The drills of a site of files, which no server grades.
import { onMounted, ref, shallowRef } from "../../core/html.js";
import { Refusal } from "../../core/source.js";
import { ready } from "../../parts/frame.js";
import { dealerOf } from "./dealer.js";

// As `openPlace` of the server's drills; `open` gives what is stored of one, and `opened` is told it.
export function openStored(open, opened) {
  const [document, error, isBusy] = [shallowRef(null), shallowRef(null), ref(true)];
  let dealer = null;
  onMounted(async () => {
    try {
      dealer = dealerOf(await open());
      document.value = dealer.ask();
      opened(document.value);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      error.value = refusal;
    }
    isBusy.value = false;
    ready();
  });
  function act(what, given) {
    document.value = what === "answer" ? dealer.answer(given.action) : dealer.ask();
  }
  return { document, error, isBusy, act };
}
