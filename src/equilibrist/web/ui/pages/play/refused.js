// What was refused at a table or in a drill, with the way on.
import { place } from "../../core/address.js";
import { html } from "../../core/html.js";
import { can } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { Notice } from "../../parts/notice.js";

const CLOSED = ["table", "hands"]; // it is gone, or takes no more hands

// Nothing could be opened.
export const notOpened = (error) => html`
  <${Notice} error=${error} />
  ${can("play") && html`<p><a href=${place("play")}>${t("play.others")}</a></p>`}`;

// Something could not be done; `again` is the address of a new one.
export const notDone = (error, again) => html`
  <${Notice} error=${error} />
  ${CLOSED.includes(error.option) && html`<p><a href=${again}>${t("play.again")}</a></p>`}`;
