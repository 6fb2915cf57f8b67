// The form of a spot: its values, what the server says of them, and what can be taken back.
import { computed, onBeforeUnmount, ref, shallowRef } from "../../core/html.js";
import { Refusal, send } from "../../core/source.js";
import { openHistory } from "../../core/undo.js";
import { openHands } from "./hands.js";

const PAUSE = 150; // milliseconds without another change before the form is checked
const BUSY = 1500; // milliseconds before a server that was busy or away is asked again
const PASSING = ["LimitError", "Away"];
export const SEATS = { 2: ["oop", "ip"], 3: ["oop", "middle", "ip"] };
export const STACKS = SEATS[3].map((seat) => `stack_${seat}`);
const OF_THREE = ["middle", ...STACKS]; // fields that spots of two do not have
export const STREETS = ["flop", "turn", "river"];
export const SIZES = ["oop_bets", "oop_raises", "donks", "ip_bets", "ip_raises"];

// `begun` is a form, `kinds` has the kind of each of its fields, `keep` is told each form, `three` names the
// fields that spots of three players have.
export function openStore(begun, kinds, keep, three = []) {
  const form = shallowRef(begun);
  const checked = shallowRef(null); // what the server said last: {form, spot, errors, estimate ...}
  const problem = shallowRef(null); // why it says nothing
  const left = shallowRef(new Set()); // fields that were left: only their errors are shown
  const isAsked = ref(false); // whether Solve was pressed: then all are
  let [timer, asking] = [0, null];
  onBeforeUnmount(() => clearTimeout(timer));

  function later(pause = PAUSE) {
    clearTimeout(timer);
    timer = setTimeout(check, pause);
  }

  async function ask() {
    while (checked.value?.form !== form.value) {
      const asked = form.value;
      const found = await send("POST", "setup/check", { form: asked });
      if (form.value === asked) checked.value = { ...found, form: asked };
    }
  }

  // Check the form as it is now, also if it changes meanwhile.
  async function check() {
    clearTimeout(timer);
    asking ??= ask().finally(() => (asking = null));
    try {
      await asking;
      problem.value = null;
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      problem.value = refusal;
      if (PASSING.includes(refusal.kind)) later(BUSY);
    }
  }

  function put(next) {
    form.value = next;
    keep(next);
    hands.follow();
    later();
  }
  const history = openHistory(begun, put);

  // Take new values of fields; changes of one `key` that follow each other are one step back.
  function change(values, key = null) {
    const next = { ...form.value, ...values };
    history.push(next, key);
    put(next);
  }
  // Write what a field has in another way, which is no step.
  function amend(values) {
    const next = { ...form.value, ...values };
    history.amend(next);
    put(next);
  }
  // Another form, in which nothing has been left yet.
  function replace(next) {
    [left.value, isAsked.value] = [new Set(), false];
    change(next);
  }
  const hands = openHands((seat) => form.value[seat], change, amend);

  function leave(name) {
    if (!left.value.has(name)) left.value = new Set([...left.value, name]);
  }
  const faults = computed(() => {
    const found = {};
    for (const fault of checked.value?.errors ?? []) found[fault.field] ??= fault;
    return found;
  });
  // Nobody leaves a list.
  const isShown = (name) => isAsked.value || left.value.has(name) || Array.isArray(form.value[name]);
  const faultOf = (name) => (isShown(name) ? (faults.value[name] ?? null) : null);

  // The spot of the form, as the text of a spot file; null where it has none, and its errors are shown.
  async function spot() {
    await check();
    isAsked.value = true;
    return checked.value?.form === form.value ? checked.value.spot : null;
  }

  const isOfThree = computed(() => form.value.players === "3");
  const has = (name) => (isOfThree.value ? three.includes(name) : !OF_THREE.includes(name));
  // Two players or three: stacks that are not given yet are those that are.
  function choosePlayers(players) {
    const values = { players };
    const given = STACKS.map((name) => form.value[name]).filter((text) => Number(text) > 0);
    if (players === "3") {
      for (const name of STACKS) values[name] = form.value[name] || form.value.stack;
    } else if (!form.value.stack && given.length) {
      values.stack = given.reduce((least, text) => (Number(text) < Number(least) ? text : least));
    }
    change(values);
  }

  const first = computed(() => checked.value?.first_street ?? null);
  hands.follow();
  later(0);
  return {
    form, kinds, checked, problem, hands, first, isAsked, history, isOfThree, has, choosePlayers,
    seats: () => SEATS[form.value.players],
    change, replace, leave, faultOf, spot, check,
  };
}
