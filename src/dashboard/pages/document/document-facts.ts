import { bytesText, number } from '../../../../web/shared/times.js'
import type { Document, Metadata } from '../../../knowledge/catalogue/document.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { pageTime } from '../frame/times.ts'
import { type KnowledgeReader, section } from '../knowledge/knowledge-frame.ts'
import { languageName } from '../knowledge/knowledge-words.ts'

const FIELDS = ['title', 'author', 'edition', 'year'] as const

const fieldNames = ({ t }: KnowledgeReader): Readonly<Record<keyof Metadata, string>> => ({
  title: t('Title'),
  author: t('Author'),
  edition: t('Edition'),
  year: t('Year')
})

/** The facts of a document, and who said them. */
export function factSections(document: Document, reader: KnowledgeReader): Content {
  const { t } = reader
  return [section('facts', t('Facts'), [facts(document, reader), voters(document, reader)]), warnings(document, reader)]
}

function facts(document: Document, reader: KnowledgeReader): Html {
  const { language, t } = reader
  const { provenance, pageCount, ocrPages, itemCount, vectorCount } = document
  const names = fieldNames(reader)
  const counted = (count: number): string => number(count, language)
  const entries: [string, Content][] = [
    ...FIELDS.map((field): [string, Content] => [
      names[field],
      saidOf(document[field], provenance.chosen[field], reader)
    ]),
    [t('Domain'), t.term(document.domain)],
    [t('Category'), document.category],
    [t('Language'), languageName(document.language, language, t)],
    [t('File'), document.filename],
    [t('Size'), document.sizeBytes === 0 ? '' : bytesText(document.sizeBytes, language)],
    [t('Came by'), sourceName(document.source, reader)],
    [
      t('From the web'),
      document.url === null || !/^https?:\/\//i.test(document.url)
        ? ''
        : html`<a rel="noreferrer" href="${document.url}">${document.url}</a>`
    ],
    [t('Filed as'), document.path === null ? '' : html`<code>${document.path}</code>`],
    [
      t('Pages'),
      ocrPages === 0
        ? counted(pageCount)
        : t('{count}, of which {ocr} read by OCR', { count: counted(pageCount), ocr: counted(ocrPages) })
    ],
    [t('Items'), counted(itemCount)],
    [t('Vectors'), counted(vectorCount)],
    [t('Added'), pageTime(reader.context, document.createdAt, language)],
    [
      t('Complete since'),
      document.completedAt === null ? '' : pageTime(reader.context, document.completedAt, language)
    ],
    [t('Identity (SHA-256)'), html`<code>${document.hash}</code>`]
  ]
  return factList(entries)
}

/** A list of facts; what is not known is left out. */
export function factList(entries: readonly (readonly [string, Content])[]): Html {
  const known = entries.filter(([, value]) => value !== '' && value !== null)
  return html`<dl class="facts">${known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

function saidOf(value: string, chosen: string | undefined, { t }: KnowledgeReader): Content {
  if (value === '') return html`<span class="quiet">${t('not known')}</span>`
  return chosen === undefined ? value : html`${value} <small>${t.term(chosen)}</small>`
}

/** The way a document came, in words; other names as they are. */
export function sourceName(source: string, { t }: Pick<KnowledgeReader, 't'>): string {
  const names: Readonly<Record<string, string>> = {
    dashboard_upload: t('upload'),
    folder: t('the folder acquired/'),
    web: t('a web page'),
    transcript: t('a transcript'),
    library: t('the library')
  }
  return names[source] ?? source
}

/** One line per voter: what each said of every field. */
function voters({ provenance }: Document, reader: KnowledgeReader): Html | null {
  const { t } = reader
  const said = Object.entries(provenance.said)
  if (said.length === 0) return null
  const names = fieldNames(reader)
  const rows = said.map(
    ([voter, values]) =>
      html`<tr><th scope="row">${t.term(voter)}</th>${FIELDS.map((field) => html`<td>${values[field] ?? ''}</td>`)}</tr>
`
  )
  return html`<details class="voters"><summary>${t('Who said what')}</summary><div class="scroll" tabindex="0" role="region" aria-label="${t('Who said what')}"><table><thead><tr><th scope="col">${t('Said by')}</th>${FIELDS.map((field) => html`<th scope="col">${names[field]}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details>`
}

function warnings({ warnings: own, modelWarning }: Document, { t }: KnowledgeReader): Html | null {
  const list = [...own, ...(modelWarning === null ? [] : [modelWarning])]
  if (list.length === 0) return null
  return section('warnings', t('Warnings'), html`<ul>${list.map((text) => html`<li>${t.reason(text)}</li>`)}</ul>`)
}
