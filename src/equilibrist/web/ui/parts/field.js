// A field with its name above, and below what it takes, or why that was refused.
import { html } from "../core/html.js";
import { Notice } from "./notice.js";

// `choices` are pairs of values and texts; without any it is a field of text, which proposes what the
// list `list` has. `onValue` is told what is given. `isName` that its texts are those of the engine.
export const Field = {
  props: {
    id: String, label: String, value: String, help: null, error: Object, choices: Array,
    list: String, placeholder: String, isNumber: Boolean, isName: Boolean,
  },
  emits: ["value"],
  setup(props, { emit }) {
    const give = (event) => emit("value", event.target.value);
    const marks = () => ({
      id: props.id,
      translate: props.isName ? "no" : null,
      class: "eq-field",
      "aria-invalid": props.error ? "true" : null,
      "aria-describedby": `${props.id}-said`,
    });
    const choice = () => html`
      <select ...${marks()} value=${props.value} onChange=${give}>
        ${props.choices.map(([value, text]) => html`
          <option key=${value} value=${value} translate=${text === value ? "no" : null}>${text}</option>`)}
      </select>`;
    const text = () => html`
      <input ...${marks()} value=${props.value} onInput=${give} autocomplete="off" list=${props.list || null}
        inputmode=${props.isNumber ? "numeric" : null} placeholder=${props.placeholder || null} />`;
    return () => html`
      <div class="eqg-field">
        <label for=${props.id} translate=${props.isName ? "no" : null}>${props.label}</label>
        ${props.choices ? choice() : text()}
        ${props.error
          ? html`<${Notice} id=${`${props.id}-said`} error=${props.error} otherwise="error.value" />`
          : html`<span class="eq-small eq-muted" id=${`${props.id}-said`}>${props.help}</span>`}
      </div>`;
  },
};
