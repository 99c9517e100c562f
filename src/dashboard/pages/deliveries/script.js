// The list of messages follows what becomes of the ones it shows, and counts the new ones.

import '/static/lib/shell.js'
import { pageData } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { onLive } from '/static/lib/live.js'
import { newestPath, refresher, renew, sayNews } from '/static/log/page.js'

/** @type {{ filter: { state?: string, transport?: string, channel?: string, thread?: string }, ids: number[] }} */
const { filter, ids } = pageData()
const shown = new Set(ids)
const newest = Math.max(0, ...ids)
/** @type {Set<number>} */
const arrived = new Set()
/** @type {Set<number>} */
const changed = new Set()

const refresh = refresher(() => {
  const wanted = [...changed].map((id) => `d${id}`)
  changed.clear()
  return (fresh) => renew(fresh, wanted)
})

/** @param {any} delivery */
function matches({ state, transport, channel, thread_id, direct }) {
  const name = `${transport}${direct ? '@' : ':'}${channel}`.toLowerCase()
  return (
    (!filter.state || filter.state === state) &&
    (!filter.transport || filter.transport === transport) &&
    (!filter.thread || filter.thread === thread_id) &&
    (!filter.channel || name.includes(filter.channel.toLowerCase()))
  )
}

onLive(['delivery'], (delivery) => {
  if (shown.has(delivery.id)) {
    changed.add(delivery.id)
    refresh()
  } else if (delivery.id > newest && matches(delivery)) {
    arrived.add(delivery.id)
    const count = arrived.size
    sayNews(count === 1 ? t('1 new message') : t('{count} new messages', { count }), newestPath())
  }
})
onLive(['reset'], () => {
  for (const id of ids) changed.add(id)
  refresh()
  sayNews(t('Some news was missed'), newestPath())
})
