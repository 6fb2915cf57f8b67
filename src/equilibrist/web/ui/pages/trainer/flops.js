// Random flops for the trainer: a spot that is solved on some of them.
import { place } from "../../core/address.js";
import { html, ref } from "../../core/html.js";
import { roughly } from "../../core/numbers.js";
import { isOwner } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { Field } from "../../parts/field.js";
import { shortTitle } from "../../poker/titles.js";

const COUNTS = ["1", "3", "5", "10"];
const isFlop = ({ title }) => title.board?.length === 6;

// `solve` is told the name of an example and how many flops; `begun` is how many runs it has begun.
export const RandomFlops = {
  props: { examples: Array, isBusy: Boolean, begun: Number },
  emits: ["solve"],
  setup(props, { emit }) {
    const spots = () => props.examples.filter(isFlop);
    const [name, count] = [ref(spots()[0]?.name ?? ""), ref(COUNTS[1])];
    function label({ title }) {
      const { pot, stack } = title;
      return t("trainer.flops.spot", { spot: shortTitle(title), pot, stack });
    }

    function send(event) {
      event.preventDefault();
      emit("solve", name.value, Number(count.value));
    }

    function form() {
      const { seconds } = spots().find((one) => one.name === name.value);
      const time = roughly(seconds * Number(count.value));
      return html`
        <form class="tr-flops" onSubmit=${send}>
          <${Field} id="tr-flop-spot" label=${t("trainer.flops.of")} value=${name.value}
            choices=${spots().map((one) => [one.name, label(one)])} onValue=${(value) => (name.value = value)} />
          <${Field} id="tr-flop-count" label=${t("trainer.flops.count")} value=${count.value}
            choices=${COUNTS.map((n) => [n, n])} onValue=${(value) => (count.value = value)} />
          <button class="eq-button" disabled=${props.isBusy}>${t("trainer.flops.solve", { time })}</button>
          <span role="status">
            ${props.begun > 0 && html`
              ${t("trainer.flops.begun", { n: props.begun })} <a href=${place("runs")}>${t("section.runs")}</a>`}
          </span>
        </form>`;
    }

    return () => isOwner && spots().length > 0 && html`
      <section class="eq-panel eq-stack" aria-label=${t("trainer.flops")}>
        <h2>${t("trainer.flops")}</h2>
        <p class="eq-muted">${t("trainer.flops.about")}</p>
        ${form()}
      </section>`;
  },
};
