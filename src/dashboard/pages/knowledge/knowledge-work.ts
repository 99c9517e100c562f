import { bytesText, number } from '../../../../web/shared/times.js'
import type { Document, Upload } from '../../../knowledge/catalogue/document.ts'
import type { Throughput } from '../../../knowledge/catalogue/listing.ts'
import { isDocumentJob } from '../../../knowledge/catalogue/states.ts'
import { REJECTED_DAYS } from '../../../knowledge/intake/rejected.ts'
import type { Job } from '../../../knowledge/jobs/job.ts'
import type { Reason } from '../../../model/reason.ts'
import type { WorkerView } from '../../server/knowledge.ts'
import type { Translate } from '../../words/language.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { documentPath } from '../frame/links.ts'
import { pacesOf, paceWords } from '../frame/pace.ts'
import { shorten } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'
import { type KnowledgeReader, section } from './knowledge-frame.ts'
import { jobName, nameOf, stageNames, waitWords } from './knowledge-words.ts'

/** More of a kind is told as a number. */
const MOST_LISTED = 20

/** The subject of a job: a link to its document or file. */
function subjectOf({ kind, subject }: Job, { knowledge }: KnowledgeReader): Html {
  if (kind === 'dispatch') {
    const upload = knowledge.uploads.get(subject)
    return html`<a href="${documentPath(subject)}">${shorten(upload?.filename ?? subject.slice(0, 12), 120)}</a>`
  }
  if (kind === 'bulk') return html`<a href="/knowledge/bulk/${subject}">${subject}</a>`
  const document = isDocumentJob(kind) ? knowledge.catalogue.byId(Number(subject)) : null
  if (document === null) return html`<code>${subject}</code>`
  return html`<a href="${documentPath(document.hash)}">${shorten(nameOf(document), 120)}</a>`
}

interface Work {
  running: readonly Job[]
  /** Jobs. */
  waiting: number
  /** Documents that are ready, and all that are not given up. */
  done: number
  total: number
}

/** The work that runs now, how far it is and how fast, and how the process is that does it. */
export function workSection({ running, waiting, done, total }: Work, reader: KnowledgeReader): Html | null {
  const { t, context, knowledge } = reader
  if (context.mode === 'preview') return null
  const { state: told, reason } = knowledge.worker()
  const lines = running.map(
    (
      job
    ) => html`<li data-key="${job.id}"><span class="what">${jobName(job.kind, t)}</span> ${subjectOf(job, reader)}${job.progress === null ? null : html` <small>${t.reason(job.progress)}</small>`}</li>
`
  )
  const [words, tone] = workWords({ told, running: running.length, waiting }, t)
  return section('now', t('Now'), [
    html`<p><span class="state ${tone}">${words}</span>${reason === null ? null : html` ${waitWords(reason, reader)}`}</p>`,
    done >= total ? null : wayLeft({ done, total, runs: running.length > 0 }, reader),
    lines.length === 0 ? null : html`<ul class="jobs">${lines}</ul>`
  ])
}

/** Time left only while something runs and its pace was measured: what waits is told below, with what it waits for. */
function wayLeft({ done, total, runs }: { done: number; total: number; runs: boolean }, reader: KnowledgeReader): Html {
  const { t, language, context } = reader
  const words = t('{done} of {total} documents are ready', {
    done: number(done, language),
    total: number(total, language)
  })
  const pace = runs ? pacesOf(context).measure('intake', { done, now: context.now() }) : null
  return html`<progress max="${total}" value="${done}" aria-label="${words}"></progress><p class="quiet">${words}${pace === null ? null : html` · ${paceWords(pace, total - done, reader)}`}</p>`
}

/** In words, and how it looks. A worker with nothing to do may still be there for a while: that is nobody's business. */
function workWords(
  { told, running, waiting }: { told: WorkerView['state']; running: number; waiting: number },
  t: Translate
): [string, string] {
  if (told === 'failing') return [t('The worker keeps failing and is started again after a while.'), 'bad']
  if (told === 'off') return [t('The worker is off.'), 'off']
  if (running === 0)
    return waiting === 0 ? [t('Nothing is to be done.'), 'off'] : [t('The work is about to begin.'), 'waiting']
  return [waiting === 0 ? t('At work.') : t('At work; {count} more wait.', { count: waiting }), 'good']
}

/** Work that waits for its turn, with what stands before it; what is held is told below. */
export function waitingSection(
  queue: readonly { job: Job; waits: Reason | null }[],
  count: number,
  reader: KnowledgeReader
): Html | null {
  if (queue.length === 0) return null
  const { t } = reader
  const lines = queue.map(
    ({ job, waits }) =>
      html`<li data-key="${job.id}"><span class="what">${jobName(job.kind, t)}</span> ${subjectOf(job, reader)} <small>${waits === null ? t('is next') : waitWords(waits, reader)}</small></li>
`
  )
  return section('waiting', t('Waits'), [
    html`<p class="quiet">${t('Small files go first; a large one that has waited long is not overtaken any more.')}</p>`,
    html`<ul class="jobs">${lines}</ul>`,
    count <= queue.length ? null : html`<p class="quiet">${t('and {count} more', { count: count - queue.length })}</p>`
  ])
}

/** Work that waits for something from outside, with what brings it. */
export function heldSection(held: readonly Job[], reader: KnowledgeReader): Html | null {
  if (held.length === 0) return null
  const { t, mayWrite } = reader
  const groups = new Map<string, Job[]>()
  for (const job of held) {
    const why = job.reason === null ? t('waits') : t.reason(job.reason)
    groups.set(why, [...(groups.get(why) ?? []), job])
  }
  const entries = [...groups].map(
    ([why, jobs]) => html`<li data-key="${why}"><p>${withCommand(why)}</p>
<ul class="jobs">${jobs.slice(0, MOST_LISTED).map((job) => html`<li><span class="what">${jobName(job.kind, t)}</span> ${subjectOf(job, reader)}</li>`)}</ul>${more(jobs.length, reader)}</li>
`
  )
  const press = mayWrite
    ? html`<form method="post" action="/knowledge"><button name="do" value="release">${t('Try all of them now')}</button></form>`
    : null
  return section(
    'held',
    t('Held: something is missing'),
    html`<p class="quiet">${t('Nothing is lost: this goes on by itself once what is missing is there.')}</p><ul class="held">${entries}</ul>${press}`
  )
}

/** A command in a sentence, such as `sudo apt install …`, stands out. */
export function withCommand(text: string): Content {
  const at = text.indexOf('sudo ')
  return at < 0 ? text : [text.slice(0, at), html`<code>${text.slice(at)}</code>`]
}

function more(count: number, { t }: KnowledgeReader): Html | null {
  return count <= MOST_LISTED
    ? null
    : html`<p class="quiet">${t('and {count} more', { count: count - MOST_LISTED })}</p>`
}

/** Documents that failed, each with its reason and another try. */
export function failedSection(failed: readonly Document[], count: number, reader: KnowledgeReader): Html | null {
  if (count === 0) return null
  const { t, mayWrite, context, language } = reader
  const names = stageNames(t)
  const entries = failed.map(
    (
      document
    ) => html`<li data-key="${document.hash}"><p><a href="${documentPath(document.hash)}">${shorten(nameOf(document), 160)}</a> <small>${document.failedStage === null ? '' : names[document.failedStage]} · ${agoTime(context, document.changedAt, language)}</small></p>
<p class="reason">${withCommand(document.reason === null ? t('without a reason') : t.reason(document.reason))}</p>
${mayWrite ? html`<form method="post" action="/documents/${document.hash}"><input type="hidden" name="back" value="/knowledge"><button name="do" value="retry">${t('Try again')}<span class="hidden">: ${shorten(nameOf(document), 80)}</span></button></form>` : null}</li>
`
  )
  const all =
    mayWrite && count > 1
      ? html`<form method="post" action="/knowledge"><button name="do" value="retry-all">${t('Try all {count} again', { count })}</button></form>`
      : null
  return section('failed', t('Failed'), [
    all,
    html`<ul class="failures">${entries}</ul>`,
    count > failed.length
      ? html`<p><a href="/catalogue?status=failed">${t('All {count}', { count: number(count, language) })}</a></p>`
      : null
  ])
}

/** Files that could not be taken in. */
export function rejectedSection(rejected: readonly Upload[], count: number, reader: KnowledgeReader): Html | null {
  if (rejected.length === 0) return null
  const { t, context, language, knowledge } = reader
  const entries = rejected.map(
    ({
      hash,
      filename,
      reason,
      changedAt
    }) => html`<li data-key="${hash}"><p><a href="${documentPath(hash)}">${shorten(filename, 160)}</a> <small>${agoTime(context, changedAt, language)}</small></p>
<p class="reason">${withCommand(reason === null ? t('without a reason') : t.reason(reason))}</p></li>
`
  )
  return section('rejected', t('Rejected'), [
    html`<p class="quiet">${t('These files cannot be used as they are. Mended, they may be uploaded again.')} ${t(
      'They are kept in the folder rejected for {days} days; then the oldest go while there is more than {size}.',
      { days: REJECTED_DAYS, size: bytesText(knowledge.receiver.settings.maxBytes, language) }
    )}</p>`,
    html`<ul class="failures">${entries}</ul>`,
    more(count, reader)
  ])
}

/** The amount of finished work, hour by hour: bars without a script, and the figures in words. */
export function throughputSection(
  { hours, documents, pages }: Throughput,
  { t, language }: KnowledgeReader
): Html | null {
  const total = hours.reduce((sum, count) => sum + count, 0)
  const count = (value: number): string => number(value, language)
  const words = t(
    'Documents: {documents} in the last hour, {total} in the last 24 hours. Pages: {pages} in the last hour.',
    {
      documents: count(documents),
      pages: count(pages),
      total: count(total)
    }
  )
  const top = Math.max(1, ...hours)
  const bars = hours.map((value, index) => {
    const height = value === 0 ? 0 : Math.max(1, Math.round((value / top) * 40))
    return html`<rect x="${index * 10 + 1}" y="${41 - height}" width="8" height="${height}"/>`
  })
  return section('throughput', t('Finished'), [
    html`<p>${words}</p>`,
    total === 0
      ? null
      : html`<svg class="hours" viewBox="0 0 240 42" role="img" aria-label="${t('Documents finished in each of the last 24 hours; at most {top} in one', { top: count(top) })}" preserveAspectRatio="none"><path d="M0 41.5H240"/>${bars}</svg><p class="scale quiet" aria-hidden="true"><span>${t('24 hours ago')}</span><span>${t('now')}</span></p>`
  ])
}
