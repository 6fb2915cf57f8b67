// The parameters of a game: a field for each, and the text of a game with those that are given.
import { html } from "../../core/html.js";
import { number } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { Field } from "../../parts/field.js";
import { parameterMeaning } from "../../poker/game_help.js";

// What the fields begin with: values by names, as texts.
export function valuesOf({ parameters = [], values }) {
  const first = ({ name, kind, default: otherwise }) =>
    values[name] ?? (kind === "flag" || kind === "choice" ? otherwise : "");
  return Object.fromEntries(parameters.map((one) => [one.name, first(one)]));
}

export function textOf({ name, parameters = [] }, values) {
  const given = parameters
    .map((one) => [one.name, values[one.name].trim(), one.default])
    .filter(([, value, otherwise]) => value !== "" && value !== otherwise)
    .map(([parameter, value]) => `${parameter}=${value}`);
  return given.length ? `${name}(${given.join(",")})` : name;
}

function bounds({ minimum: low, maximum: high }) {
  if (low === null && high === null) return "";
  if (high === null) return t("game.bounds.low", { low: number(low) });
  if (low === null) return t("game.bounds.high", { high: number(high) });
  return t("game.bounds", { low: number(low), high: number(high) });
}

// Of the game `game`. `change` is told the name of a parameter, its text, and whether it was chosen rather than typed.
export const Parameters = {
  props: { game: String, parameters: Array, values: Object, error: Object },
  emits: ["change", "look"],
  setup(props, { emit }) {
    function field(one) {
      const isChosen = one.kind === "choice" || one.kind === "flag";
      const choices = one.kind === "flag" ? ["false", "true"] : one.choices;
      return html`
        <${Field} key=${one.name} id=${`p-${one.name}`} label=${one.name} isName value=${props.values[one.name]}
          placeholder=${one.default} isNumber=${one.kind === "integer"}
          choices=${isChosen ? choices.map((value) => [value, value]) : null}
          error=${props.error?.option === one.name ? props.error : null}
          help=${`${parameterMeaning(props.game, one)} ${bounds(one)}`.trim()}
          onValue=${(text) => emit("change", one.name, text, isChosen)} />`;
    }

    function look(event) {
      event.preventDefault();
      emit("look");
    }

    return () => html`
      <form class="eq-panel eq-stack" onSubmit=${look} aria-label=${t("game.parameters")}>
        <h2>${t("game.parameters")}</h2>
        <div class="eqg-fields">${props.parameters.map(field)}</div>
      </form>`;
  },
};
