// `/mesh-a/routing` and `/mesh-b/routing`: the matrix, editable. Draws on in what the server has drawn.
import '/static/lib/shell.js'
import { pageData } from '/static/lib/api.js'
import { effect, html, render } from '/static/vendor/ui.js'
import { App } from './app.js'
import { createWorkspace } from './workspace.js'

const PHONE = '(max-width: 600px)'

const root = document.getElementById('routing')
const data = pageData()
if (root && data) start(root, data)

/** @param {HTMLElement} root @param {import('./routing-view.ts').RoutingData} data */
function start(root, data) {
  const workspace = createWorkspace(data)
  const phone = matchMedia(PHONE)
  // An edit under way goes on in the other layout.
  const measure = () => {
    workspace.narrow.value = phone.matches
  }
  measure()
  phone.addEventListener('change', measure)
  render(html`<div><${App} workspace=${workspace} /></div>`, root)
  workspace.saving.follow()
  /** @param {BeforeUnloadEvent} event */
  const warn = (event) => event.preventDefault()
  let warned = false
  effect(() => {
    const dirty = workspace.matrix.dirty.value > 0 && !workspace.matrix.data.value.demo
    if (dirty && !warned) addEventListener('beforeunload', warn)
    if (!dirty && warned) removeEventListener('beforeunload', warn)
    warned = dirty
  })
}
