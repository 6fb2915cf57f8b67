// Views of one thing, of which one is shown: a row of tabs, with the arrow keys, Home and End.
import { html, nextTick, ref } from "../core/html.js";

// `names` are shown by `text`; the panel is the element `panel`.
export const Tabs = {
  props: { names: Array, chosen: String, text: null, label: String, panel: String },
  emits: ["choose"],
  setup(props, { emit }) {
    const row = ref(null);

    function press(event) {
      const { names } = props;
      const at = names.indexOf(props.chosen);
      const places = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 };
      if (!(event.key in places)) return;
      event.preventDefault();
      emit("choose", names.at(places[event.key] % names.length));
      nextTick(() => row.value.querySelector("[aria-selected=true]").focus());
    }

    return () => html`
      <div class="eq-row" role="tablist" data-keys ref=${row} aria-label=${props.label} onKeydown=${press}>
        ${props.names.map((name) => html`
          <button class="eq-button" type="button" role="tab" key=${name} id=${`tab-${name}`}
            aria-controls=${props.panel} aria-selected=${String(name === props.chosen)}
            tabindex=${name === props.chosen ? 0 : -1}
            onClick=${() => emit("choose", name)}>${props.text(name)}</button>`)}
      </div>`;
  },
};
