// Where documents come from. The only module that fetches.
import { place } from "./address.js";
import { onMounted, shallowRef, watch } from "./html.js";

const POINTER = /\n.*\n\s*\^+\s*$/;

// What is refused: `kind` and `option` choose the text that the page has for it; `sentence` is the
// engine's own, in English, with what to do.
export class Refusal extends Error {
  constructor(document, status) {
    super(document.error ?? `${status}`);
    const { kind = "Unknown", option = null, given = null, expected = null, remedy = null } = document;
    Object.assign(this, { kind, option, given, expected, status });
    const error = document.error?.replace(POINTER, ""); // marks of places are for a terminal
    this.sentence = [error, remedy && !error.includes(remedy) ? remedy : null]
      .filter(Boolean)
      .join("; ");
  }
}

// Whether who asks may solve, upload and delete; guests may not.
export const isOwner = document.documentElement.dataset.role === "owner";

async function reach(name, values, request) {
  const headers = { ...request.headers, "X-Refusals": "as-documents" }; // else the browser logs errors
  try {
    return await fetch(place(`api/${name}`, values), { ...request, headers });
  } catch {
    throw new Refusal({ kind: "Away" }, 0);
  }
}

async function read(answer) {
  const document = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(document, answer.status);
  if (typeof document.error === "string" && typeof document.status === "number") {
    throw new Refusal(document, document.status);
  }
  return document;
}

const ask = async (name, values, request) => read(await reach(name, values, request));

// The document with a name, such as `games/kuhn/tree`; throws a Refusal.
export const get = (name, values = {}, request = {}) => ask(name, values, request);

// Send a file, or an object as JSON, and get the document that answers; throws a Refusal.
export function send(method, name, body = null, values = {}) {
  if (body === null || body instanceof Blob) return ask(name, values, { method, body });
  return ask(name, values, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

// Throw the Refusal that a stream meets, if it meets one; nothing of it is read.
export async function checkStream(name, values) {
  const aborting = new AbortController();
  const answer = await reach(name, values, { signal: aborting.signal });
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) await read(answer);
  aborting.abort();
}

// The document that `wanted` names, [name, values], for a component: {document, error, fetching}. It
// follows `wanted`; a late answer to an earlier question is dropped. `loaded` is told each document.
export function follow(wanted, loaded = () => {}) {
  const [document, error] = [shallowRef(null), shallowRef(null)];
  let turn = 0;
  async function load() {
    turn += 1;
    const mine = turn;
    let [found, refusal] = [null, null];
    try {
      found = await get(...wanted());
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      refusal = problem;
    }
    if (mine !== turn) return;
    [document.value, error.value] = [found, refusal];
    if (found) loaded(found);
  }
  onMounted(load);
  watch(() => JSON.stringify(wanted()), load);
  return { document, error };
}

// End the session of this browser.
export async function signOut() {
  await fetch(place("leave"), { method: "POST" });
  location.assign(place("enter"));
}
