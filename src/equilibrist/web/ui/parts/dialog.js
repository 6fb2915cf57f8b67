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
