// A table of a session: the decision, the time that is left, the choices, and the grade of the answer.
import { html } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { shortTitle } from "../../poker/titles.js";
import { Choices } from "../play/choices.js";
import { grade } from "../play/coach.js";
import { Scene } from "../play/scene.js";
import { actionWord } from "../play/words.js";

// `left` is the share of the time that is left, null without a clock; `isStale` that it had run out
// before the page was opened.
export const TrainerTable = {
  props: {
    table: Object, sources: Array, isActive: Boolean, isBusy: Boolean, isAlone: Boolean, canAsk: Boolean,
    left: null, isStale: Boolean,
  },
  emits: ["choose", "next", "pick"],
  setup(props, { emit }) {
    const shown = () => props.table.question ?? props.table.answer;

    const clock = () => html`
      <div class="tr-clock" data-none=${String(props.left === null || !props.table.question)}
        data-short=${String(props.left !== null && props.left < 0.25)} role="timer" aria-label=${t("training.clock")}>
        <i style=${{ width: `${100 * Math.max(0, props.left ?? 0)}%` }}></i>
      </div>`;

    function answered({ actions, chosen, grade: name, late }) {
      return html`
        <span class="tr-answered">
          ${name && grade(name)}
          <span>${actionWord(actions[chosen].word)}</span>
          ${late && html`<span class="eq-small eq-muted">${t("training.was-late")}</span>`}
        </span>`;
    }

    function choices() {
      const { question, answer } = props.table;
      if (question && props.isStale) {
        return html`
          <div class="pl-actions">
            <button class="eq-button eq-primary" type="button" disabled=${props.isBusy} onClick=${() => emit("next")}>
              ${t("training.go-on")}
            </button>
            <span class="eq-muted">${t("training.ran-out")}</span>
          </div>`;
      }
      if (!question && !props.canAsk) return html`<div class="pl-actions">${answered(answer)}</div>`;
      return html`
        <${Choices} turn=${question} isBusy=${props.isBusy} isGame=${shown().kind === "game"}
          next=${t("drill.next")} keys=${props.isActive ? "page" : "none"}
          onChoose=${(action) => emit("choose", action)} onNext=${() => emit("next")}>
          ${answer && !question && answered(answer)}
        <//>`;
    }

    return () => {
      const { source, number } = shown();
      const label = t("training.table", { number: props.table.table + 1 });
      return html`
        <section class="tr-table" data-active=${String(props.isActive && !props.isAlone)} aria-label=${label}
          data-number=${number} onPointerdown=${() => emit("pick")} onFocusin=${() => emit("pick")}>
          <div class="eq-small eq-muted tr-title" translate="no">${shortTitle(props.sources[source].title)}</div>
          ${clock()}
          <${Scene} scene=${shown().scene} />
          ${choices()}
        </section>`;
    };
  },
};
