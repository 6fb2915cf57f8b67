// New limits for a run that has ended.
import { word } from "../../core/address.js";
import { html, reactive, ref, shallowRef } from "../../core/html.js";
import { Refusal, send } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { Field } from "../../parts/field.js";
import { Notice } from "../../parts/notice.js";

const LIMITS = ["target", "iterations", "seconds"];
const OTHER_LIMITS = {
  "push-fold": ["deals", "seconds"], multiway: ["deals", "seconds"], blueprint: ["iterations", "seconds"],
};
const limitsOf = ({ kind }) => OTHER_LIMITS[kind] ?? LIMITS;
const TARGETS = { spot: "0.1%", preflop: "1mbb" };
const examples = (kind) => ({
  target: TARGETS[kind] ?? "1e-4", iterations: "1000", seconds: "10m", deals: "2e7",
});

export const Continue = {
  props: { job: Object },
  emits: ["done"],
  setup(props, { emit }) {
    const limits = reactive(Object.fromEntries(limitsOf(props.job).map((name) => [name, ""])));
    const [error, busy] = [shallowRef(null), ref(false)];

    async function begin(event) {
      event.preventDefault();
      [busy.value, error.value] = [true, null];
      const given = Object.fromEntries(limitsOf(props.job).map((name) => [name, limits[name].trim() || null]));
      try {
        emit("done", await send("POST", `jobs/${word(props.job.id)}/continue`, given));
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      busy.value = false;
    }

    const field = (name) => html`
      <${Field} id=${`continue-${name}`} key=${name} label=${t(`limit.${name}`)} value=${limits[name]}
        error=${error.value?.option === name ? error.value : null} placeholder=${examples(props.job.kind)[name]}
        onValue=${(text) => (limits[name] = text)} />`;

    return () => html`
      <form class="eq-panel eq-stack" onSubmit=${begin} aria-label=${t("continue")}>
        <h2>${t("continue")}</h2>
        <p class="eq-muted">${t(limitsOf(props.job).includes("deals") ? "continue.about.deals" : "continue.about")}</p>
        <div class="eqg-fields">${limitsOf(props.job).map(field)}</div>
        ${error.value && !limitsOf(props.job).includes(error.value.option) && html`<${Notice} error=${error.value} />`}
        <div class="eq-row"><button class="eq-button" disabled=${busy.value}>${t("continue")}</button></div>
      </form>`;
  },
};
