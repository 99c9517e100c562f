// The list of events counts what is new; the reader decides when to look.

import '/static/lib/shell.js'
import { pageData } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { onLive } from '/static/lib/live.js'
import { newestPath, sayNews } from '/static/log/page.js'

/** @type {{ filter: { family?: string, severity?: string, decision?: string, q?: string }, newest: boolean }} */
const { filter } = pageData()
let count = 0

/** @param {any} event */
function matches({ family, severity, decision, title, id, source, regions }) {
  const asked = [
    [filter.family, family],
    [filter.severity, severity],
    [filter.decision, decision]
  ]
  const text = [title, id, source, ...regions].join('\n').toLowerCase()
  return asked.every(([wanted, is]) => !wanted || wanted === is) && (!filter.q || text.includes(filter.q.toLowerCase()))
}

onLive(['decided'], (event) => {
  if (!matches(event)) return
  count++
  sayNews(count === 1 ? t('1 new event') : t('{count} new events', { count }), newestPath())
})
onLive(['reset'], () => sayNews(t('Some news was missed'), newestPath()))
