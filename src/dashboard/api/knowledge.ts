import { isDocumentJob, STAGES } from '../../knowledge/catalogue/states.ts'
import type { Job } from '../../knowledge/jobs/job.ts'
import { documentView } from '../server/document-view.ts'
import { type KnowledgeContext, knowledgeOf } from '../server/knowledge.ts'
import { jsonSaid } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { knowledgeAnswer } from './answers/knowledge.ts'
import type { Services } from './services.ts'

/** More are found by `GET /api/documents?status=failed`. */
const MOST_LISTED = 50
/** Of each kind, those that are next. */
const MOST_WAITING = 10

/** `GET /api/knowledge`: how many documents are in each state, what is being done, what failed and why. */
function readKnowledge({ context }: Services): Handler<unknown, undefined, Told<typeof knowledgeAnswer>> {
  return async () => {
    const knowledge = knowledgeOf(context)
    const { catalogue, uploads, jobs } = knowledge
    const { documents, pages, hours } = catalogue.throughput()
    const list = (state: Job['state']) => jobs.list({ state, limit: MOST_LISTED }).map((job) => jobView(job, knowledge))
    return jsonSaid({
      documents: catalogue.counts(),
      uploads: {
        pending: 0,
        processing: 0,
        needs_review: 0,
        rejected: 0,
        duplicate: 0,
        ...withoutFiled(uploads.counts())
      },
      review: catalogue.countReview(),
      jobs: jobs.counts(),
      running: list('running'),
      waiting: jobs
        .queue(['dispatch', ...STAGES, 'remove'], MOST_WAITING)
        .map(({ job, waits }) => ({ ...jobView(job, knowledge), waits_for: waits })),
      held: list('held'),
      dead: list('dead'),
      failures: catalogue.list({ status: 'failed', limit: MOST_LISTED }).documents.map(documentView),
      rejected: uploads
        .list({ state: 'rejected', limit: MOST_LISTED })
        .map(({ hash, filename, reason, changedAt }) => ({
          hash,
          filename,
          reason,
          at: new Date(changedAt).toISOString()
        })),
      throughput: { documents_last_hour: documents, pages_last_hour: pages, documents_per_hour: hours },
      worker: knowledge.worker(),
      detector: knowledge.detector(),
      tools: await knowledge.tools()
    })
  }
}

/** Leaves out filed records: once filed, the document says it better. */
function withoutFiled(counts: Partial<Record<string, number>>): Record<string, number> {
  const { filed: _, ...rest } = counts
  return Object.fromEntries(Object.entries(rest).map(([state, count]) => [state, count ?? 0]))
}

function jobView(job: Job, { catalogue, uploads }: KnowledgeContext) {
  const { kind, subject, state, attempts, reason, progress, dueAt } = job
  const found =
    kind === 'dispatch' ? uploads.get(subject) : isDocumentJob(kind) ? catalogue.byId(Number(subject)) : null
  return {
    kind,
    subject,
    hash: found?.hash ?? null,
    filename: found?.filename ?? null,
    state,
    attempts,
    reason,
    progress,
    due_at: new Date(dueAt).toISOString()
  }
}

export const knowledgeRoutes = (services: Services): Route[] => [
  get('/api/knowledge', {
    summary: 'Documents per state, work, failures.',
    about:
      '`{documents: {status: count}, uploads: {state: count}, review, jobs: [{kind, state, count}], running, waiting, held, dead, failures, rejected, throughput: {documents_last_hour, pages_last_hour, documents_per_hour}, worker, detector, tools}`. `documents_per_hour` has 24 numbers, the running hour last. `waiting` are the next ten of each kind in their order, each with `waits_for`.',
    answer: knowledgeAnswer,
    handle: readKnowledge(services)
  })
]
