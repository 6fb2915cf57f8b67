// The JSON API, as it describes itself in OpenAPI: every request with its values and its answer.
import { onReturn, place as addressOf, said, say } from "../core/address.js";
import { computed, html, onMounted, ref, shallowRef } from "../core/html.js";
import { get, Refusal } from "../core/source.js";
import { pieces, t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { Asking } from "./api/asking.js";
import { found, requestsOf } from "./api/requests.js";
import { english, Fields, partsOf, typeText } from "./api/schemas.js";

const DOCUMENT = "application/json";
const OPENAPI = "openapi.json";

const schemaOf = (content) => content?.[DOCUMENT]?.schema;
const firstLine = (text) => text.split("\n\n")[0];

// One request; what it takes and answers is drawn once it is opened.
const Request = {
  props: { request: Object, schemas: Object, isFirst: Boolean },
  setup(props) {
    const [isOpen, place] = [ref(props.isFirst), ref(null)];
    onMounted(() => props.isFirst && place.value.scrollIntoView());

    function document(key, schema) {
      if (!schema) return null;
      return html`
        <section class="eq-stack api-part">
          <h4>${t(key)}</h4>
          <p class="eq-small" translate="no">${typeText(schema)}</p>
          ${partsOf(schema).map((name) => html`<${Fields} key=${name} name=${name} schemas=${props.schemas} />`)}
        </section>`;
    }

    function answer() {
      const [status, good] = Object.entries(props.request.responses).find(([code]) => code.startsWith("2"));
      const other = Object.keys(good.content ?? {}).filter((kind) => kind !== DOCUMENT);
      return html`
        ${document("api.answer", schemaOf(good.content))}
        ${other.length > 0 && html`<p class="eq-small">${t("api.answer.file", { kinds: other.join(", ") })}</p>`}
        <p class="eq-small eq-muted">${t("api.statuses", { status })}</p>`;
    }

    function body() {
      const { method, path, parameters, description, requestBody: sent, responses } = props.request;
      const isDocument = Boolean(schemaOf(responses[200]?.content));
      return html`
        <div class="eq-stack api-body">
          ${description && html`<p class="api-text">${english(description)}</p>`}
          ${method === "GET" && html`
            <${Asking} path=${path} isDocument=${isDocument}
              parameters=${parameters.filter((one) => one.in === "path" || one.in === "query")} />`}
          ${method !== "GET" && parameters.map((one) => html`
            <p key=${one.name} class="eq-small">
              <span translate="no"><b class="eq-mono">${one.name}</b>${": "}${typeText(one.schema)}</span>${" "}
              ${one.description && english(one.description)}
            </p>`)}
          ${document("api.sent", schemaOf(sent?.content))}
          ${answer()}
        </div>`;
    }

    return () => {
      const { id, method, path, description } = props.request;
      return html`
        <details class="api-request" id=${id} open=${props.isFirst} ref=${place}
          onToggle=${(event) => (isOpen.value = event.target.open || isOpen.value)}>
          <summary>
            <span class="eq-mono api-method" translate="no">${method}</span>
            <span class="eq-mono api-path" translate="no">${path}</span>
            <span class="eq-muted api-about">${english(firstLine(description))}</span>
          </summary>
          ${isOpen.value && body()}
        </details>`;
    };
  },
};

const Api = {
  setup() {
    const described = shallowRef(null);
    const error = shallowRef(null);
    const search = ref("");
    const requests = computed(() => requestsOf(described.value));
    const shown = computed(() => found(requests.value, search.value));
    const tags = computed(() => [...new Set(shown.value.map(({ tag }) => tag))]);
    const read = () => (search.value = said().one("search"));

    function keep(event) {
      search.value = event.target.value;
      say({ search: search.value });
    }

    onReturn(read);
    onMounted(async () => {
      read();
      try {
        described.value = await get(OPENAPI);
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      ready();
    });

    const group = (tag) => html`
      <section class="eq-stack" key=${tag} aria-labelledby=${`tag-${tag}`}>
        <h2 id=${`tag-${tag}`} lang="en" translate="no">${tag}</h2>
        <div>
          ${shown.value.filter((one) => one.tag === tag).map((request) => html`
            <${Request} key=${request.id} request=${request} schemas=${described.value.components.schemas}
              isFirst=${location.hash === `#${request.id}`} />`)}
        </div>
      </section>`;

    const openapi = html`<a href=${addressOf(`api/${OPENAPI}`)} translate="no">${OPENAPI}</a>`;
    return () => html`
      <div class="eq-stack">
        <p>${pieces("api.about", { file: openapi })}</p>
        <div class="eq-row">
          <label class="eq-row">${t("api.search")}
            <input class="eq-field" type="search" value=${search.value} onInput=${keep} />
          </label>
          <span class="eq-muted" role="status">
            ${described.value && t("api.shown", { shown: shown.value.length, n: requests.value.length })}
          </span>
        </div>
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${described.value && tags.value.map(group)}
      </div>`;
  },
};

show(Api, "", t("api.title"));
