// Files that are dropped here or chosen go to the server's API; what is wrong is said in place.
function sentence({ error, remedy }) {
  return error && remedy && !error.includes(remedy) ? `${error}. ${remedy}` : error;
}

export default {
  template: `
    <div class="uz" :class="{ over }" @dragover.prevent="over = true" @dragleave="over = false"
         @drop.prevent="dropped">
      <div class="uz-line">
        <button type="button" class="eq-button" @click="$refs.files.click()">Upload</button>
        <span class="eq-muted">or drop files here: {{ what }}</span>
        <input ref="files" type="file" multiple class="eq-hidden" tabindex="-1" :accept="accept"
               aria-label="Files to upload" @change="chosen">
      </div>
      <ul v-if="files.length" class="uz-files" aria-live="polite">
        <li v-for="file in files" :key="file.id">
          <b>{{ file.name }}</b>
          <progress v-if="file.state === 'sending'" :value="file.sent" max="1"
                    :aria-label="'Upload of ' + file.name"></progress>
          <span v-if="file.state === 'reading'">is being checked ...</span>
          <span v-if="file.state === 'kept'" class="eq-good">is stored as {{ file.said }}</span>
          <span v-if="file.state === 'failed'" class="eq-error" role="alert">{{ file.said }}</span>
        </li>
      </ul>
    </div>`,
  props: {
    what: { type: String, required: true },
    accept: { type: String, required: true },
    most: { type: Object, required: true },
  },
  data() {
    return { over: false, files: [] };
  },
  created() {
    this.numbers = 0;
  },
  methods: {
    dropped(event) {
      this.over = false;
      this.send([...event.dataTransfer.files]);
    },
    chosen(event) {
      const files = [...event.target.files];
      event.target.value = "";
      this.send(files);
    },
    async send(files) {
      for (const file of files) {
        this.files.push({ id: ++this.numbers, name: file.name, state: "sending", sent: 0, said: "" });
        const shown = this.files[this.files.length - 1];
        const ending = Object.keys(this.most).find((one) => one && file.name.toLowerCase().endsWith(one));
        const limit = this.most[ending ?? ""];
        if (file.size > limit) {
          const most = (limit / 1e6).toLocaleString("en-US");
          Object.assign(shown, { state: "failed", said: `The file has more than ${most} MB.` });
          continue;
        }
        await this.put(file, shown);
      }
    },
    put(file, shown) {
      return new Promise((done) => {
        const request = new XMLHttpRequest();
        request.open("PUT", `/api/uploads/${encodeURIComponent(file.name)}`);
        request.responseType = "json";
        request.upload.onprogress = (event) => {
          shown.sent = event.loaded / event.total;
          if (event.loaded === event.total) shown.state = "reading";
        };
        request.onload = () => {
          const answer = request.response ?? {};
          if (request.status === 201) {
            Object.assign(shown, { state: "kept", said: answer.name });
            this.$emit("uploaded", { name: answer.name });
          } else {
            Object.assign(shown, { state: "failed", said: sentence(answer) ?? `Refused (${request.status}).` });
          }
          done();
        };
        request.onerror = () => {
          Object.assign(shown, { state: "failed", said: "The server cannot be reached." });
          done();
        };
        request.send(file);
      });
    },
  },
};
