// A range of the form: its text, the grid to paint on, and the way to stored ranges.
import { html, ref } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { RangeEditor } from "../../parts/range_editor.js";
import { RangeLibrary } from "../../parts/range_library.js";
import { SpotField } from "./field.js";

// `library` has the ranges that can be named, and `ranking` the classes from the best on.
export const RangePanel = {
  props: { store: Object, seat: String, library: Object },
  emits: ["library"],
  setup(props, { emit }) {
    const { store, seat } = props;
    const isOpen = ref(false);
    const name = t(`spot.seat.${seat}`);
    function use(text) {
      isOpen.value = false;
      store.change({ [seat]: text });
    }
    return () => html`
      <section class="eq-panel eq-stack su-range" aria-label=${t(`spot.range.${seat}`)}>
        <div class="eq-row">
          <h2 class="eq-grow">${name}</h2>
          <span class="eq-small eq-muted">${t(`spot.order.${seat}`)}</span>
        </div>
        <${SpotField} store=${store} name=${seat} label=${t("spot.range")} lines=${2} help=${t("spot.range.help")} />
        <${RangeEditor} weights=${store.hands.weights[seat]} ranking=${props.library.ranking} label=${name}
          onPaint=${(how) => store.hands.paint(seat, how)} />
        <button class="eq-button" type="button" aria-label=${t("spot.ranges.of", { seat: name })}
          onClick=${() => (isOpen.value = true)}>${t("spot.ranges")}</button>
        ${isOpen.value && html`
          <${RangeLibrary} title=${t("spot.ranges.title", { seat: name })} text=${store.form.value[seat]}
            library=${props.library} onUse=${use} onChange=${() => emit("library")}
            onClose=${() => (isOpen.value = false)} />`}
      </section>`;
  },
};
