// The clocks of the tables of a session: when each question has to be answered.
import { onBeforeUnmount, onMounted, reactive, ref } from "../../core/html.js";

const TICK = 200; // milliseconds

// `out` is told a table whose time is up.
export function runClocks(out) {
  const ends = reactive({}); // by table: the number of its question, when it ends, and whether that was before
  const now = ref(performance.now());
  let timer = 0;

  // Take the clocks of the tables of a session.
  function set(tables) {
    now.value = performance.now();
    for (const { table, question } of tables) {
      if (!question || question.seconds_left === null) {
        delete ends[table];
        continue;
      }
      const left = 1000 * question.seconds_left;
      ends[table] = { number: question.number, end: now.value + left, isStale: left <= 0 };
    }
  }

  function tick() {
    now.value = performance.now();
    for (const [table, { end, isStale }] of Object.entries(ends)) {
      if (!isStale && end <= now.value) out(Number(table));
    }
  }

  onMounted(() => (timer = setInterval(tick, TICK)));
  onBeforeUnmount(() => clearInterval(timer));
  return {
    set,
    isStale: (table) => ends[table]?.isStale ?? false,
    // The share of so many seconds that a table has left; null without a clock.
    left: (table, seconds) => (table in ends ? (ends[table].end - now.value) / (1000 * seconds) : null),
  };
}
