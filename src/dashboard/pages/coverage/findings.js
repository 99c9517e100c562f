// The station's findings on the areas being edited: what they match, what changes, what looks like a mistake.
import { t, term } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { coverageWarningList } from '/static/shared/coverage.js'
import { skeleton } from '/static/shared/parts.js'
import { html } from '/static/vendor/ui.js'

/** @typedef {import('./preview.js').Preview} Preview */
/** @typedef {import('../../editing/coverage-preview.ts').PreviewedEvent} PreviewedEvent */

const SHOWN = 20

/** @param {{ preview: Preview, editor: import('./state.js').Editor }} props */
export function Findings({ preview, editor }) {
  const result = preview.result.value
  return html`<section class="findings" aria-labelledby="findings"><h2 id="findings">${t('Events of the last {days} days', { days: preview.days })}</h2>
    ${preview.problem.value && html`<p class="warning" role="alert">${preview.problem.value}</p>`}
    ${result === null ? skeleton(pen, t('Counting …')) : html`<p role="status" class=${preview.state.value}>${summary(result)}</p>`}
    ${
      result !== null &&
      html`<${Changes} title=${t('Newly inside')} events=${result.newly} count=${result.counts.newly} />
      <${Changes} title=${t('No longer inside')} events=${result.no_longer} count=${result.counts.no_longer} />
      <${Changes} title=${t('Other regions')} events=${result.retagged} count=${result.counts.retagged} />`
    }
    ${result !== null && coverageWarningList(pen, result.warnings, (index) => editor.draft.value.areas[index]?.name ?? '')}
  </section>`
}

/** @param {import('./preview.js').Result} result */
function summary({ events, inside, passed, counts }) {
  const parts = [
    t('{inside} of {events} touch an area; {passed} would pass.', { inside: inside.length, events, passed })
  ]
  if (counts.newly + counts.no_longer + counts.retagged === 0) parts.push(t('Nothing changes against what is saved.'))
  return parts.join(' ')
}

/** @param {{ title: string, events: readonly PreviewedEvent[], count: number }} props */
function Changes({ title, events, count }) {
  if (count === 0) return null
  return html`<details><summary>${title}: ${count}</summary><ul class="changes">${events.slice(0, SHOWN).map(
    (
      event
    ) => html`<li key=${event.seq}><a href=${`/events/${encodeURIComponent(event.id)}?source=${encodeURIComponent(event.source)}`}>${event.title}</a>
      <small>${term(event.severity)} · ${regionsText(event)}</small></li>`
  )}${count > SHOWN && html`<li>${t('and {count} more', { count: count - Math.min(SHOWN, events.length) })}</li>`}</ul></details>`
}

/** @param {PreviewedEvent} event */
function regionsText({ before, after }) {
  const named = (/** @type {readonly string[]} */ names) => names.join(', ') || t('none')
  return `${named(before)} → ${named(after)}`
}
