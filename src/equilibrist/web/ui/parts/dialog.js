// A question before something is done that cannot be undone.
import { html, onMounted, ref } from "../core/html.js";
import { t } from "../core/texts.js";

// `answer` tells whether to go on; Escape says no.
export const Question = {
  props: { question: String, note: String, action: String },
  emits: ["answer"],
  setup(props, { emit }) {
    const dialog = ref(null);
    onMounted(() => dialog.value.showModal());
    return () => html`
      <dialog class="eq-dialog eq-stack" ref=${dialog} aria-label=${props.question}
        onClose=${(event) => emit("answer", event.target.returnValue === "yes")}>
        <h2>${props.question}</h2>
        ${props.note && html`<p>${props.note}</p>`}
        <div class="eq-row">
          <button class="eq-button eq-primary" type="button" onClick=${() => dialog.value.close("yes")}>
            ${props.action}
          </button>
          <button class="eq-button" type="button" onClick=${() => dialog.value.close("no")}>${t("dialog.no")}</button>
        </div>
      </dialog>`;
  },
};

// A window over the page with a title; `close` tells that it was closed, by Escape too.
export const Dialog = {
  props: { title: String },
  emits: ["close"],
  setup(props, { emit, slots }) {
    const dialog = ref(null);
    onMounted(() => dialog.value.showModal());
    return () => html`
      <dialog class="eq-dialog eq-dialog-wide eq-stack" ref=${dialog} aria-label=${props.title}
        onClose=${(event) => event.target === dialog.value && emit("close")}>
        <div class="eq-row">
          <h2 class="eq-grow">${props.title}</h2>
          <button class="eq-button" type="button" onClick=${() => dialog.value.close()}>${t("dialog.close")}</button>
        </div>
        ${slots.default()}
      </dialog>`;
  },
};
