// Theme and palette of the pages, kept by this browser.
export default {
  template: `
    <details class="eq-display" @keydown.esc="close" @focusout="left">
      <summary>Display</summary>
      <div>
        <label>Theme
          <select class="eq-field" v-model="theme">
            <option value="system">As the system</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
        <label>Colours of actions
          <select class="eq-field" v-model="palette">
            <option value="standard">Standard</option>
            <option value="classic">Muted</option>
            <option value="colourblind">For the colour-blind</option>
          </select>
        </label>
      </div>
    </details>`,
  data: () => ({ theme: window.equilibrist.theme, palette: window.equilibrist.palette }),
  watch: {
    theme(value) {
      window.equilibrist.theme = value;
    },
    palette(value) {
      window.equilibrist.palette = value;
    },
  },
  methods: {
    close() {
      this.$el.open = false;
      this.$el.querySelector("summary").focus();
    },
    left(event) {
      if (event.relatedTarget && !this.$el.contains(event.relatedTarget)) this.$el.open = false;
    },
  },
};
