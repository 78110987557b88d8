// Search in pages that are opened as files, where a browser starts no worker: the worker's script runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.appendChild(frame)
      const inside = frame.contentWindow
      inside.postMessage = data => {
        const event = new MessageEvent("message", {data})
        if (this.onmessage) this.onmessage(event)
        this.dispatchEvent(event)
      }
      const load = address => new Promise((loaded, failed) => {
        const script = inside.document.createElement("script")
        script.src = address
        script.onload = loaded
        script.onerror = failed
        inside.document.body.appendChild(script)
      })
      inside.importScripts = (...addresses) =>
        addresses.reduce((before, address) => before.then(() => load(address)), Promise.resolve())
      this.ready = load(new URL(url, document.baseURI).href)
      this.frame = frame
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", {data})))
    }
    terminate() {
      this.frame.remove()
    }
  }
}
