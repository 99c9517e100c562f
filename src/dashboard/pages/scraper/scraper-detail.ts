import { number } from '../../../../web/shared/times.js'
import type { Capped, DocumentState, LinkedDocument, Miss, ScrapeFindings } from '../../../knowledge/scrape/findings.ts'
import type { ScrapeJob } from '../../../knowledge/scrape/job.ts'
import { publicUrls, toldTo } from '../../server/guest.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { documentPath } from '../frame/links.ts'
import { section } from '../knowledge/knowledge-frame.ts'
import { type LibraryReader, SCRAPER } from '../library/library-frame.ts'
import { jobTable } from './scraper-jobs.ts'

const MOST_SHOWN = 200

/** One job: its row, what it was asked for, what it left out and what it brought. */
export function jobSections(job: ScrapeJob, findings: ScrapeFindings, reader: LibraryReader): Content {
  const { t } = reader
  return [
    html`<p><a href="${SCRAPER}">${t('All jobs')}</a></p>`,
    html`<div id="content">${jobTable([job], reader, { leadsOn: false })}${[
      missedSection(job, findings.missed(job.id), reader),
      cappedSection(findings.capped(job.id), reader),
      documentSection(findings.documents(job.id), reader),
      askedSection(job, reader)
    ]}</div>`
  ]
}

function missedSection({ id, findings }: ScrapeJob, missed: readonly Miss[], reader: LibraryReader): Content {
  const { language, t } = reader
  if (missed.length === 0) return null
  const more = findings.missed - missed.length
  return section(`missed-${id}`, t('Not fetched ({count})', { count: number(findings.missed, language) }), [
    html`<ul class="found">${missed.map(({ address, reason }) => html`<li>${shown(address, reader)} <span class="reason">${toldTo(reason, reader)}</span></li>`)}</ul>`,
    more > 0 ? html`<p class="quiet">${t('and {count} more', { count: number(more, language) })}</p>` : null
  ])
}

function cappedSection(capped: readonly Capped[], reader: LibraryReader): Content {
  const { isGuest, language, t } = reader
  if (capped.length === 0) return null
  const row = ({ pattern, kept, pages }: Capped): Html => {
    const numbers = { kept: number(kept, language), pages: number(pages, language) }
    const said = t('{kept} in the archive, the next {pages} and what follows left out', numbers)
    return html`<li>${isGuest ? pattern.replace(/\/.*$/, '/…') : pattern} <span class="reason">${said}</span></li>`
  }
  return section('capped', t('Pages that say the same again and again'), [
    html`<p class="quiet">${t('Calendars and lists that sort themselves have no end. # stands for a number or a date, * for a value. To keep such pages, raise the part of one pattern in the settings.')} <a href="/settings/scraper">${t('Change')}</a></p>`,
    html`<ul class="found">${capped.map(row)}</ul>`
  ])
}

function documentSection(documents: readonly LinkedDocument[], reader: LibraryReader): Content {
  const { language, t } = reader
  if (documents.length === 0) return null
  const states: Readonly<Record<DocumentState, string>> = {
    taken: t('in the document library'),
    here: t('was there already'),
    refused: t('not taken')
  }
  const row = ({ address, state, hash, reason }: LinkedDocument): Html =>
    html`<li>${hash === null ? shown(address, reader) : html`<a href="${documentPath(hash)}">${shown(address, reader)}</a>`} <span class="reason">${states[state]}${reason === null ? null : [': ', toldTo(reason, reader)]}</span></li>`
  return section('documents', t('Linked PDFs and EPUBs ({count})', { count: number(documents.length, language) }), [
    html`<ul class="found">${documents.slice(0, MOST_SHOWN).map(row)}</ul>`
  ])
}

/** The wishes that were sent with it; a guest sees no paths. */
function askedSection({ limits }: ScrapeJob, { isGuest, t }: LibraryReader): Content {
  const list = (patterns: readonly string[]): Html => html`${patterns.map((one) => html`<code>${one}</code> `)}`
  const rows: (readonly [string, Content])[] = [
    ...(limits.include.length === 0 ? [] : [[t('Only pages like'), list(limits.include)] as const]),
    ...(limits.exclude.length === 0 ? [] : [[t('No pages like'), list(limits.exclude)] as const]),
    ...(limits.documents ? [[t('Linked PDFs and EPUBs'), t('into the document library')] as const] : [])
  ]
  if (isGuest || rows.length === 0) return null
  return section('asked', t('What it was asked for'), [
    html`<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
  ])
}

function shown(address: string, { isGuest }: LibraryReader): string {
  return isGuest ? publicUrls(address) : address
}
