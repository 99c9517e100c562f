// The page of one event: its place on a map, what becomes of its messages, and what a person does about it.
import '/static/lib/shell.js'
import { pageData } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { onLive } from '/static/lib/live.js'
import { renderMap } from '/static/lib/map.js'
import { offerPrint } from '/static/lib/print.js'
import { refresher, renew, sayNews } from '/static/log/page.js'
import { html, render } from '/static/vendor/ui.js'
import { Actions, endButtons } from './actions.js'

/** @typedef {import('./actions.js').EventData} EventData */

/** @type {EventData} */
const data = pageData()
const PARTS = ['story', 'outcome', 'messages', 'thread', 'trace'].map((id) => `s-${id}`)

const refresh = refresher(() => (fresh) => {
  renew(fresh, PARTS)
  endButtons(data, refresh)
})

function drawMap() {
  const place = document.getElementById('map')
  const { geometry, circle, bbox, lat, codes } = data.where
  const hasShape = geometry || circle || bbox || typeof lat === 'number' || (codes ?? []).length > 0
  if (place === null || (!hasShape && data.areas.length === 0)) return
  place.classList.add('place')
  const areas = data.areas.map(({ name, parts, ...part }) => ({
    kind: /** @type {const} */ ('area'),
    name: name ?? '',
    label: t('Region {name}', { name: name ?? '' }),
    parts: parts ?? [part]
  }))
  const event = {
    kind: /** @type {const} */ ('event'),
    name: data.title,
    label: data.title,
    severity: data.severity,
    ...data.where
  }
  renderMap(place, { label: t('Map of the event'), layers: hasShape ? [...areas, event] : areas })
}

onLive(['decided'], (event) => {
  if (event.thread_id !== data.thread_id || event.seq === data.seq) return
  const path = `/events/${encodeURIComponent(event.id)}?source=${encodeURIComponent(event.source)}`
  sayNews(t('A newer message about this alert has come'), path)
  refresh()
})
onLive(['delivery'], (delivery) => {
  if (delivery.thread_id === data.thread_id) refresh()
})
onLive(['reset'], refresh)

offerPrint()
const actions = document.getElementById('actions')
if (actions !== null) {
  actions.replaceChildren()
  render(html`<${Actions} data=${data} done=${refresh} />`, actions)
}
endButtons(data, refresh)
drawMap()
