// The buttons that take back what was painted, cleared or typed, and do it again.
import { html } from "../core/html.js";
import { t } from "../core/texts.js";

// Of `history`, one of core/undo.js.
export const Undoing = {
  props: { history: Object },
  setup: ({ history }) => () => html`
    <span class="eq-undoing">
      <button class="eq-button" type="button" disabled=${!history.canUndo.value} title=${t("undo.key")}
        onClick=${history.undo}>${t("undo")}</button>
      <button class="eq-button" type="button" disabled=${!history.canRedo.value} title=${t("redo.key")}
        onClick=${history.redo}>${t("redo")}</button>
    </span>`,
};
