// The form of one kind of runs on whole hands: fields, examples, what the run needs, and its start.
import { place } from "../../core/address.js";
import { hasHelp, help } from "../../core/help.js";
import { html, nextTick, onBeforeUnmount, onMounted, ref, shallowRef, watch } from "../../core/html.js";
import { onKeys } from "../../core/keys.js";
import { isOwner, Refusal, send } from "../../core/source.js";
import { pieces, t } from "../../core/texts.js";
import { openHistory } from "../../core/undo.js";
import { Field } from "../../parts/field.js";
import { choiceText } from "../../parts/options.js";
import { Undoing } from "../../parts/undoing.js";
import { Needs } from "./needs.js";

const REST = 350; // milliseconds after the last change
const SEATS = ["2", "3", "4", "5", "6"];
const COMMANDS = { blueprint: ["blueprint", "train"], flops: ["postflop", "batch"] }; // which do more than forms

// A request as the server takes it: `fields` say which text belongs where; empty ones are left out.
function bodyOf(kind, fields, texts) {
  const body = { hand: { kind, keys: {} }, options: {} };
  for (const { name, part } of fields) {
    const text = (texts[name] ?? "").trim();
    if (name === "spot" && texts.of) continue; // another spot was chosen
    if (text !== "") (part === "keys" ? body.hand.keys : body.options)[name] = text;
  }
  return body;
}

// `texts` are changed as they are given; `sources` are what the field `of` or `cards` may have, as pairs of values and
// texts.
export const HandForm = {
  props: { form: Object, texts: Object, examples: Array, sources: Array },
  emits: ["change"],
  setup(props, { emit }) {
    const [needs, error] = [shallowRef(null), shallowRef(null)];
    const [isBusy, isAsked, isWaiting] = [ref(false), ref(false), ref(true)];
    const left = ref(new Set()); // the fields that were left once, whose errors are told
    const shown = props.form.fields.filter(({ name }) => name !== "spot"); // whole files are for programs
    const [main, more] = [true, false].map((isMain) => shown.filter((one) => one.is_main === isMain));
    const isField = (name) => shown.some((one) => one.name === name);
    let [timer, turn] = [null, 0];

    const body = () => bodyOf(props.form.kind, props.form.fields, props.texts);

    async function estimate() {
      turn += 1;
      const mine = turn;
      let [found, refusal] = [null, null];
      try {
        found = await send("POST", "hands/estimate", body());
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem;
        refusal = problem;
      }
      if (mine !== turn) return;
      [needs.value, error.value, isWaiting.value] = [found, refusal, false];
    }

    function later() {
      [isWaiting.value, isAsked.value] = [true, false];
      clearTimeout(timer);
      timer = setTimeout(estimate, REST);
    }

    onMounted(estimate);
    onBeforeUnmount(() => clearTimeout(timer));
    watch(() => JSON.stringify(props.texts), later);

    function restore(texts) {
      for (const { name } of shown) props.texts[name] = texts[name] ?? "";
      emit("change");
    }

    const history = openHistory({ ...props.texts }, restore);
    watch(() => props.texts, (texts) => history.push({ ...texts })); // another form, as of the address
    onKeys({ "Ctrl+z": history.undo, "Ctrl+y": history.redo, "Ctrl+Shift+z": history.redo });

    function give(name, text) {
      props.texts[name] = text;
      history.push({ ...props.texts }, name);
      emit("change");
    }

    function take({ texts }) {
      const { of, spot, cards } = props.texts; // examples are for any spot, and for any buckets
      for (const { name } of props.form.fields) props.texts[name] = texts[name] ?? "";
      Object.assign(props.texts, of && { of }, spot && { spot }, cards && { cards });
      left.value = new Set();
      history.push({ ...props.texts });
      emit("change");
    }

    async function start(event) {
      event.preventDefault();
      [isBusy.value, isAsked.value] = [true, true];
      try {
        const job = await send("POST", "jobs", body());
        location.assign(place(`runs/${job.id}`));
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        [isBusy.value, error.value] = [false, refusal];
        nextTick(() => document.getElementById(`hand-${refusal.option}`)?.focus());
      }
    }

    // Errors are told beside a field that was left, and all of them once a start was asked for.
    const errorOf = (name) =>
      error.value?.option === name && (isAsked.value || left.value.has(name)) ? error.value : null;

    const choicesOf = ({ name, kind, choices }) => {
      if (name === "of" || name === "cards") return props.sources;
      if (name === "seats" && props.form.kind === "push-fold") return SEATS.map((n) => [n, n]);
      if (name === "board" && props.form.kind === "multiway") {
        return [["", t("make.default")], ["none", t("make.board.none")]];
      }
      if (kind === "switch") {
        return [["", t("make.default")], ...["true", "false"].map((one) => [one, choiceText(name, one)])];
      }
      const none = name === "keep" ? "make.no" : "make.default";
      return choices.length ? [["", t(none)], ...choices.map((one) => [one, choiceText(name, one)])] : null;
    };

    // Some fields mean something of their own in one kind of runs.
    function meaning({ name }) {
      const own = `make.help.${props.form.kind}.${name}`;
      return help(hasHelp(own) ? own : `make.help.${name}`);
    }

    // What holds where nothing is given, if that can be said in signs.
    const otherwise = ({ default: text }) => (text && /\p{L}{2}/u.test(text) ? t("make.default") : text);

    const field = (one) => html`
      <${Field} id=${`hand-${one.name}`} key=${one.name} label=${t(`make.field.${one.name}`)}
        value=${props.texts[one.name] ?? ""} help=${meaning(one)} error=${errorOf(one.name)} choices=${choicesOf(one)}
        placeholder=${otherwise(one)} onValue=${(text) => give(one.name, text)}
        onFocusout=${() => (left.value = new Set([...left.value, one.name]))} />`;

    const command = () => html`
      <span class="eq-mono" translate="no">${["equilibrist", ...COMMANDS[props.form.kind]].join(" ")}</span>`;

    const isFurther = (name) => more.some((one) => one.name === name);

    return () => html`
      <form class="hn-form" onSubmit=${start} aria-label=${t(`make.kind.${props.form.kind}`)} novalidate>
        <div class="eq-panel eq-stack">
          <p>${t(`make.about.${props.form.kind}`)}</p>
          <div class="eq-row" role="group" aria-label=${t("make.examples")}>
            <span class="eq-muted">${t("make.examples")}</span>
            ${props.examples.map((one) => html`
              <button class="eq-button" type="button" key=${one.name} onClick=${() => take(one)}>
                ${t(`make.example.${one.name}`)}
              </button>`)}
            <span class="eq-grow"></span>
            <${Undoing} history=${history} />
          </div>
          <div class="eqg-fields">${main.map(field)}</div>
          <details open=${isFurther(error.value?.option) && isAsked.value ? true : null}>
            <summary>${t("make.more")}</summary>
            <div class="eqg-fields hn-more">${more.map(field)}</div>
            ${COMMANDS[props.form.kind] && html`
              <p class="eq-muted eq-small">${pieces(`make.only.${props.form.kind}`, { command: command() })}</p>`}
          </details>
        </div>
        <${Needs} kind=${props.form.kind} needs=${needs.value} isWaiting=${isWaiting.value}
          error=${error.value} isPlaced=${isField(error.value?.option)} isBusy=${isBusy.value} isOwner=${isOwner} />
      </form>`;
  },
};
