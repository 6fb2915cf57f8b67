// The spots that come with Equilibrist: each is solved when somebody wants it.
import { place, word } from "../../core/address.js";
import { html, ref } from "../../core/html.js";
import { roughly } from "../../core/numbers.js";
import { isOwner } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { titleText } from "../../poker/titles.js";

const AT_ONCE = 3; // runs that wait or go on while all are solved

// Which examples are to be solved next while all of them are wanted.
export function nextOnes(examples) {
  const active = examples.filter(({ state }) => state === "queued" || state === "running").length;
  const open = examples.filter(({ solution, job }) => !solution && !job);
  return open.slice(0, Math.max(0, AT_ONCE - active)).map(({ name }) => name);
}

// `solve` is told the name of an example, `all` that each of them is wanted.
export const Examples = {
  props: { examples: Array, isBusy: Boolean, isAll: Boolean },
  emits: ["solve", "all"],
  setup(props, { emit }) {
    const isOpen = ref(props.examples.every(({ solution }) => !solution));
    const missing = () => props.examples.filter(({ solution }) => !solution);

    function what({ name, title, solution, job, state, seconds }) {
      const label = t("trainer.example.solve", { spot: titleText(title) });
      if (solution) return html`<a href=${place(`study/${word(solution)}`)}>${t("play.study")}</a>`;
      if (job) return html`<a href=${place(`runs/${word(job)}`)}>${t(`job.state.${state}`)}</a>`;
      if (!isOwner) return html`<span class="eq-muted">${t("trainer.example.open")}</span>`;
      return html`
        <button class="eq-button" type="button" aria-label=${label} disabled=${props.isBusy}
          onClick=${() => emit("solve", name)}>
          ${t("trainer.example.solve-it", { time: roughly(seconds) })}
        </button>`;
    }

    const counts = () => ({ n: props.examples.length, solved: props.examples.length - missing().length });

    const row = (example) => html`
      <tr key=${example.name}>
        <td translate="no">${titleText(example.title)}</td>
        <td>${what(example)}</td>
      </tr>`;

    function all() {
      const open = missing();
      const seconds = open.reduce((sum, one) => sum + one.seconds, 0);
      return html`
        <button class="eq-button" type="button" disabled=${props.isBusy || props.isAll}
          onClick=${() => emit("all")}>
          ${t("trainer.example.all", { n: open.length, time: roughly(seconds) })}
        </button>`;
    }

    return () => html`
      <section class="eq-panel eq-stack">
        <h2>${t("trainer.examples")}</h2>
        <p class="eq-muted">${t("trainer.examples.about")}</p>
        ${isOwner && missing().length > 0 && html`<div>${all()}</div>`}
        <details open=${isOpen.value} onToggle=${(event) => (isOpen.value = event.target.open)}>
          <summary>${t("trainer.examples.list", counts())}</summary>
          <table class="eq-table tr-examples"><tbody>${props.examples.map(row)}</tbody></table>
        </details>
      </section>`;
  },
};
