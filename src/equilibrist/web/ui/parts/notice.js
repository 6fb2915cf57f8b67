// What was refused, and why.
import { entry } from "../core/address.js";
import { html } from "../core/html.js";
import { bytes } from "../core/numbers.js";
import { hasText, language, t } from "../core/texts.js";

const SIZES = ["memory", "disk"]; // of which errors give what is needed and what there is, in bytes

// The text of a refusal: the closest one that there is for what was wrong.
function refusalText({ kind, option, given, expected }, otherwise) {
  const keys = [`error.${kind}.${option}`, `error.option.${option}`, `error.${kind}`];
  const values = SIZES.includes(option) ? { given: bytes(given ?? 0), expected: bytes(expected ?? 0) } : {};
  return t(keys.find(hasText) ?? otherwise, values);
}

// The engine's sentence stands below; at once where it is in the reader's language. `otherwise` is the
// key of what is said of refusals that have no text of their own, `of` the name of what was refused.
export const Notice = {
  props: { error: Object, id: String, of: String, otherwise: { type: String, default: "error.Unknown" } },
  setup: (props) => () => html`
    <div class="eq-notice" id=${props.id} role="alert">
      <p class="eq-error">
        ${props.of && html`<span translate="no">${props.of}: </span>`}${refusalText(props.error, props.otherwise)}
      </p>
      ${props.error.kind === "UnauthorizedError" && html`<p><a href=${entry()}>${t("error.enter")}</a></p>`}
      ${props.error.sentence && html`
        <details open=${language.startsWith("en")}>
          <summary class="eq-small">${t("error.details")}</summary>
          <p class="eq-small" lang="en" translate="no">${props.error.sentence}</p>
        </details>`}
    </div>`,
};
