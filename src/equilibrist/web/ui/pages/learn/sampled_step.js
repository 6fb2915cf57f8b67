// A step of a sampled iteration: the walk so far, the numbers, and the formulas of the sampler.
import { html, nextTick, onMounted, ref, watch } from "../../core/html.js";
import { pieces, t } from "../../core/texts.js";
import { shownName } from "../../parts/labels.js";
import { sampledFacts, sampledSheet, stepName, traversalAt } from "./sampled.js";
import { Sheet } from "./sheet_table.js";

const FORMULAS = ["own", "others", "weight", "estimate", "regret", "average"];
const name = (text) => html`<span class="eq-mono" translate="no">${text}</span>`;

function heading(step, names) {
  switch (step.kind) {
    case "updates":
      return step.traverser === null ? t("sampled.updates.all") : t("sampled.updates", { player: step.traverser });
    case "terminal":
      return t("sampled.terminal");
    case "chance":
      return t("sampled.chance");
    default:
      return pieces("lesson.infoset-of", { infoset: name(shownName(names, step.infoset)), player: step.player });
  }
}

function remark(step) {
  if (step.kind === "updates") return t("sampled.updates.about");
  if (step.traverser === null) return t("sampled.traverser.all");
  return t(step.is_own ? "sampled.traverser.own" : "sampled.traverser", { player: step.traverser });
}

// `go` is told the step to go to.
export const SampledStep = {
  props: { lesson: Object, place: Number },
  emits: ["go"],
  setup(props, { emit }) {
    const walked = ref(null);
    // The step in the list of the traversal stays in sight, without moving the page.
    function follow() {
      const [list, here] = [walked.value, walked.value?.querySelector("[aria-current]")];
      if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    onMounted(follow);
    watch(() => props.place, () => nextTick(follow));

    const way = () => html`
      <ol class="eqg-walked" ref=${walked} tabindex="0" aria-label=${t("sampled.walk")}>
        ${traversalAt(props.lesson, props.place).map((k) => html`
          <li key=${k}>
            <button class="eqg-link" type="button" aria-current=${k === props.place ? "step" : null}
              translate=${props.lesson.steps[k].kind === "updates" ? null : "no"} onClick=${() => emit("go", k)}>
              ${stepName(props.lesson.steps[k], props.lesson.shown_names)}
            </button>
          </li>`)}
      </ol>`;

    const formulas = () => html`
      <details>
        <summary>${t("sampled.formulas")}</summary>
        <dl class="eqg-facts">
          ${FORMULAS.map((key) => html`
            <dt>${t(`sampled.formula.${key}`)}</dt>
            <dd lang="en" translate="no">${props.lesson.formulas[key]}</dd>`)}
        </dl>
        ${props.lesson.biased_average && html`<p>${t("sampled.biased")}</p>`}
      </details>`;

    return () => {
      const step = props.lesson.steps[props.place];
      const facts = sampledFacts(step, props.lesson);
      const at = step.history && name(stepName(step, props.lesson.shown_names));
      return html`
        ${way()}
        <div class="eq-stack" aria-live="polite">
          <h2>${heading(step, props.lesson.shown_names)}</h2>
          ${at && html`<p>${pieces("sampled.at", { way: at })}</p>`}
          <p class="eq-small eq-muted">${remark(step)}</p>
          <${Sheet} sheet=${sampledSheet(step, props.lesson)} label=${t("sampled.numbers")} />
          ${facts.length > 0 && html`
            <dl class="eqg-facts eqg-worked" translate="no">
              ${facts.map(([head, text]) => html`<dt class="eq-mono">${head}</dt><dd>${text}</dd>`)}
            </dl>`}
        </div>
        ${formulas()}`;
    };
  },
};
