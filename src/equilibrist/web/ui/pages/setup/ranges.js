// A range of the form: its text, the grid to paint on, and the way to stored ranges.
import { html, ref, shallowRef, watch } from "../../core/html.js";
import { Refusal, send } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { dropNote, dropsOn } from "../../parts/dropping.js";
import { Notice } from "../../parts/notice.js";
import { RangeEditor } from "../../parts/range_editor.js";
import { RangeLibrary } from "../../parts/range_library.js";
import { SpotField } from "./field.js";

const LARGEST = 100_000; // bytes of a file

// `library` has the ranges that can be named, and `ranking` the classes from the best on.
export const RangePanel = {
  props: { store: Object, seat: String, library: Object },
  emits: ["library"],
  setup(props, { emit }) {
    const { store, seat } = props;
    const [isOpen, error, file] = [ref(false), shallowRef(null), ref("")]; // of a file that was dropped
    const name = t(`spot.seat.${seat}`);
    function use(text) {
      isOpen.value = false;
      store.change({ [seat]: text });
    }
    // A text file with a range, in the notation of any program.
    async function take([dropped]) {
      if (!dropped) return;
      [error.value, file.value] = [null, dropped.name];
      try {
        if (dropped.size > LARGEST) throw new Refusal({ kind: "TooLargeError", option: "text" }, 413);
        const { range } = await send("POST", "ranges/read", { text: await dropped.text() });
        store.change({ [seat]: range });
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
    }
    const { isOver, on } = dropsOn(take);
    watch(() => store.form.value[seat], () => (error.value = null));

    return () => html`
      <section class="eq-panel eq-stack su-range" aria-label=${t(`spot.range.${seat}`)} ...${on}>
        <div class="eq-row">
          <h2 class="eq-grow">${name}</h2>
          <span class="eq-small eq-muted">${t(`spot.order.${seat}`)}</span>
        </div>
        <${SpotField} store=${store} name=${seat} label=${t("spot.range")} lines=${2} help=${t("spot.range.help")} />
        ${error.value && html`<${Notice} error=${error.value} of=${file.value} otherwise=${"range.unreadable"} />`}
        <${RangeEditor} weights=${store.hands.weights[seat]} ranking=${props.library.ranking} label=${name}
          onPaint=${(how) => store.hands.paint(seat, how)} />
        <button class="eq-button" type="button" aria-label=${t("spot.ranges.of", { seat: name })}
          onClick=${() => (isOpen.value = true)}>${t("spot.ranges")}</button>
        ${isOpen.value && html`
          <${RangeLibrary} title=${t("spot.ranges.title", { seat: name })} text=${store.form.value[seat]}
            library=${props.library} onUse=${use} onChange=${() => emit("library")}
            onClose=${() => (isOpen.value = false)} />`}
        ${isOver.value && dropNote(t("range.drop"), true)}
      </section>`;
  },
};
