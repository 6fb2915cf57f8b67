// What a study page shows: the node, how it is drawn, which hands are chosen, and where the mouse is.
import { computed, reactive, shallowRef } from "vue";
import { byClass, chosen, means } from "./figures.js";

const MOST_KEPT = 200;

export class Refused extends Error {
  constructor(document, status) {
    super(document.error?.split("\n")[0] ?? `the server answers with ${status}`);
    this.document = document;
    this.status = status;
  }
}

export async function ask(path, options = {}) {
  // With the status of a refusal in the document: the browser would log any other as an error.
  const headers = { Accept: "application/json", "X-Refusals": "as-documents", ...options.headers };
  const answer = await fetch(path, { ...options, headers });
  const document = await answer.json();
  if (!answer.ok) throw new Refused(document, answer.status);
  const isRefusal = typeof document.error === "string" && typeof document.status === "number";
  if (isRefusal) throw new Refused(document, document.status);
  return document;
}
export const post = (path, body) =>
  ask(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", Accept: "application/json" },
  });

export class Nodes {
  // The nodes of a solution; those that were asked for before are here.
  constructor(name, stamp) {
    this.name = name;
    this.stamp = stamp;
    this.path = `/api/solutions/${encodeURIComponent(name)}`;
    this.kept = new Map();
    this.leaving = null;
  }
  has(line) {
    return this.kept.has(line);
  }
  // The address of an answer about the file that the page has opened, whatever takes its name later.
  of(what, query = "") {
    return `${this.path}/${what}?stamp=${encodeURIComponent(this.stamp)}${query && "&"}${query}`;
  }
  // What every next card does.
  runouts(line) {
    const key = `cards of ${line}`;
    if (!this.kept.has(key)) {
      const leaving = new AbortController();
      const path = this.of("runouts", `line=${encodeURIComponent(line)}`);
      const found = ask(path, { signal: leaving.signal });
      this.kept.set(key, found);
      this.leaving = leaving;
      found.then(
        () => {
          if (this.leaving === leaving) this.leaving = null;
        },
        () => this.kept.delete(key),
      );
    }
    return this.kept.get(key);
  }
  // Whoever walks on before all cards are there no longer waits for them.
  leaveRunouts() {
    this.leaving?.abort();
    this.leaving = null;
  }
  async get(line, resolve = false) {
    const known = this.kept.get(line);
    if (known) {
      this.kept.delete(line);
      this.kept.set(line, known);
      return known;
    }
    const found = ask(this.of("study", `line=${encodeURIComponent(line)}${resolve ? "&resolve=true" : ""}`));
    this.kept.set(line, found);
    found.then(
      (node) => {
        this.kept.delete(line);
        this.kept.set(node.line, node);
        if (line !== node.line) this.kept.set(line, node);
      },
      () => this.kept.delete(line),
    );
    while (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
    return found;
  }
}

export function createStore(props) {
  const nodes = new Nodes(props.name, props.stamp);
  const node = shallowRef(null);
  const state = reactive({ busy: false, error: null, isGone: false, unkept: null, selected: 0, palette: 0 });
  const view = reactive({ tab: "hands", player: "auto", heights: "normalized", suits: "grouped", display: "strategy", metric: "none", columns: "frequency" });
  const focus = reactive({ hover: null, pinned: null, hand: null });
  const filters = reactive({ made: [], draws: [], suits: [], text: "" });
  let latest = 0;

  const player = computed(() => {
    if (view.player !== "auto") return Number(view.player);
    return node.value?.player ?? 0;
  });
  const masks = computed(() => node.value && node.value.hands.map((hands) => chosen(hands, filters)));
  const cells = computed(() => node.value && [0, 1].map((who) => byClass(node.value, who, masks.value[who])));
  const totals = computed(() => node.value && [0, 1].map((who) => means(node.value, who, masks.value[who])));
  const isFiltered = computed(
    () => filters.made.length + filters.draws.length + filters.suits.length > 0 || filters.text.trim() !== "",
  );

  const isUnkept = (line) => (line.match(/\|[2-9TJQKA][cdhs]/g) ?? []).length > props.cards;
  // Where the pointer rests, the next click may be: its node is fetched before.
  let resting = 0;
  function ahead(line) {
    clearTimeout(resting);
    if (isUnkept(line) || nodes.has(line)) return;
    resting = setTimeout(() => nodes.get(line).catch(() => {}), 60);
  }
  async function go(line, { push = true, resolve = false } = {}) {
    const number = ++latest;
    if (!resolve && !nodes.has(line) && isUnkept(line)) {
      Object.assign(state, { busy: false, error: null, unkept: line });
      return;
    }
    state.busy = true;
    try {
      const found = await nodes.get(line, resolve);
      if (number !== latest) return;
      node.value = found;
      Object.assign(state, { error: null, unkept: null, selected: 0 });
      focus.hand = null;
      if (push) address(found.line);
    } catch (error) {
      if (number !== latest) return;
      const unkept = error.status === 409 && error.document.option === "line";
      state.unkept = unkept ? line : null;
      state.error = unkept ? null : sentence(error);
      state.isGone = error.status === 404;
    } finally {
      if (number === latest) state.busy = false;
    }
  }
  function address(line) {
    const url = new URL(window.location.href);
    if (line) url.searchParams.set("line", line);
    else url.searchParams.delete("line");
    const text = decodeURIComponent(url.search) === decodeURIComponent(window.location.search);
    if (!text) window.history.pushState({ study: line }, "", url);
  }
  // What asks for more about the node: what was re-solved is asked for as such.
  function query() {
    const found = node.value;
    const again = Object.entries(found).some(([key, value]) => key.startsWith("resolved_") && value !== null);
    return `line=${encodeURIComponent(found.line)}${again ? "&resolve=true" : ""}`;
  }
  function back() {
    const way = node.value?.way;
    if (way && way.length > 1) go(way[way.length - 2].line);
  }
  function play(index) {
    const action = node.value?.actions[index];
    if (action) go(action.line);
  }
  function pin(place) {
    focus.pinned = focus.pinned === place ? null : place;
  }
  return { props, nodes, node, state, view, focus, filters, player, masks, cells, totals, isFiltered, go, ahead, query, back, play, pin };
}

export function sentence(error) {
  const { remedy } = error.document ?? {};
  return remedy && !error.message.includes(remedy) ? `${error.message}. ${remedy}` : error.message;
}

export const colour = (role) => window.equilibrist.actionColour(role);
