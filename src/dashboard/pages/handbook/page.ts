import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Services } from '../../api/services.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { drawMarkdown } from './markdown.ts'

/** A page of the handbook: its address below `/docs/`, and its file in `docs/` in each language. */
interface Chapter {
  name: string
  file: string
  german: string
  title: (t: Translate) => string
}

const CHAPTERS: readonly Chapter[] = [
  {
    name: 'quick-start',
    file: 'handbook/quick-start.md',
    german: 'handbook/de/quick-start.md',
    title: (t) => t('Quick start')
  },
  { name: 'wiring', file: 'handbook/wiring.md', german: 'handbook/de/wiring.md', title: (t) => t('Wiring') },
  { name: 'radios', file: 'radios.md', german: 'handbook/de/radios.md', title: (t) => t('The radios') },
  {
    name: 'matrix',
    file: 'handbook/matrix.md',
    german: 'handbook/de/matrix.md',
    title: (t) => t('Who hears what: the matrix')
  },
  {
    name: 'commands',
    file: 'commands.md',
    german: 'handbook/de/commands.md',
    title: (t) => t('Commands by radio')
  },
  {
    name: 'troubleshooting',
    file: 'handbook/troubleshooting.md',
    german: 'handbook/de/troubleshooting.md',
    title: (t) => t('When something is wrong')
  }
]

/** `docs/` beside the program, in the sources and in a bundle. */
function docsFolder(from: string): string {
  for (let folder = from, up = dirname(folder); ; folder = up, up = dirname(folder)) {
    if (existsSync(join(folder, 'docs/handbook'))) return join(folder, 'docs')
    if (up === folder) throw new AppError('missing', because('handbook_missing'))
  }
}

/** `GET /docs`: what there is to read on the station itself, without any network. */
function readContents({ context }: Services): Handler<unknown, undefined> {
  return ({ headers, identity }) => {
    const t = translator(languageOf(headers))
    const entries = CHAPTERS.map((one) => html`<li><a href="/docs/${one.name}">${one.title(t)}</a></li>\n`)
    const body = html`<ul>${entries}<li><a href="/field-card">${t('Field card')}</a>: ${t('one sheet to print for the people who listen')}</li>
<li><a href="/docs/api">${t('API')}</a></li></ul>`
    return page(context, { title: t('Handbook'), path: '/docs', body, headers, identity, timeless: true })
  }
}

function readChapter({ context }: Services, { name, file, german, title }: Chapter): Handler<unknown, undefined> {
  const drawn = new Map<string, Promise<Html>>()
  const draw = async (from: string): Promise<Html> =>
    drawMarkdown(await readFile(join(docsFolder(import.meta.dirname), from), 'utf8'), addressOf)
  return async ({ headers, identity }) => {
    const language = languageOf(headers)
    const t = translator(language)
    const from = language === 'de' ? german : file
    const drawing = drawn.get(from) ?? draw(from)
    drawn.set(from, drawing)
    const text = await drawing.catch((error: unknown) => {
      drawn.delete(from)
      throw error
    })
    const body = html`<p><a href="/docs">${t('Handbook')}</a></p><div lang="${language}" class="prose">${text}</div>`
    const path = `/docs/${name}`
    return page(context, { title: title(t), path, section: '/docs', body, headers, identity, timeless: true })
  }
}

/** The page that shows a file of docs/; null for a file that none shows. */
function addressOf(target: string): string | null {
  if (/^(?:https?:\/\/|\/|#)/.test(target)) return target
  const [file = '', anchor] = target.replace(/^(?:\.\.?\/)*/, '').split('#')
  const chapter = CHAPTERS.find((one) => one.file === file || one.file === `handbook/${file}`)
  const place = anchor === undefined ? '' : `#${anchor}`
  return chapter === undefined ? null : `/docs/${chapter.name}${place}`
}

export const handbookPages = (services: Services): Route[] => [
  get('/docs', { about: 'What there is to read on the station itself.', handle: readContents(services) }),
  ...CHAPTERS.map((chapter) =>
    get(`/docs/${chapter.name}`, {
      about: `A page of the handbook: docs/${chapter.file}.`,
      handle: readChapter(services, chapter)
    })
  )
]
