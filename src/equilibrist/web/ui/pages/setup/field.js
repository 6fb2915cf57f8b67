// Fields of the form, each with its name above, and below it what is wrong, once the field was left.
import { html, nextTick, ref, watch } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { faultText } from "./faults.js";

export const idOf = (name) => `spot-${name}`;

// What is wrong with a field, behind its name if that is given; the engine's own sentence where there are
// no words of the page for it.
export function faultNote(store, name, label = null) {
  const fault = store.faultOf(name);
  if (!fault) return null;
  const text = faultText(fault, store.kinds[name], store.form.value[name]);
  return html`
    <span class="eq-error eq-small" id=${`${idOf(name)}-said`} role="alert">
      ${label && `${label}: `}${text ?? html`<span lang="en" translate="no">${fault.text}</span>`}
    </span>`;
}

// A field of text. `help` stands below it until something is wrong; with `isBare` its label is heard
// alone, and what is wrong stands elsewhere. `lines` is how many it has; Enter tells `enter`.
export const SpotField = {
  props: {
    store: Object, name: String, label: String, help: String, placeholder: String, lines: { type: Number, default: 1 },
    isBare: Boolean, isDisabled: Boolean, isNumber: Boolean, list: String,
  },
  setup(props) {
    const { store } = props;
    const [field, isWhole] = [ref(null), ref(false)];
    const value = () => store.form.value[props.name];
    const type = (event) => store.change({ [props.name]: event.target.value }, props.name);

    // A text that is selected whole stays so when it is written anew: what is typed next replaces it.
    watch(value, () => {
      const { value: element } = field;
      isWhole.value = element === document.activeElement && element.value !== ""
        && element.selectionStart === 0 && element.selectionEnd === element.value.length;
    });
    watch(value, () => isWhole.value && nextTick(() => field.value.select()), { flush: "post" });

    function marks() {
      const { store: { faultOf }, name, help } = props;
      const isWrong = faultOf(name) !== null;
      return {
        ref: field,
        id: idOf(name),
        class: "eq-field eq-num",
        value: value(),
        disabled: props.isDisabled,
        placeholder: props.placeholder || null,
        "aria-label": props.isBare ? props.label : null,
        spellcheck: "false",
        autocomplete: "off",
        "aria-invalid": isWrong ? "true" : null,
        "aria-describedby": isWrong || help ? `${idOf(name)}-said` : null,
        onInput: type,
        onBlur: () => store.leave(name),
      };
    }
    const note = () => {
      const fault = faultNote(store, props.name);
      if (fault) return fault;
      return props.help && html`<span class="eq-small eq-muted" id=${`${idOf(props.name)}-said`}>${props.help}</span>`;
    };
    return () => html`
      <div class="su-field">
        ${!props.isBare && html`<label for=${idOf(props.name)}>${props.label}</label>`}
        ${props.lines > 1
          ? html`<textarea ...${marks()} rows=${props.lines} onFocus=${(event) => event.target.select()}></textarea>`
          : html`<input ...${marks()} inputmode=${props.isNumber ? "decimal" : null} list=${props.list || null}
              onKeydown=${(event) => event.key === "Enter" && store.leave(props.name)} />`}
        ${!props.isBare && note()}
      </div>`;
  },
};

// A box to tick.
export const switchField = (store, name, label) => html`
  <label class="su-switch" key=${name}>
    <input type="checkbox" id=${idOf(name)} checked=${Boolean(store.form.value[name])}
      onChange=${(event) => store.change({ [name]: event.target.checked })} />
    <span>${label}</span>
  </label>`;

// A choice among a few values, each with its text.
export const choiceField = (store, name, label, choices) => html`
  <div class="su-field">
    <label for=${idOf(name)}>${label}</label>
    <select class="eq-field" id=${idOf(name)} value=${store.form.value[name]}
      onChange=${(event) => store.change({ [name]: event.target.value })}>
      ${choices.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}
    </select>
  </div>`;

export const wordsOf = (name) => t(`spot.name.${name}`);
