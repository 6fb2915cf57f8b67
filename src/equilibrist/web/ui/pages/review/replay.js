// A reviewed hand on the table, action by action, from the decision that is looked at.
import { word } from "../../core/address.js";
import { html, ref } from "../../core/html.js";
import { onKeys } from "../../core/keys.js";
import { follow } from "../../core/source.js";
import { pieces, t } from "../../core/texts.js";
import { Notice } from "../../parts/notice.js";
import { plainName } from "../../poker/actions.js";
import { Scene } from "../play/scene.js";

// `job` is the name of the run that has reviewed the hand of `decision`.
export const Replay = {
  props: { job: String, decision: Object },
  setup(props) {
    const { hand, player, line } = props.decision;
    const step = ref(0);
    const { document, error } = follow(
      () => [`jobs/${word(props.job)}/review/hand`, { hand, player }],
      ({ steps }) => {
        const at = steps.findIndex((one) => one.player === player && one.line === line);
        step.value = Math.max(at, 0);
      },
    );
    const last = () => document.value.steps.length - 1;
    const go = (by) => document.value && (step.value = Math.min(Math.max(step.value + by, 0), last()));
    onKeys({ ArrowLeft: () => go(-1), ArrowRight: () => go(1) });

    const button = (text, key, isOff, act) => html`
      <button class="eq-button" type="button" disabled=${isOff} aria-keyshortcuts=${key} onClick=${act}>
        ${text}
      </button>`;

    function shown() {
      const one = document.value.steps[step.value];
      const who = html`<span translate="no">${one.player}</span>`;
      const move = pieces("play.move", { who, word: plainName(one.played) });
      return html`
        <${Scene} scene=${one.scene} />
        <div class="pl-steps">
          ${button(t("replay.back"), "ArrowLeft", step.value === 0, () => go(-1))}
          ${button(t("replay.forward"), "ArrowRight", step.value === last(), () => go(1))}
          <span class="eq-num" role="status">
            ${pieces("replay.at", { step: step.value + 1, steps: last() + 1, move })}
          </span>
        </div>`;
    }

    return () => html`
      <section class="eq-stack rv-replay" aria-label=${t("review.table")}>
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${document.value && shown()}
      </section>`;
  },
};
