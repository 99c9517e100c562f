// One section of the settings as a form, made from the schema that checks it.
import '/static/lib/shell.js'
import { pageData } from '/static/lib/api.js'
import { Suggestions } from '/static/settings/fields.js'
import { Form } from '/static/settings/form.js'
import { Settings } from '/static/settings/groups.js'
import { SaveBar } from '/static/settings/save-bar.js'
import { html, render } from '/static/vendor/ui.js'
import { Broadcasts } from './broadcasts.js'
import { Destinations } from './destinations.js'
import { Stations } from './stations.js'

const data = pageData()
const root = document.getElementById('editor')

const form = new Form({
  pointer: `/${data.section}`,
  setting: data.setting,
  base: data.settings[data.section],
  revision: data.revision,
  suggestions: data.suggestions,
  overridden: data.overridden,
  own: data.own
})

function Page() {
  // Every edit draws the form anew: sections are small, and closed parts are not drawn.
  void form.draft.value
  void form.problem.value
  return html`<div><form autocomplete="off" onSubmit=${(/** @type {any} */ event) => {
    event.preventDefault()
    void form.save()
  }}>
    <${Suggestions} suggestions=${form.suggestions} />
    <${Settings} form=${form} />
    <${SaveBar} form=${form} />
  </form>
  ${data.section === 'notifications' ? html`<${Destinations} form=${form} /><${Stations} first=${data.stations} state=${form.state} /><${Broadcasts} first=${data.broadcasts} state=${form.state} />` : null}</div>`
}

if (root !== null) {
  render(html`<${Page} />`, root)
  const aim = decodeURIComponent(location.hash.slice(1))
  if (aim !== '') document.getElementById(aim)?.scrollIntoView({ block: 'center' })
}

addEventListener('beforeunload', (event) => {
  if (form.dirty) event.preventDefault()
})
addEventListener('hashchange', () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  target?.focus()
})
