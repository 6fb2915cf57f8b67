// What a run needs, as it is estimated beforehand, and the button that starts it.
import { html } from "../../core/html.js";
import { bytes, count, roughly } from "../../core/numbers.js";
import { Refusal } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { Notice } from "../../parts/notice.js";

const COUNTS = {
  "push-fold": ["seats", "deals"], multiway: ["decisions", "deals"], preflop: ["flops", "hands"],
  flops: ["boards"], cards: ["buckets"], blueprint: ["decisions", "infosets"],
};

function rowsOf(kind, needs) {
  const numbers = COUNTS[kind].map((name) => [name, needs?.counts[name] ? count(needs.counts[name]) : ""]);
  return [
    ...numbers,
    ["memory", needs && bytes(needs.memory_bytes)],
    ["disk", needs && bytes(needs.disk_bytes)],
    ["time", needs && (needs.seconds === null ? t("make.needs.time.open") : roughly(needs.seconds))],
  ];
}

// `error` is why nothing can be started; `isPlaced` that it belongs to a field, beside which it is told.
export const Needs = {
  props: {
    kind: String, needs: Object, error: Object, isPlaced: Boolean, isWaiting: Boolean, isBusy: Boolean,
    isOwner: Boolean,
  },
  setup(props) {
    const state = () => {
      const { needs, error, isPlaced, isWaiting } = props;
      if (isWaiting) return t("make.needs.waiting");
      if (error) return isPlaced ? t("make.needs.fields", { field: t(`make.field.${error.option}`) }) : "";
      if (!needs.fits) return t("make.needs.large", { limit: bytes(needs.limit_bytes) });
      return t(needs.has_checkpoints ? "make.needs.pauses" : "make.needs.whole");
    };
    return () => html`
      <section class="eq-panel eq-stack hn-needs" aria-label=${t("make.needs")}>
        <h2>${t("make.needs")}</h2>
        <dl class="hn-facts">
          ${rowsOf(props.kind, props.needs).map(([name, text]) => html`
            <dt key=${`${name}:`}>${t(`make.needs.${name}`)}</dt><dd key=${name}>${text || "–"}</dd>`)}
        </dl>
        <p class="eq-muted eq-small hn-state" role="status">${state()}</p>
        <button class="eq-button eq-primary" disabled=${props.isBusy || !props.isOwner}>${t("make.start")}</button>
        ${props.needs?.refusal && html`<${Notice} error=${new Refusal(props.needs.refusal, 0)} />`}
        ${props.error && !props.isPlaced && html`<${Notice} error=${props.error} />`}
      </section>`;
  },
};
