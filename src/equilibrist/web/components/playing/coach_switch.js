// Whether the coach speaks during hands, kept by this browser.
export default {
  template: `<button class="eq-button" :aria-pressed="String(on)" @click="turn">Coach {{ on ? "on" : "off" }}</button>`,
  data: () => ({ on: true }),
  mounted() {
    try {
      this.on = localStorage.getItem("equilibrist.coach") !== "off";
    } catch {
      // Storage is switched off.
    }
  },
  methods: {
    turn() {
      this.on = !this.on;
      try {
        localStorage.setItem("equilibrist.coach", this.on ? "on" : "off");
      } catch {
        // It lasts as long as the page.
      }
      window.dispatchEvent(new CustomEvent("coach", { detail: this.on }));
    },
  },
};
