// Where documents come from: a server, or the packs of a site of files. The only module that fetches.
import { file, isOfFiles, place } from "./address.js";
import { onMounted, shallowRef, watch } from "./html.js";
import { infosetsOf, keyOf, packOf } from "./packs.js";

const REQUESTS = /(?:; [^;()]*|\. )\/api\/[^;]*|\s\([^()]*\/api\/[^()]*\)/g; // remedies for programs
const POINTER = /\n.*\n\s*\^+\s*$/;

// What is refused: `kind` and `option` choose the text that the page has for it; `sentence` is the
// engine's own, in English, with what to do on a page.
export class Refusal extends Error {
  constructor(document, status) {
    super(document.error ?? `${status}`);
    const { kind = "Unknown", option = null, given = null, expected = null, remedy = null } = document;
    Object.assign(this, { kind, option, given, expected, status });
    const error = document.error?.replace(POINTER, ""); // marks of places are for a terminal
    this.sentence = [error, remedy && !error.includes(remedy) ? remedy : null]
      .filter(Boolean)
      .join("; ")
      .replace(REQUESTS, "");
  }
}

// Whether who asks may solve, upload and delete; guests may not, and nobody where no server is.
export const isOwner = document.documentElement.dataset.role === "owner";

// What a site of files has; null where a server answers.
const site = isOfFiles ? await (await fetch(file("site.json"), { cache: "no-cache" })).json() : null;

// Whether there is something: a section, a document by its name, `csv` files, or `questions` that
// nobody has foreseen. A server has all of it.
export const can = (what) => !site || site.sections.includes(what) || what in site.documents;

// Whether a site has the answer to a question about a document, as far as its list of packs tells.
export const holds = (name, values) => Boolean(site?.documents[name] && packOf(site.documents[name], values));

const QUIETLY = { "X-Refusals": "as-documents" }; // else the browser logs errors

async function reach(name, values, request) {
  const headers = { ...request.headers, ...QUIETLY };
  try {
    return await fetch(place(`api/${name}`, values), { ...request, headers });
  } catch {
    throw new Refusal({ kind: "Away" }, 0);
  }
}

async function read(answer) {
  const document = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(document, answer.status);
  return checked(document);
}

// A document that is none of a refusal.
function checked(document) {
  if (typeof document.error === "string" && typeof document.status === "number") {
    throw new Refusal(document, document.status);
  }
  return document;
}

const ask = async (name, values, request) => read(await reach(name, values, request));

const MOST_OPEN = 20; // packs
const packs = new Map();

// The documents of a pack: it is compressed, and opened here, for servers of files differ in how they
// send such files.
async function unpack(pack) {
  try {
    const { body } = await fetch(file(`packs/${pack}.pack`));
    return await new Response(body.pipeThrough(new DecompressionStream("gzip"))).json();
  } catch {
    throw new Refusal({ kind: "Away" }, 0);
  }
}

async function stored(name, { stamp, ...values }) { // the stamp tells files of a library apart
  const rows = /\/infosets$/.test(name) ? values : null;
  const [question, table] = [rows ? {} : values, site.documents[name]];
  const pack = table && packOf(table, question);
  if (!pack) throw new Refusal({ kind: "NotStored" }, 404);
  const opened = packs.get(pack) ?? unpack(pack);
  packs.delete(pack);
  packs.set(pack, opened); // the newest
  if (packs.size > MOST_OPEN) packs.delete(packs.keys().next().value);
  opened.catch(() => packs.delete(pack));
  const document = (await opened)[keyOf(question)];
  if (document === undefined) throw new Refusal({ kind: "NotStored" }, 404);
  const told = checked(document);
  if (!rows) return told;
  const { shown_names: shown } = await stored(name.replace(/infosets$/, "facts"), {});
  return infosetsOf(told, rows, shown);
}

// The document with a name, such as `games/kuhn/tree`; throws a Refusal.
export const get = (name, values = {}, request = {}) => (site ? stored(name, values) : ask(name, values, request));

// Send a file, or an object as JSON, and get the document that answers; throws a Refusal.
export function send(method, name, body = null, values = {}) {
  if (body === null || body instanceof Blob) return ask(name, values, { method, body });
  return ask(name, values, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

// Send a file with PUT, and get the document that answers; `onSent` is told which share of it has gone.
// Throws a Refusal. Requests by `fetch` do not tell how far they are.
export function upload(name, file, onSent) {
  const request = new XMLHttpRequest();
  request.open("PUT", place(`api/${name}`));
  for (const [header, value] of Object.entries(QUIETLY)) request.setRequestHeader(header, value);
  request.upload.onprogress = ({ loaded, total }) => onSent(total ? loaded / total : 1);
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(new Refusal({ kind: "Away" }, 0));
    request.onload = () => {
      const answer = new Response(request.responseText, { status: request.status });
      read(answer).then(resolve, reject);
    };
    request.send(file);
  });
}

// Send an object as JSON, and tell `heard` the documents that answer, a line each, as they come; throws
// a Refusal, and what `signal` ends it with.
export async function lines(name, body, heard, signal) {
  const headers = { "Content-Type": "application/json" };
  const answer = await reach(name, {}, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!answer.headers.get("content-type")?.startsWith("application/x-ndjson")) {
    await read(answer);
    return;
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const texts = `${rest}${value ?? ""}`.split("\n");
    rest = done ? "" : texts.pop();
    for (const text of texts) if (text) heard(JSON.parse(text));
    if (done) return;
  }
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

// End the session of this browser, if it has not ended in another tab.
export async function signOut() {
  await fetch(place("leave"), { method: "POST", headers: QUIETLY });
  location.assign(place("enter"));
}
