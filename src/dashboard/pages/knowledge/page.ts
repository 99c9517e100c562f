import * as v from 'valibot'
import { toast } from '../../../../web/shared/parts.js'
import type { DocumentStatus } from '../../../knowledge/catalogue/states.ts'
import { STAGES } from '../../../knowledge/catalogue/states.ts'
import type { Services } from '../../api/services.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { html } from '../frame/html.ts'
import { loose } from '../frame/log-filters.ts'
import { knowledgeHandler, section } from './knowledge-frame.ts'
import { meansSection, toolSection } from './knowledge-means.ts'
import { stageStrip } from './knowledge-stages.ts'
import {
  failedSection,
  heldSection,
  rejectedSection,
  throughputSection,
  waitingSection,
  workSection
} from './knowledge-work.ts'

const MOST_LISTED = 20
/** Of each kind. */
const MOST_WAITING = 5
const MOST_HELD = 200

export const knowledgePageQuery = v.object({ done: loose })

/** `GET /knowledge`: where every file stands, what runs, what waits for what, what failed and why. Complete without a script. */
function readKnowledgePage(services: Services): Handler<v.InferOutput<typeof knowledgePageQuery>, undefined> {
  return knowledgeHandler(services, async (reader, { query }) => {
    const { knowledge, t } = reader
    const { catalogue, uploads, jobs } = knowledge
    const counts = catalogue.counts()
    const arrived = uploads.counts()
    const waiting = jobs.counts().reduce((sum, { state, count }) => sum + (state === 'waiting' ? count : 0), 0)
    const failed = catalogue.list({ status: 'failed', limit: MOST_LISTED }).documents
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const tools = await knowledge.tools()
    const done: Readonly<Record<string, string>> = {
      release: t('What was held is tried again.'),
      retry: t('It is tried again.'),
      'retry-all': t('Everything that failed is tried again.')
    }
    const said = done[query.done]
    const body = html`<div id="content">${said === undefined ? null : toast({ html }, said)}
${total + (arrived.pending ?? 0) + (arrived.processing ?? 0) === 0 ? html`<p>${t('No documents yet.')} <a href="/knowledge/upload">${t('Add documents')}</a></p>` : null}
${section('stages', t('Documents'), stageStrip(counts, arrived, reader))}
${workSection({ running: jobs.list({ state: 'running', limit: MOST_LISTED }), waiting, ...wayOf(counts, arrived) }, reader)}
${waitingSection(jobs.queue(['dispatch', ...STAGES, 'remove'], MOST_WAITING), waiting, reader)}
${heldSection(jobs.list({ state: 'held', limit: MOST_HELD }), reader)}
${failedSection(failed, counts.failed, reader)}
${rejectedSection(uploads.list({ state: 'rejected', limit: MOST_LISTED }), arrived.rejected ?? 0, reader)}
${throughputSection(catalogue.throughput(), reader)}
${toolSection(tools, reader)}
${meansSection(reader)}</div>`
    return { title: t('Knowledge'), path: '/knowledge', body, script: 'pages/knowledge/script.js' }
  })
}

/** Documents that are ready, and all that shall be: skipped, failed and refused ones are no longer on their way. */
function wayOf(
  counts: Readonly<Record<DocumentStatus, number>>,
  arrived: Partial<Record<string, number>>
): { done: number; total: number } {
  const under = ['queued', 'extracting', 'extracted', 'enriching', 'enriched', 'embedding'] as const
  const left = under.reduce((sum, status) => sum + counts[status], 0)
  const coming = (arrived['pending'] ?? 0) + (arrived['processing'] ?? 0)
  return { done: counts.complete, total: counts.complete + left + coming }
}

export const knowledgePage = (services: Services): Route =>
  get('/knowledge', {
    about: 'Documents by stage, what runs, what is held and why, failures with retry, what files are read with.',
    query: knowledgePageQuery,
    handle: readKnowledgePage(services)
  })
