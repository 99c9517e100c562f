import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import { type OwnProgram, ownProgram } from '../../platform/process/own-program.ts'
import { runBounded } from '../../platform/process/run.ts'
import type { NewUpload } from '../catalogue/uploads.ts'
import type { ReadablePage } from './convert/html-role.ts'
import { CHILD_LIMITS } from './convert/limits.ts'
import { parseResult } from './convert/own-result.ts'
import { PAGE_FOLDER } from './parts.ts'
import type { Receiver, UploadFacts } from './receive.ts'
import { type FetchedPage, fetchPage, type PageFetch } from './web-page.ts'

/** Non-blank characters; with less there is nothing to read (it may be made by a script). */
const FEWEST = 50
const READ_MS = 60_000
const MAX_FOLDER = 64 * 1024 * 1024

const readable = v.object({
  title: v.string(),
  author: v.string(),
  date: v.string(),
  year: v.string(),
  description: v.string(),
  site: v.string(),
  text: v.string()
})

export interface PageParts extends PageFetch {
  receiver: Receiver
  /** The most that its parser may have. */
  memoryBytes?: number
  /** The command line of `work convert:page IN OUT`; by default that of this program. */
  program?: (args: string[]) => OwnProgram
}

/**
 * Takes one web page in: fetched, made readable, and put into the intake as a text file with a sidecar that says where it
 * came from (`source: web`, `url`), so that it goes the way of every file. It is known by its text: fetched again with the
 * same text it is a duplicate, whatever else of the page has changed.
 * @throws AppError as `fetchPage` does; `invalid` when there is no text; DuplicateError.
 */
export async function takePage(
  ask: { url: string; category?: string },
  parts: PageParts
): Promise<NewUpload & { url: string }> {
  const fetched = await fetchPage(ask.url, parts)
  const page = await readableOf(fetched, parts)
  const text = page.text.replace(/[^\P{Cc}\n\t]/gu, '')
  const length = text.replace(/\s/g, '').length
  if (length < FEWEST)
    throw new AppError('invalid', because('page_too_little_text', { length, host: new URL(fetched.url).host }))
  const { receiver } = parts
  const facts = factsOfPage(page, { url: fetched.url, category: ask.category ?? '' })
  const part = await receiver.store(bytesOf(`${text}\n`), { filename: facts.filename })
  try {
    return { ...(await receiver.accept(part, facts, ['.txt'])), url: fetched.url }
  } finally {
    await receiver.drop(part)
  }
}

/** The facts that go with the text of a page. */
export function factsOfPage(page: ReadablePage, { url, category }: { url: string; category: string }) {
  const title = page.title === '' ? titleFromAddress(url) : page.title
  const { author, date, year, description, site } = page
  return {
    filename: `${title.replace(/[/\\]/g, ' ').slice(0, 120)}.txt`,
    title,
    category,
    source: 'web',
    sourceType: 'web',
    more: { url, author, date, year, description, site }
  } satisfies UploadFacts
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

async function readableOf({ kind, body }: FetchedPage, parts: PageParts): Promise<ReadablePage> {
  if (kind === 'html') return readInChild(body, parts)
  const title = /^#\s+(.{1,200})$/m.exec(body)?.[1]?.trim() ?? ''
  return { title, author: '', date: '', year: '', description: '', site: '', text: body.replace(/^\ufeff/, '').trim() }
}

function titleFromAddress(address: string): string {
  const { host, pathname } = new URL(address)
  const last =
    pathname
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? ''
  const name = decoded(last)
    .replace(/\.\w{2,5}$/, '')
    .replace(/[-_+]+/g, ' ')
    .trim()
  return name === '' ? host : name
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}

/** The parser of what strangers wrote runs in a process of its own: bounded, without network where the system allows it. */
async function readInChild(
  html: string,
  { receiver, memoryBytes = CHILD_LIMITS.ownMemoryBytes, program = ownProgram, signal }: PageParts
): Promise<ReadablePage> {
  await makeBelow(dirname(dirname(receiver.partsFolder)), receiver.partsFolder)
  const folder = await mkdtemp(join(receiver.partsFolder, PAGE_FOLDER))
  try {
    const [input, output] = [join(folder, 'page.html'), join(folder, 'page.json')]
    await writeFile(input, html)
    const { stdout, stderr } = await runBounded({
      ...program(['work', 'convert:page', input, output]),
      cwd: folder,
      node: true,
      limits: {
        timeMs: READ_MS,
        memoryBytes: Math.min(CHILD_LIMITS.ownMemoryBytes, memoryBytes),
        outputBytes: CHILD_LIMITS.outputBytes,
        folderBytes: { folder, bytes: MAX_FOLDER }
      },
      ...(signal === undefined ? {} : { signal })
    })
    parseResult(stdout.toString('utf8'), stderr)
    return v.parse(readable, JSON.parse(await readFile(output, 'utf8')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
