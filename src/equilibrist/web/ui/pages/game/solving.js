// The form of a solve of a game: an algorithm, limits, and less common options.
import { place } from "../../core/address.js";
import { help } from "../../core/help.js";
import { html, nextTick, onMounted, reactive, ref, shallowRef } from "../../core/html.js";
import { get, Refusal, send } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { Field } from "../../parts/field.js";
import { Notice } from "../../parts/notice.js";
import { choiceText } from "../../parts/options.js";
import { Proposals } from "../../parts/proposals.js";

const MAIN = ["algorithm", "sampler", "iterations", "target", "seconds"];
const LISTS = { algorithm: "eqg-algorithms", sampler: "eqg-samplers" };
const CHOSEN = ["choice", "switch"];

// Of `game`, by `options`, those of a solve as the server lists them.
export const Solving = {
  props: { game: String, options: Array, isReady: Boolean },
  setup(props) {
    const given = reactive({});
    const error = shallowRef(null);
    const isBusy = ref(false);
    const [algorithms, samplers] = [shallowRef([]), shallowRef([])];
    const further = () => props.options.filter((one) => !one.is_main);
    const isKnown = (name) => props.options.some((one) => one.name === name);
    onMounted(async () => {
      const found = await Promise.all([get("algorithms"), get("samplers")]).catch(() => [[], []]);
      [algorithms.value, samplers.value] = found;
    });

    async function solve(event) {
      event.preventDefault();
      [isBusy.value, error.value] = [true, null];
      const options = Object.fromEntries(Object.entries(given).filter(([, text]) => text.trim() !== ""));
      try {
        const job = await send("POST", "jobs", { game: props.game, options });
        location.assign(place(`runs/${job.id}`));
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        [isBusy.value, error.value] = [false, refusal];
        nextTick(() => document.getElementById(`o-${refusal.option}`)?.focus());
      }
    }

    const asked = (name) => ({
      id: `o-${name}`,
      key: name,
      value: given[name] ?? "",
      error: error.value?.option === name ? error.value : null,
      onValue: (text) => (given[name] = text),
    });

    const main = (name) => html`
      <${Field} ...${asked(name)} label=${t(`solve.${name}`)} help=${t(`solve.${name}.help`)} list=${LISTS[name]}
        placeholder=${t(`solve.${name}.default`)} />`;

    function other({ name, kind, default: otherwise, choices }) {
      const isSaid = /\p{L}{2}/u.test(otherwise); // in words, which stand below the field
      const unsaid = isSaid ? t("solve.default") : otherwise;
      const values = kind === "switch" ? ["true", "false"] : choices;
      const all = [["", unsaid || t("solve.default")], ...values.map((value) => [value, choiceText(name, value)])];
      const means = help(`option.${name}.help`);
      const about = isSaid ? t("solve.help-default", { help: means, text: help(`option.${name}.default`) }) : means;
      return html`
        <${Field} ...${asked(name)} label=${t(`option.${name}`)} placeholder=${unsaid}
          choices=${CHOSEN.includes(kind) ? all : null} help=${about} />`;
    }

    return () => html`
      <form class="eq-panel eq-stack" onSubmit=${solve} aria-label=${t("solve")}>
        <h2>${t("solve")}</h2>
        <div class="eqg-fields">${MAIN.filter(isKnown).map(main)}</div>
        <${Proposals} id="eqg-algorithms" entries=${algorithms.value} />
        <${Proposals} id="eqg-samplers" entries=${samplers.value} />
        <details open=${further().some((one) => one.name === error.value?.option) || null}>
          <summary>${t("solve.more")}</summary>
          <div class="eqg-fields">${further().map(other)}</div>
        </details>
        ${error.value && !isKnown(error.value.option) && html`<${Notice} error=${error.value} />`}
        <div class="eq-row">
          <button class="eq-button eq-primary" disabled=${isBusy.value || !props.isReady}>${t("solve")}</button>
          <span class="eq-muted eq-small">${t("solve.about")}</span>
        </div>
      </form>`;
  },
};
