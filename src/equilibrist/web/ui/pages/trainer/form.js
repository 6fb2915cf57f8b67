// The form of a session: spots, positions, streets, stacks, difficulty, tables and clock.
import { html } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { Field } from "../../parts/field.js";
import { titleText } from "../../poker/titles.js";
import { CLOCKS, COUNTS, DIFFICULTIES, fitting, positionsOf, STACKS, STREETS, TABLES } from "./fitting.js";

// Several of `names`, of which none stands for all of them.
function toggles(label, names, chosen, text, onChange, isData) {
  const turn = (name) => onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return html`
    <fieldset class="tr-choices">
      <legend>${label}</legend>
      <div class="eq-row">
        ${names.map((name) => html`
          <button class="eq-button" type="button" key=${name} aria-pressed=${String(chosen.includes(name))}
            translate=${isData ? "no" : null} onClick=${() => turn(name)}>${text(name)}</button>`)}
      </div>
    </fieldset>`;
}

// `form` has texts and lists, `change` is told what changes of them, `start` that it is sent.
export const SessionForm = {
  props: { form: Object, solutions: Array, examples: Array, isBusy: Boolean },
  emits: ["change", "start"],
  setup(props, { emit }) {
    const change = (name) => (value) => emit("change", { [name]: value });

    const select = (name, values, text) => html`
      <${Field} id=${`tr-${name}`} label=${t(`trainer.${name}`)} value=${props.form[name]}
        choices=${values.map((value) => [value, text(value)])} onValue=${change(name)} />`;

    const several = (name, names, text, isData = false) =>
      toggles(t(`trainer.${name}`), names, props.form[name], text, change(name), isData);

    function solution({ solution: name, title }) {
      const { solutions: chosen } = props.form;
      const turn = () => change("solutions")(
        chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name],
      );
      return html`
        <li key=${name}>
          <label>
            <input type="checkbox" checked=${chosen.includes(name)} onChange=${turn} />
            <span translate="no">${titleText(title)}</span>
            <span class="eq-small eq-muted" translate="no">${name}</span>
          </label>
        </li>`;
    }

    const chosen = () => props.form.solutions;
    const solutions = () => html`
      <details class="tr-solutions">
        <summary>${t(chosen().length ? "trainer.solutions" : "trainer.solutions.all", { n: chosen().length })}</summary>
        <p class="eq-small eq-muted">${t("trainer.solutions.about")}</p>
        <ul>${props.solutions.map(solution)}</ul>
      </details>`;

    function send(event) {
      event.preventDefault();
      emit("start");
    }

    return () => {
      const n = fitting(props.solutions, props.form).length;
      return html`
        <form class="eq-panel eq-stack" onSubmit=${send} aria-label=${t("trainer.form")}>
          <div class="tr-rows">
            ${several("positions", positionsOf(props.solutions, props.examples), (name) => name, true)}
            ${several("streets", STREETS, (name) => t(`street.${name}`))}
          </div>
          <div class="tr-fields">
            ${select("stacks", Object.keys(STACKS), (name) => t(`trainer.stacks.${name}`))}
            ${select("difficulty", DIFFICULTIES, (name) => t(`trainer.difficulty.${name}`))}
            ${select("first", ["", "first"], (name) => t(name ? "trainer.first.first" : "trainer.first.all"))}
            ${select("tables", TABLES, (number) => t("trainer.tables.number", { n: Number(number) }))}
            ${select("seconds", CLOCKS, (number) => t(`trainer.seconds.${number ? "number" : "none"}`, { number }))}
            ${select("questions", COUNTS, (number) => t(`trainer.questions.${number ? "number" : "open"}`, { number }))}
          </div>
          ${props.solutions.length > 0 && solutions()}
          <div class="eq-row">
            <button class="eq-button eq-primary tr-start" disabled=${props.isBusy || n === 0}>
              ${t("trainer.start")}
            </button>
            <span role="status">${t(n ? "trainer.fit" : "trainer.fit.none", { n })}</span>
          </div>
        </form>`;
    };
  },
};
