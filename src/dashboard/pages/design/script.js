// Opens a real window: the only part of these that no page can show lying there.
import '/static/lib/shell.js'
import { Dialog } from '/static/lib/dialog.js'
import { html, render, useSignal } from '/static/vendor/ui.js'

function Shown() {
  const open = useSignal(false)
  const close = () => {
    open.value = false
  }
  return html`<p><button type="button" aria-haspopup="dialog" onClick=${() => {
    open.value = true
  }}>Open it</button></p>
    ${
      open.value &&
      html`<${Dialog} title="Two have changed the same" onCancel=${close}><p>What is at stake, in a sentence.</p>
      <p class="row"><button type="button" onClick=${close}>Back</button><button type="button" class="primary" onClick=${close}>Keep mine</button></p><//>`
    }`
}

const place = document.getElementById('dialog-shown')
if (place !== null) render(html`<${Shown} />`, place)
