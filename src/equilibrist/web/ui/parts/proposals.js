// What fields propose, with a remark in English on each.
import { html } from "../core/html.js";

// A component, so that it is drawn again only if `entries` change: {name, summary}.
export const Proposals = {
  props: { id: String, entries: Array },
  setup: (props) => () => html`
    <datalist id=${props.id} lang="en" translate="no">
      ${props.entries.map(({ name, summary }) => html`<option key=${name} value=${name}>${summary}</option>`)}
    </datalist>`,
};
