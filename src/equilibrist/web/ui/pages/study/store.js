// What a study page shows: the node, how it is drawn, which hands are chosen, and where the mouse is.
import { said, say, word } from "../../core/address.js";
import { computed, reactive, shallowRef } from "../../core/html.js";
import { get, holds, Refusal, send } from "../../core/source.js";
import { openHistory } from "../../core/undo.js";
import { actionName, betBefore, seatName, seatsOf } from "../../poker/actions.js";
import { CLASS, CLASS_NAMES, comboNumber, SUITS } from "../../poker/cards.js";
import { byClass, chosen, means } from "../../poker/figures.js";
import { openPainting } from "./painting.js";

const MOST_KEPT = 200;
const RESTING = 60; // milliseconds
const COMBO = /^([2-9TJQKA][cdhs]){2}$/;
const TYPING = 300; // milliseconds without a key after which the address has what was typed
export const NO_FILTERS = { made: [], draws: [], suits: [], text: "" };

// The nodes of a solution, or of a `run` as it plays now; those that were asked for before are here.
export class Nodes {
  constructor(name, stamp, run = "") {
    this.name = name;
    this.root = run ? `jobs/${word(run)}` : `solutions/${word(name)}`;
    this.stamp = run ? "" : stamp;
    this.kept = new Map();
    this.leaving = null;
  }

  has(line) {
    return this.kept.has(line);
  }

  // Answers are about the file that the page has opened, whatever takes its name later.
  ask(what, values, request) {
    return get(`${this.root}/${what}`, { stamp: this.stamp, ...values }, request);
  }

  // Something about it is made.
  send(what, body) {
    return send("POST", `${this.root}/${what}`, body, { stamp: this.stamp });
  }

  keep(key, found) {
    this.kept.set(key, found);
    while (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
    return found;
  }

  // What every next card does.
  runouts(line, resolve) {
    const key = `${line}?`;
    if (!this.kept.has(key)) {
      const leaving = new AbortController();
      const found = this.ask("runouts", { line, resolve }, { signal: leaving.signal });
      this.keep(key, found);
      this.leaving = leaving;
      const left = () => {
        if (this.leaving === leaving) this.leaving = null;
      };
      found.then(left, () => this.kept.delete(key));
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
      return this.keep(line, known);
    }
    const found = this.keep(line, this.ask("study", { line, resolve }));
    found.then(
      (node) => {
        this.kept.delete(line);
        this.keep(node.line, node);
        if (line !== node.line) this.keep(line, node);
      },
      () => this.kept.delete(line),
    );
    return found;
  }
}

// Whether a node was re-solved, and how well: the accuracy in chips, or null.
export const resolvedTo = (node) =>
  Object.entries(node).find(([key, value]) => key.startsWith("resolved_") && value !== null)?.[1] ?? null;

// `solution` is the document of the spot; with `run`, the id of a job, it is that of what runs.
export function createStore(solution, run = "") {
  const { title, kept_cards: keptCards } = solution;
  const nodes = new Nodes(solution.name, solution.stamp, run);
  const node = shallowRef(null);
  const state = reactive({ isBusy: false, error: null, unkept: null, selected: 0 });
  const view = reactive({
    tab: said().one("tab", "hands"),
    player: "auto",
    heights: "normalized",
    suits: "grouped",
    display: "strategy",
    metric: "none",
    columns: "frequency",
  });
  const focus = reactive({ hover: null, pinned: null, hand: null });
  const filters = reactive({ ...NO_FILTERS });
  const painted = shallowRef({}); // locks, by line: the names of actions, and shares by combo
  const edited = () => ({ filters: { ...filters }, painted: painted.value });
  const edits = openHistory(edited(), (value) => {
    painted.value = value.painted;
    change(value.filters);
  });
  let latest = 0;
  let [resting, typing] = [0, 0];

  const player = computed(() => (view.player === "auto" ? node.value?.player ?? 0 : Number(view.player)));
  const masks = computed(() => node.value && node.value.hands.map((hands) => chosen(hands, filters)));
  const ofEach = (make) => node.value && node.value.hands.map((_, who) => make(node.value, who, masks.value[who]));
  const cells = computed(() => ofEach(byClass));
  const totals = computed(() => ofEach(means));
  const isFiltered = computed(() =>
    filters.made.length + filters.draws.length + filters.suits.length > 0 || filters.text.trim() !== "");

  const isUnkept = (line) =>
    (line.match(/\|[2-9TJQKA][cdhs]/g) ?? []).length > keptCards && !holds(`${nodes.root}/study`, { line });

  // Where the pointer rests, the next click may be: its node is fetched before. A run is not held up.
  function ahead(line) {
    clearTimeout(resting);
    if (run || isUnkept(line) || nodes.has(line)) return;
    resting = setTimeout(() => nodes.get(line).catch(() => {}), RESTING);
  }

  async function go(line, { push = true, resolve = false } = {}) {
    latest += 1;
    const mine = latest;
    if (!resolve && !nodes.has(line) && isUnkept(line)) {
      Object.assign(state, { isBusy: false, error: null, unkept: line });
      return;
    }
    state.isBusy = true;
    try {
      const found = await nodes.get(line, resolve);
      if (mine !== latest) return;
      node.value = found;
      Object.assign(state, { error: null, unkept: null, selected: 0 });
      focus.hand = null;
      if (push) keep(true);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      if (mine !== latest) return;
      const lacks = refusal.status === 409 && refusal.option === "line";
      state.unkept = lacks ? line : null;
      state.error = lacks ? null : refusal;
    } finally {
      if (mine === latest) state.isBusy = false;
    }
  }

  // Where the reader is, as an address that leads here again.
  function keep(push = false) {
    clearTimeout(typing);
    const tab = view.tab === "hands" ? "" : view.tab;
    const hand = CLASS_NAMES[focus.pinned] ?? "";
    say({ line: node.value.line, tab, hand, ...filterWords(), versus: said().one("versus"), run }, push);
  }

  // Filters as words, which mean the same at all nodes, and those that the address has.
  const filterWords = () => ({
    made: filters.made.map((at) => node.value.made_hands[at]),
    draw: filters.draws.map((at) => node.value.draws[at]),
    suit: filters.suits.map((at) => SUITS[at]),
    find: filters.text.trim(),
  });
  // The hand that the address names, a class or one of its combos, and its filters.
  function readAddress() {
    if (!node.value) return;
    const hand = said().one("hand");
    const pinned = COMBO.test(hand) ? CLASS[comboNumber(hand)] : CLASS_NAMES.indexOf(hand);
    focus.pinned = pinned >= 0 ? pinned : null;
    const among = (name, words) => said().all(name).map((one) => words.indexOf(one)).filter((at) => at >= 0);
    const { made_hands: made, draws } = node.value;
    Object.assign(filters, {
      made: among("made", made),
      draws: among("draw", draws),
      suits: among("suit", [...SUITS]),
      text: said().one("find"),
    });
    edits.amend(edited());
  }
  function change(values) {
    Object.assign(filters, values);
    clearTimeout(typing);
    typing = setTimeout(keep, TYPING);
  }
  // Change filters, which can be undone; `key` names what is typed.
  function filter(values, key = null) {
    change(values);
    edits.push(edited(), key);
  }
  const painting = openPainting({ node, masks, totals }, painted, (value, isSameStep) => {
    painted.value = value;
    edits[isSameStep ? "amend" : "push"](edited());
  });
  // What is played in the run by now.
  function refresh() {
    nodes.kept.clear();
    go(node.value.line, { push: false });
  }
  function choose(tab) {
    view.tab = tab;
    keep();
  }

  const place = computed(() => node.value.way[node.value.way.length - 1]);
  // What an action at the node, or at the `k`-th place of the way, is called.
  function nameOf(action, k = node.value.way.length - 1) {
    const { way } = node.value;
    return actionName(action, way[k], betBefore(way, k));
  }

  return {
    solution, run, nodes, node, place, state, view, focus, filters, player, masks, cells, totals, isFiltered,
    go, ahead, choose, refresh, nameOf, filter, readAddress, edits, painted, painting,
    seats: seatsOf(title),
    isOfThree: title.kind === "three",
    seat: (who) => seatName(title, who),
    isKept: (cards, line) => !run && (cards <= keptCards || holds(`${nodes.root}/runouts`, { line })),
    // What asks for more about the node: what was re-solved is asked for as such.
    query: () => ({ line: node.value.line, resolve: resolvedTo(node.value) !== null }),
    back() {
      const way = node.value?.way;
      if (way && way.length > 1) go(way[way.length - 2].line);
    },
    play(index) {
      const action = node.value?.actions[index];
      if (action) go(action.line);
    },
    pin(at) {
      focus.pinned = focus.pinned === at ? null : at;
      keep();
    },
  };
}
