// The ten lessons: a text, a page to look at, and a question that is checked.
import { onReturn, place, said, say, word } from "../core/address.js";
import { computed, html, onMounted, ref, shallowRef } from "../core/html.js";
import { can, get, Refusal } from "../core/source.js";
import { t } from "../core/texts.js";
import { keep, kept } from "../core/theme.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { judge } from "./lessons/answers.js";

// Whether the page to look at is here: a site of files has those of its games.
function leadsSomewhere({ path, query }) {
  if (query.game) return can(`games/${word(query.game)}/lesson`);
  return can(path.startsWith("games/") ? `${path}/facts` : path);
}

const Lessons = {
  setup() {
    const lessons = shallowRef([]);
    const error = shallowRef(null);
    const name = ref("");
    const given = ref("");
    const verdict = ref("");
    const done = shallowRef(new Set(kept("lessons", "").split(" ")));
    const here = computed(() => Math.max(0, lessons.value.findIndex((one) => one.name === name.value)));
    const lesson = computed(() => lessons.value[here.value]);

    function read() {
      [name.value, given.value, verdict.value] = [said().one("lesson"), "", ""];
    }

    function open(one) {
      say({ lesson: one.name }, true);
      read();
    }

    function check(event) {
      event.preventDefault();
      verdict.value = judge(lesson.value, given.value);
      if (verdict.value !== "right") return;
      done.value = new Set([...done.value, lesson.value.name]);
      keep("lessons", [...done.value].join(" ").trim());
    }

    function give(text) {
      [given.value, verdict.value] = [text, ""];
    }

    onReturn(read);
    onMounted(async () => {
      read();
      try {
        lessons.value = await get("lessons");
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      ready();
    });

    const list = () => html`
      <ol class="eqc-list" aria-label=${t("course.list")}>
        ${lessons.value.map((one) => html`
          <li key=${one.name}>
            <button class="eqg-link" type="button" aria-current=${one === lesson.value ? "step" : null}
              onClick=${() => open(one)}>${t(`course.${one.name}.title`)}</button>
            ${done.value.has(one.name) && html`${" "}<span class="eq-small eq-good">${t("course.done")}</span>`}
          </li>`)}
      </ol>`;

    const field = () => html`
      <label class="eq-row">${t("course.answer")}
        <input class="eq-field eq-num eqc-answer" value=${given.value} autocomplete="off"
          aria-describedby="course-said" aria-invalid=${verdict.value === "no-number" ? "true" : null}
          onInput=${(event) => give(event.target.value)} />
      </label>`;

    const choices = () => html`
      <fieldset class="eqc-choices">
        <legend class="eq-hidden">${t("course.answer")}</legend>
        ${Array.from({ length: lesson.value.choices }, (_, k) => String(k + 1)).map((k) => html`
          <label key=${k} class="eq-row">
            <input type="radio" name="course-answer" value=${k} checked=${given.value === k}
              onChange=${() => give(k)} />
            ${t(`course.${lesson.value.name}.choice.${k}`)}
          </label>`)}
      </fieldset>`;

    function remark() {
      if (!verdict.value) return "";
      const rest = { right: "why", wrong: "hint" }[verdict.value];
      const more = rest ? ` ${t(`course.${lesson.value.name}.${rest}`)}` : "";
      return `${t(`course.${verdict.value}`)}${more}`;
    }

    function question() {
      const next = lessons.value[here.value + 1];
      const tone = { right: "eq-good", wrong: "eq-warn", "no-number": "eq-error" }[verdict.value];
      return html`
        <form class="eq-stack" onSubmit=${check}>
          <h3>${t(`course.${lesson.value.name}.question`)}</h3>
          ${lesson.value.kind === "choice" ? choices() : field()}
          <div class="eq-row">
            <button class="eq-button eq-primary" disabled=${!given.value.trim()}>${t("course.check")}</button>
            ${next && html`
              <button class="eq-button" type="button" onClick=${() => open(next)}>${t("course.next")}</button>`}
          </div>
          <p class=${["eqc-said", tone]} id="course-said" role="status">${remark()}</p>
        </form>`;
    }

    const body = () => html`
      <section class="eq-panel eq-stack" aria-label=${t(`course.${lesson.value.name}.title`)}>
        <h2>${t(`course.${lesson.value.name}.title`)}</h2>
        <p>${t(`course.${lesson.value.name}.text`)}</p>
        <p>
          ${leadsSomewhere(lesson.value)
            ? html`<a href=${place(lesson.value.path, lesson.value.query)} target="_blank">${t("course.open")}</a>`
            : html`<span class="eq-muted">${t("course.elsewhere")}</span>`}
        </p>
        ${question()}
      </section>`;

    return () => html`
      <p>${t("course.about")}</p>
      ${error.value && html`<${Notice} error=${error.value} />`}
      <div class="eqc-course">
        <nav class="eq-panel" aria-label=${t("course.list")}>${list()}</nav>
        ${lesson.value && body()}
      </div>`;
  },
};

show(Lessons, "learn", t("course"));
