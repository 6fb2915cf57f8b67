// What fields propose, with a remark on each: the engine's, in English, unless they are ours.
import { html } from "../core/html.js";

// A component, so that it is drawn again only if `entries` change: {name, summary}.
export const Proposals = {
  props: { id: String, entries: Array, isOurs: Boolean },
  setup: (props) => () => html`
    <datalist id=${props.id} lang=${props.isOurs ? null : "en"} translate="no">
      ${props.entries.map(({ name, summary }) => html`<option key=${name} value=${name}>${summary}</option>`)}
    </datalist>`,
};
