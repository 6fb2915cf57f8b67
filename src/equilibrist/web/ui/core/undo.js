// What was painted, cleared or typed can be taken back, and done again: a stack of whole values.
import { computed, shallowRef } from "./html.js";

const MOST = 200; // steps
const PAUSE = 1000; // milliseconds after which another change of the same thing is a step of its own

// Begin with a value; `take` is told the values that come back. `push` adds the next one: changes of
// one `key` in short succession are one step. `amend` puts another value in place of the last one.
export function openHistory(first, take) {
  const [past, future] = [shallowRef([]), shallowRef([])];
  let [value, last, time] = [first, null, 0];

  function push(next, key = null) {
    const isSame = key !== null && key === last && Date.now() - time < PAUSE;
    if (!isSame) past.value = [...past.value, value].slice(-MOST);
    if (future.value.length) future.value = [];
    [value, last, time] = [next, key, Date.now()];
  }

  function step(from, to) {
    if (!from.value.length) return;
    to.value = [...to.value, value];
    [value, last] = [from.value.at(-1), null];
    from.value = from.value.slice(0, -1);
    take(value);
  }

  return {
    push,
    amend: (next) => (value = next),
    undo: () => step(past, future),
    redo: () => step(future, past),
    canUndo: computed(() => past.value.length > 0),
    canRedo: computed(() => future.value.length > 0),
  };
}
