// The sessions so far, with what they came to.
import { place, word } from "../../core/address.js";
import { html } from "../../core/html.js";
import { count, moment } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { intervalText, lossText, rightText } from "./figures.js";

const HEADS = ["begun", "spots", "answers", "right", "loss"];

function answersText({ score, questions }) {
  return questions === null ? count(score.answers) : t("training.of", { n: score.answers, all: count(questions) });
}

// The newest `most`, and a button for the others, which `onMore` shows. `onDelete` is told a session.
export function sessionTable(sessions, most, onDelete, onMore) {
  const row = (session) => {
    const { id, created, solutions, score, state, again } = session;
    const when = moment(created);
    return html`
      <tr key=${id}>
        <td>
          <a href=${place(`trainer/${word(id)}`)}>${t("trainer.session.begun", { when })}</a>
          ${again && html`<div class="eq-small eq-muted">${t("trainer.session.again")}</div>`}
          ${state === "running" && html`<div class="eq-small eq-muted">${t("trainer.session.open")}</div>`}
        </td>
        <td class="eq-num">${count(solutions)}</td>
        <td class="eq-num">${answersText(session)}</td>
        <td class="eq-num">${rightText(score)}</td>
        <td class="eq-num">${lossText(score)}<div class="eq-small eq-muted">${intervalText(score)}</div></td>
        <td>
          <button class="eq-button" type="button" aria-label=${t("trainer.session.delete", { when })}
            onClick=${() => onDelete(session)}>${t("trainer.delete")}</button>
        </td>
      </tr>`;
  };
  return html`
    <section class="eq-panel eq-stack">
      <h2>${t("trainer.sessions")}</h2>
      <div class="eq-scroll tr-sessions" role="region" tabindex="0" aria-label=${t("trainer.sessions")}>
        <table class="eq-table">
          <thead><tr>
            ${HEADS.map((head) => html`<th key=${head} scope="col">${t(`trainer.head.${head}`)}</th>`)}
            <th scope="col"><span class="eq-hidden">${t("runs.head.actions")}</span></th>
          </tr></thead>
          <tbody>${sessions.slice(0, most).map(row)}</tbody>
        </table>
      </div>
      ${sessions.length > most && html`
        <div><button class="eq-button" type="button" onClick=${onMore}>
          ${t("trainer.sessions.more", { n: sessions.length - most })}
        </button></div>`}
    </section>`;
}
