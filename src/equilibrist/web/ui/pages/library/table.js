// The table of solutions: what they are of, how good they are, and what can be done with them.
import { place, word } from "../../core/address.js";
import { html } from "../../core/html.js";
import { bytes, count, moment } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { entryPlace, entryTitle, measureOf, runStateText, valueOf } from "../../parts/entry_texts.js";

const HEADS = ["solution", "value", "measured", "algorithm", "saved"];

// An algorithm without its parameters.
const shortName = (algorithm) => algorithm?.replace(/\(.*?\)/, "");

const figure = (found) => found && html`
  <div class="eq-num">${found.figure}</div><div class="eq-muted eq-small">${found.about}</div>`;

const iterations = ({ iterations: n }) => (n === null ? "" : t("library.iterations", { n, count: count(n) }));

// A component, so that of a thousand rows those alone are drawn again that have changed.
const Row = {
  props: { entry: Object, isChosen: Boolean },
  emits: ["choose", "open"],
  setup(props, { emit }) {
    function title() {
      const { entry } = props;
      const { text, isData } = entryTitle(entry);
      const address = entryPlace(entry);
      if (!address) return html`<span class="eq-error">${text}</span>`;
      return html`<a href=${address} translate=${isData ? "no" : null}>${text}</a>`;
    }
    return () => {
      const { entry, isChosen } = props;
      const isSound = entry.title.kind !== "damaged";
      return html`
        <tr>
          <td>
            ${isSound && html`
              <input type="checkbox" checked=${isChosen} onChange=${() => emit("choose", entry.name)}
                aria-label=${t("library.choose", { name: entry.name })} />`}
          </td>
          <td class="lb-title">
            ${title()}
            <div class="eq-small eq-muted">
              <span translate="no">${[entry.folder, entry.name].filter(Boolean).join(`/`)}</span>
            </div>
            ${entry.note && html`<div class="eq-small lb-note" translate="no">${entry.note}</div>`}
          </td>
          <td class="lb-value">${figure(valueOf(entry))}</td>
          <td class="lb-measured">${figure(measureOf(entry))}</td>
          <td class="lb-made">
            <div class="eq-small" translate="no" title=${entry.algorithm}>${shortName(entry.algorithm)}</div>
            <div class="eq-small eq-muted eq-num">
              ${iterations(entry)}
            </div>
            ${entry.run && html`
              <a class="eq-small" href=${place(`runs/${word(entry.run.job)}`)}>
                ${t("library.run", { state: runStateText(entry.run) })}
              </a>`}
          </td>
          <td class="lb-saved">
            <time class="eq-small" translate="no">${moment(Date.parse(entry.saved) / 1000)}</time>
            <div class="eq-small eq-muted eq-num">${bytes(entry.num_bytes)}</div>
          </td>
          <td>
            <div class="eq-row lb-actions">
              ${isSound && entry.title.kind !== "three" && html`
                <a href=${place(`play/${word(entry.name)}`)}
                  aria-label=${t("library.play.name", { name: entry.name })}>${t("library.play")}</a>`}
              <button class="eq-button eq-small" type="button" onClick=${() => emit("open", entry.name)}
                aria-label=${t("library.more.name", { name: entry.name })}>${t("library.more")}</button>
            </div>
          </td>
        </tr>`;
    };
  },
};

// `chosen` are the names of solutions that are to be compared.
export const Solutions = {
  props: { rows: Array, chosen: Array },
  emits: ["choose", "open"],
  setup(props, { emit }) {
    const choose = (name) => emit("choose", name);
    const open = (name) => emit("open", name);
    return () => html`
      <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("library.solutions")}>
        <table class="eq-table lb-table">
          <thead><tr>
            <th scope="col"><span class="eq-hidden">${t("library.head.compare")}</span></th>
            ${HEADS.map((head) => html`<th key=${head} scope="col">${t(`library.head.${head}`)}</th>`)}
            <th scope="col"><span class="eq-hidden">${t("library.head.actions")}</span></th>
          </tr></thead>
          <tbody>
            ${props.rows.map((entry) => html`
              <${Row} key=${entry.name} entry=${entry} isChosen=${props.chosen.includes(entry.name)}
                onChoose=${choose} onOpen=${open} />`)}
          </tbody>
        </table>
      </div>`;
  },
};
