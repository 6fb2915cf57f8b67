// Which solution is played or drilled; where there is none yet, small games are solved.
import { place, word } from "../core/address.js";
import { html, onMounted, ref, shallowRef } from "../core/html.js";
import { get, isOwner, Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { entryTitle, measureOf } from "../parts/entry_texts.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";

const FIRST = ["kuhn", "leduc", "rock_paper_scissors"]; // games that are solved within seconds

const figure = (found) => found && html`
  <div class="eq-num">${found.figure}</div><div class="eq-muted eq-small">${found.about}</div>`;

const Play = {
  setup() {
    const solutions = shallowRef(null);
    const error = shallowRef(null);
    const isBusy = ref(false);

    async function attempt(act) {
      [error.value, isBusy.value] = [null, true];
      try {
        await act();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      isBusy.value = false;
    }

    const solve = (game) => !isBusy.value && attempt(async () => {
      const job = await send("POST", "jobs", { game, options: {} });
      location.assign(place(`runs/${job.id}`));
      await new Promise(() => {}); // it can be started once
    });

    onMounted(async () => {
      await attempt(async () => ({ solutions: solutions.value } = await get("play/solutions")));
      ready();
    });

    const first = () => html`
      <p>${t(isOwner ? "play.first" : "play.first.guest")}</p>
      ${isOwner && html`
        <div class="eq-row">
          ${FIRST.map((game) => html`
            <button class="eq-button eq-primary" type="button" key=${game} disabled=${isBusy.value}
              onClick=${() => solve(game)}>${t(`play.first.${game}`)}</button>`)}
        </div>
        <p class="eq-row">
          <span class="eq-muted">${t("play.first.else")}</span>
          <a href=${place("games")}>${t("section.games")}</a>
          <a href=${place("spot")}>${t("section.spot")}</a>
        </p>`}`;

    const link = (page, text, name) => html`
      <a href=${place(`${page}/${word(name)}`)} aria-label=${t(`play.${page}.name`, { name })}>${text}</a>`;

    function title(entry) {
      const { text, isData } = entryTitle(entry);
      return html`<span translate=${isData ? "no" : null}>${text}</span>`;
    }

    const row = (entry) => html`
      <tr key=${entry.name}>
        <td>${title(entry)}<div class="eq-small eq-muted" translate="no">${entry.name}</div></td>
        <td>${link("play", t("play.play"), entry.name)}</td>
        <td>${entry.has_drills && link("drill", t("play.drill"), entry.name)}</td>
        <td>${figure(measureOf(entry))}</td>
      </tr>`;

    const table = () => html`
      <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("play.solutions")}>
        <table class="eq-table pl-solutions">
          <thead><tr>
            <th scope="col">${t("play.solution")}</th>
            <th scope="col">${t("play.play")}</th>
            <th scope="col">${t("play.drill")}</th>
            <th scope="col">${t("play.measure")}</th>
          </tr></thead>
          <tbody>${solutions.value.map(row)}</tbody>
        </table>
      </div>`;

    return () => html`
      <div class="eq-stack">
        <p>${t("play.about")}</p>
        <p class="eq-row">
          <a href=${place("trainer")}>${t("play.train")}</a>
          <a href=${place("review")}>${t("play.review")}</a>
        </p>
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${solutions.value && (solutions.value.length ? table() : first())}
      </div>`;
  },
};

show(Play, "play", t("section.play"));
