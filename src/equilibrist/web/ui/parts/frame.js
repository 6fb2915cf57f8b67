// The frame of every page: the bar with its sections, and the body.
import { place } from "../core/address.js";
import { computed, createApp, html, onBeforeUnmount, onMounted, ref, unref, watch } from "../core/html.js";
import { can, signOut } from "../core/source.js";
import { t } from "../core/texts.js";
import { kept, LANGUAGES, PALETTES, setLanguage, setTaste, taste, THEMES } from "../core/theme.js";

const SECTIONS = [
  ["library", ""], ["spot", "spot"], ["hands", "hands"], ["games", "games"], ["race", "race"],
  ["runs", "runs"], ["play", "play"], ["learn", "learn"],
];

// All words change at once, with the page: buttons, since arrow keys in a list would open it again and again.
function speak(language) {
  setLanguage(language);
  location.reload();
}

// Theme, colours of actions and language.
const Display = {
  setup() {
    const menu = ref(null);
    function close() {
      menu.value.open = false;
      menu.value.querySelector("summary").focus();
    }
    function left(event) {
      if (event.relatedTarget && !menu.value.contains(event.relatedTarget)) menu.value.open = false;
    }
    const choice = (name, choices) => html`
      <label>${t(`display.${name}`)}
        <select class="eq-field" onChange=${(event) => setTaste(name, event.target.value)}>
          ${choices.map((one) => html`
            <option value=${one} selected=${one === taste(name)}>${t(`display.${name}.${one}`)}</option>`)}
        </select>
      </label>`;
    const languages = () => html`
      <div class="eq-row" role="group" aria-label=${t("display.language")}>
        <span>${t("display.language")}</span>
        ${LANGUAGES.map((one) => html`
          <button class="eq-button" type="button" aria-pressed=${one === (kept("language", "") || "browser")}
            lang=${one === "browser" ? null : one} onClick=${() => speak(one)}>
            ${t(`display.language.${one}`)}
          </button>`)}
      </div>`;
    return () => html`
      <details class="eq-display" ref=${menu} onFocusout=${left}
        onKeydown=${(event) => event.key === "Escape" && close()}>
        <summary>${t("display")}</summary>
        <div>${choice("theme", THEMES)}${choice("palette", PALETTES)}${languages()}</div>
      </details>`;
  },
};

function session() {
  const { role, session: isSigned } = document.documentElement.dataset;
  if (isSigned === undefined) return null;
  return html`
    ${role === "guest" && html`<span class="eq-small">${t("frame.guest")}</span>`}
    <button class="eq-button" type="button" onClick=${signOut}>${t("frame.leave")}</button>`;
}

const Frame = {
  props: { section: String },
  setup(props, { slots }) {
    const sections = ref(null);
    // Where not all sections are in sight, the one of this page is, also once a phone was turned.
    function center() {
      const [here, bar] = [sections.value.querySelector("[aria-current]"), sections.value];
      if (here) bar.scrollLeft = here.offsetLeft + here.offsetWidth / 2 - bar.offsetLeft - bar.clientWidth / 2;
    }
    let width = window.innerWidth;
    function follow() {
      if (window.innerWidth !== width) center(); // not where a bar of the browser alone comes or goes
      width = window.innerWidth;
    }
    onMounted(() => {
      center();
      window.addEventListener("resize", follow);
    });
    onBeforeUnmount(() => window.removeEventListener("resize", follow));
    return () => html`
      <header class="eq-bar">
        <a class="eq-skip" href="#content">${t("frame.skip")}</a>
        <a class="eq-brand" href=${place("")} translate="no">${t("frame.brand")}</a>
        <nav class="eq-sections" ref=${sections} aria-label=${t("frame.sections")}
          onFocusin=${(event) => event.target.scrollIntoView({ block: "nearest", inline: "nearest" })}>
          ${SECTIONS.filter(([name]) => can(name)).map(([name, path]) => html`
            <a key=${name} href=${place(path)} aria-current=${name === props.section ? "page" : null}>
              ${t(`section.${name}`)}
            </a>`)}
        </nav>
        ${session()}
        <${Display} />
      </header>
      <p class="eq-loading" role="status">${t("frame.loading")}</p>
      <main class="eq-page" id="content" tabindex="-1">${slots.default()}</main>`;
  },
};

// Show a page, a component, in its frame: under a title, which is also that of the window. `title` is
// a text, or the reference to one that changes; `isName`, which may change, too, that it
// is somebody's name for something; `isDrawn` that the page draws its title itself.
export function show(page, section, title, isName = false, isDrawn = false) {
  const text = computed(() => unref(title));
  const name = () => html`<h1 translate=${unref(isName) ? "no" : null}>${text.value}</h1>`;
  watch(text, () => (document.title = t("frame.title", { title: text.value })), { immediate: true });
  const body = () => html`<${Frame} section=${section}>${isDrawn ? null : name()}<${page} /><//>`;
  createApp({ render: body }).mount(document.body);
}

// Say that the page has drawn what it was opened for.
export function ready() {
  document.documentElement.dataset.ready = "";
}
