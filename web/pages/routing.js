// `/mesh-a/routing` and `/mesh-b/routing`: the matrix, editable. The table the server drew stays until this runs.
import { pageData } from '../lib/api.js'
import { App } from '../routing/app.js'
import { createDesk } from '../routing/desk.js'
import { effect, html, render } from '../vendor/ui.js'

const PHONE = '(max-width: 600px)'

const root = document.getElementById('routing')
const data = pageData()
if (root && data) start(root, data)

/** @param {HTMLElement} root @param {import('../../src/dashboard/pages/routing/routing-view.ts').RoutingData} data */
function start(root, data) {
  const desk = createDesk(data)
  const phone = matchMedia(PHONE)
  // What is being edited goes on in the other layout.
  const measure = () => {
    desk.narrow.value = phone.matches
  }
  measure()
  phone.addEventListener('change', measure)
  root.replaceChildren()
  render(html`<${App} desk=${desk} />`, root)
  desk.saving.follow()
  /** @param {BeforeUnloadEvent} event */
  const warn = (event) => event.preventDefault()
  let warned = false
  effect(() => {
    const dirty = desk.matrix.dirty.value > 0 && !desk.matrix.data.value.demo
    if (dirty && !warned) addEventListener('beforeunload', warn)
    if (!dirty && warned) removeEventListener('beforeunload', warn)
    warned = dirty
  })
}
