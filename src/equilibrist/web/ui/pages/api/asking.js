// A request that reads is asked here, and what is answered is shown.
import { place } from "../../core/address.js";
import { html, reactive, ref, shallowRef } from "../../core/html.js";
import { count } from "../../core/numbers.js";
import { get, Refusal } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { Notice } from "../../parts/notice.js";
import { questionOf } from "./requests.js";
import { limitsText, typeText } from "./schemas.js";

const MOST = 20_000; // characters of an answer that are shown

// `path` of a document, such as `/api/games`; `parameters` as OpenAPI has them.
export const Asking = {
  props: { path: String, parameters: Array, isDocument: Boolean },
  setup(props) {
    const values = reactive({});
    const [answer, error, isBusy] = [ref(null), shallowRef(null), ref(false)];
    let isAsked = false; // from then on there is room for an answer, or for why there is none
    const asked = () => questionOf(props.path, props.parameters, values);
    const address = () => place(asked()[0].slice(1), asked()[1]);

    async function ask(event) {
      event.preventDefault();
      [isBusy.value, error.value, answer.value] = [true, null, null];
      isAsked = true;
      const [path, question] = asked();
      try {
        answer.value = JSON.stringify(await get(path.replace(/^\/api\//, ""), question), null, 2);
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      isBusy.value = false;
    }

    function field(one) {
      const [id, limits] = [`${props.path} ${one.name}`.replace(/\W+/g, "-"), limitsText(one.schema)];
      return html`
        <div class="eqg-field" key=${one.name}>
          <label class="eq-mono" translate="no" for=${id}>${one.name}</label>
          <input class="eq-field" id=${id} autocomplete="off" required=${one.in === "path"}
            value=${values[one.name] ?? ""} aria-describedby=${`${id}-about`}
            onInput=${(event) => (values[one.name] = event.target.value)} />
          <span class="eq-small eq-muted" id=${`${id}-about`}>
            <span translate="no">${typeText(one.schema)}</span>${limits && `; ${limits}`}
            ${one.description && html`${". "}<span lang="en" translate="no">${one.description}</span>`}
          </span>
        </div>`;
    }

    function shown() {
      const { length } = answer.value;
      return html`
        <pre class="api-answer" tabindex="0" role="region" translate="no" aria-label=${t("api.answered")}>
          ${answer.value.slice(0, MOST)}
        </pre>
        ${length > MOST && html`<p class="eq-muted">${t("api.cut", { shown: count(MOST), all: count(length) })}</p>`}`;
    }

    return () => html`
      <form class="eq-stack" onSubmit=${ask}>
        <div class="eqg-fields">${props.parameters.map(field)}</div>
        <p class="eq-row">
          ${props.isDocument && html`
            <button class="eq-button" disabled=${isBusy.value}>${t("api.ask")}</button>`}
          <a href=${address()} class="eq-mono" translate="no">${address().replace(/^\.+/, "")}</a>
        </p>
        <div aria-live="polite" class=${["eq-stack", { "api-reply": isAsked }]}>
          ${error.value && html`<${Notice} error=${error.value} />`}
          ${answer.value !== null && shown()}
        </div>
      </form>`;
  },
};
