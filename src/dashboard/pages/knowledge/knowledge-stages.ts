import { number } from '../../../../web/shared/times.js'
import { type DocumentStatus, STAGE_TABLE, STAGES, type UploadState } from '../../../knowledge/catalogue/states.ts'
import { type Html, html } from '../frame/html.ts'
import type { KnowledgeReader } from './knowledge-frame.ts'
import { stageNames } from './knowledge-words.ts'

/** One stop on the way of a file: how many wait there, how many are being worked at. */
interface Stop {
  name: string
  /** The address of the list of them. */
  href: string | null
  waiting: number
  running: number
  tone: '' | 'good' | 'bad' | 'off' | 'waiting'
}

type Counts = Readonly<Record<DocumentStatus, number>>
type Uploads = Readonly<Partial<Record<UploadState, number>>>

/** The way of a file through the stages of `STAGE_TABLE`, with what is at each; then what has left the way. */
export function stageStrip(counts: Counts, uploads: Uploads, reader: KnowledgeReader): Html {
  const { t } = reader
  const names = stageNames(t)
  const way: Stop[] = [
    {
      name: t('Sorting'),
      href: '/knowledge/upload#recent',
      tone: '',
      waiting: uploads.pending ?? 0,
      running: uploads.processing ?? 0
    },
    ...STAGES.map((stage): Stop => {
      const { from, during } = STAGE_TABLE[stage]
      const href = `/catalogue?status=${counts[during] > 0 ? during : from}`
      return { name: names[stage], href, waiting: counts[from], running: counts[during], tone: '' }
    })
  ]
  const aside: Stop[] = [
    stopped('complete', t('Complete'), counts.complete, 'good'),
    // Not all that waits for a decision: what lacks a domain only has its place among the others.
    stopped('needs_review', t('Perhaps a copy'), counts.needs_review, 'waiting'),
    stopped('skipped', t('Skipped'), counts.skipped, 'off'),
    stopped('failed', t('Failed'), counts.failed, 'bad'),
    { name: t('Rejected'), href: '#rejected', waiting: uploads.rejected ?? 0, running: 0, tone: 'bad' }
  ]
  return html`<ol class="stops way" aria-label="${t('On the way')}">${way.map((stop) => box(stop, reader, true))}</ol>
<ul class="stops" aria-label="${t('Arrived, or stopped')}">${aside.map((stop) => box(stop, reader, false))}</ul>`
}

function stopped(status: DocumentStatus, name: string, waiting: number, tone: Stop['tone']): Stop {
  return { name, href: `/catalogue?status=${status}`, waiting, running: 0, tone }
}

function box({ name, href, waiting, running, tone }: Stop, { language, t }: KnowledgeReader, isWay: boolean): Html {
  const count = waiting + running
  const figure = html`<b>${number(count, language)}</b>`
  const below = isWay
    ? html` <small>${running === 0 ? t('none runs') : t('{count} running', { count: running })}</small>`
    : null
  const look = count === 0 ? 'none' : tone
  const inner = html`<span class="name">${name}</span> ${figure}${below}`
  return html`<li class="${look}">${href === null || count === 0 ? html`<span class="stop">${inner}</span>` : html`<a class="stop" href="${href}">${inner}</a>`}</li>
`
}
