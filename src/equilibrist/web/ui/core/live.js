// What changes on the server: one stream of events for the page, while it is in sight. The only module
// that opens streams. A browser has six connections to a server, which pages in all its tabs share.
import { place } from "./address.js";
import { onBeforeUnmount, onMounted, shallowRef, watch } from "./html.js";
import { checkStream, Refusal } from "./source.js";

const KINDS = ["jobs", "library", "run"];
const [FIRST_WAIT, LONGEST_WAIT] = [2000, 30_000]; // milliseconds before another try
const PATIENCE = 3000; // milliseconds without a connection of which nothing is said
const FINAL = [401, 403, 404, 422]; // what another try would meet again

// Why nothing is told: a Refusal; null while all is well.
export const interruption = shallowRef(null);

const listeners = new Set();
let stream = null;
let topics = ""; // those of the stream, or of the one that is to come
let position = ""; // the last event that was heard, from which the next stream goes on
let wait = FIRST_WAIT;
let [trying, telling] = [0, 0]; // timers

function well() {
  clearTimeout(telling);
  [telling, wait, interruption.value] = [0, FIRST_WAIT, null];
}

function close() {
  clearTimeout(trying);
  stream?.close();
  stream = null;
}

function hear(event) {
  position = event.lastEventId || position;
  const document = JSON.parse(event.data);
  for (const listener of listeners) listener.hear[event.type]?.(document);
}

// The stream was refused, or the browser has given up: find out why, and try again unless that is in vain.
async function fail(failed) {
  let refusal = null;
  try {
    await checkStream("events", { topics });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error;
  }
  if (stream !== failed) return;
  if (refusal) interruption.value = refusal;
  if (FINAL.includes(refusal?.status)) return;
  trying = setTimeout(open, wait);
  wait = Math.min(2 * wait, LONGEST_WAIT);
}

function open() {
  close();
  const asked = { topics, after: position, refusals: "silent" }; // else the browser logs errors
  const opened = new EventSource(place("api/events", asked));
  stream = opened;
  opened.onopen = well;
  opened.onerror = () => {
    if (opened.readyState === EventSource.CLOSED) {
      fail(opened);
      return;
    }
    telling ||= setTimeout(() => (interruption.value = new Refusal({ kind: "Away" }, 0)), PATIENCE);
  };
  for (const kind of KINDS) opened.addEventListener(kind, hear);
}

// One stream of all that is listened for, if the page is in sight.
function arrange() {
  const wanted = [...new Set([...listeners].flatMap((listener) => listener.topics()))].sort().join();
  if (wanted !== topics) {
    close();
    [topics, position] = [wanted, ""];
  }
  if (document.visibilityState === "hidden" || !topics) close();
  else if (!stream) open();
}

function watchSight(change) {
  window[change]("pageshow", arrange);
  window[change]("pagehide", close);
  document[change]("visibilitychange", arrange);
}

// Listen while the component is there. `wanted` gives topics (jobs, library, run:ID), also others
// later; `hear` has a function for each kind of event, which is told its document.
export function listen(wanted, hear) {
  const listener = { topics: wanted, hear };
  onMounted(() => {
    if (!listeners.size) watchSight("addEventListener");
    listeners.add(listener);
    arrange();
  });
  onBeforeUnmount(() => {
    listeners.delete(listener);
    if (!listeners.size) watchSight("removeEventListener");
    arrange();
  });
  watch(() => wanted().join(), arrange);
}
