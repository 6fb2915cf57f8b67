// The hands of both ranges: those of the texts in the form, which painting changes.
import { shallowReactive } from "../../core/html.js";
import { Refusal, send } from "../../core/source.js";
import { noHands, textOf } from "../../poker/ranges.js";

const SEATS = ["oop", "middle", "ip"];
const PAUSE = 150; // milliseconds without another change before a text is read
const MOST = 200; // texts whose hands are known

// `written` gives the text of a seat; `change` takes another one as a step, `amend` writes it anew.
export function openHands(written, change, amend) {
  const weights = shallowReactive({ oop: noHands(), middle: noHands(), ip: noHands() });
  const shown = {}; // the texts whose weights these are
  const known = new Map([["", noHands()]]);
  const timers = {};

  function remember(text, found) {
    known.set(text, found);
    if (known.size > MOST) known.delete(known.keys().next().value);
  }

  // The weights of a text; null where it cannot be read.
  async function read(text) {
    if (known.has(text)) return known.get(text);
    try {
      const found = await send("POST", "ranges/read", { text });
      remember(text, Float64Array.from(found.weights));
      return known.get(text);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      return null;
    }
  }

  function show(seat, text, found) {
    [weights[seat], shown[seat]] = [found, text];
  }
  async function look(seat) {
    clearTimeout(timers[seat]);
    const text = written(seat);
    const found = await read(text);
    if (found && written(seat) === text) show(seat, text, found);
  }

  // Show the hands of the texts as they are now; what cannot be read leaves those before.
  function follow() {
    for (const seat of SEATS) {
      const text = written(seat);
      clearTimeout(timers[seat]);
      if (text === shown[seat]) continue;
      if (known.has(text)) show(seat, text, known.get(text));
      else timers[seat] = setTimeout(look, PAUSE, seat);
    }
  }

  // Write painted hands as the server would, unless something else came meanwhile.
  async function rewrite(seat, text, painted) {
    const found = await send("POST", "ranges/read", { text }).catch(() => null);
    if (!found || written(seat) !== text) return;
    remember(found.range, painted);
    shown[seat] = found.range;
    amend({ [seat]: found.range });
  }

  // Change the hands of a seat: `how` makes weights of weights. A text that is still being read comes
  // first, unless it is replaced meanwhile.
  async function paint(seat, how) {
    if (written(seat) !== shown[seat]) {
      const text = written(seat);
      await look(seat);
      if (written(seat) !== text) return;
    }
    const painted = how(weights[seat]);
    const text = textOf(painted);
    remember(text, painted);
    show(seat, text, painted);
    change({ [seat]: text });
    await rewrite(seat, text, painted);
  }

  return { weights, follow, paint };
}
