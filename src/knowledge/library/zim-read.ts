import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { guessEncoding } from '../encoding/guess.ts'
import { decodePage } from '../encoding/page.ts'
import type { ArchiveFacts, ArchiveLine, EntryLine } from './archive-lines.ts'
import { articleOrder, countArticles } from './article-order.ts'
import { articleText } from './article-text.ts'
import { countedPages } from './mime.ts'
import type { ZimReader } from './zim.ts'
import type { ZimEntry } from './zim-entry.ts'

/** A page with fewer characters of text is a stub: nothing to find. */
export const FEWEST_CHARACTERS = 200
const MAX_PAGE_BYTES = 8 * 1024 * 1024
const MAX_FACT = 2000

/** The facts of an archive about itself, and how many articles it has. @throws AppError `bad-input`, `unsupported`. */
export async function archiveFacts(reader: ZimReader): Promise<ArchiveFacts> {
  await reader.check()
  const fact = async (name: string): Promise<string> => (await metadata(reader, name)).slice(0, MAX_FACT)
  return {
    uuid: reader.header.uuid,
    title: await fact('Title'),
    description: await fact('Description'),
    language: (await fact('Language')).replace(/\s/g, ''),
    date: await fact('Date'),
    name: await fact('Name'),
    articleCount: await articleCount(reader),
    mainPath: mainPath(reader)
  }
}

/** A fact whose cluster cannot be unpacked is one the archive does not tell: its articles may lie in others. */
async function metadata(reader: ZimReader, name: string): Promise<string> {
  try {
    return await reader.metadata(name)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable') return ''
    throw error
  }
}

/** By the archive's own count when it can be believed. */
async function articleCount(reader: ZimReader): Promise<number> {
  const said = countedPages(await metadata(reader, 'Counter'))
  return said === null || said > reader.directory.count ? countArticles(reader) : said
}

/** A main page that leads nowhere is no reason to refuse the rest. */
function mainPath(reader: ZimReader): string | null {
  try {
    return reader.mainPath()
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-input') return null
    throw error
  }
}

/**
 * Every article from this place of the order on, then `end`. One that cannot be read is told and passed; @throws AppError
 * `bad-input` when the archive as a whole cannot be read, `unavailable` when the disk fails.
 */
export async function* readArticles(
  reader: ZimReader,
  { from, announce = false }: { from: number; announce?: boolean }
): AsyncGenerator<ArchiveLine> {
  const order = articleOrder(reader)
  yield { kind: 'begin', uuid: reader.header.uuid, articles: order.length }
  for (let entry = from; entry < order.length; entry++) {
    const found = reader.directory.entry(order[entry] ?? 0)
    const path = reader.pathOf(found)
    if (announce) yield { kind: 'next', entry, path, title: found.title }
    yield { ...(await readOne(reader, found)), entry, path }
  }
  yield { kind: 'end', entry: Math.max(from, order.length) }
}

type Told = {
  [Kind in EntryLine['kind']]: Omit<Extract<EntryLine, { kind: Kind }>, 'entry' | 'path'>
}[EntryLine['kind']]

async function readOne(reader: ZimReader, entry: ZimEntry): Promise<Told> {
  const named = entry.title === '' ? nameOf(entry.path) : entry.title
  try {
    const { title: own, text } = articleText(
      await decodePage(await reader.content(entry, MAX_PAGE_BYTES), reader.mimeOf(entry), guessEncoding)
    )
    const title = (entry.title === '' && own !== '' ? own : named).slice(0, MAX_FACT)
    if (text.length < FEWEST_CHARACTERS)
      return { kind: 'skip', title, reason: because('article_too_short', { length: text.length }) }
    return { kind: 'article', title, text }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    return { kind: error.code === 'too-large' ? 'skip' : 'fail', title: named, reason: error.reason }
  }
}

/** `wiki/First_aid.html` → `First aid`. */
function nameOf(path: string): string {
  const last =
    path
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? path
  return last.replace(/\.x?html?$/i, '').replace(/_/g, ' ')
}
