import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import { type OwnProgram, ownProgram } from '../../platform/process/own-program.ts'
import { runBounded } from '../../platform/process/run.ts'
import type { NewUpload } from '../catalogue/uploads.ts'
import { CHILD_LIMITS } from './convert/limits.ts'
import { parseResult } from './convert/own-result.ts'
import { PAGE_FOLDER } from './parts.ts'
import type { Receiver, UploadFacts } from './receive.ts'
import { decodedPart, type FetchedPage, type PageFetch } from './web-page.ts'

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
  text: v.string(),
  recording: v.object({
    platform: v.string(),
    tracks: v.array(
      v.object({
        address: v.string(),
        language: v.string(),
        label: v.string(),
        machine: v.boolean(),
        first: v.boolean()
      })
    )
  })
})
/** A page as it is kept, and the captions it names. */
export type KeptPage = v.InferOutput<typeof readable>

/** The part of the receiver that what is fetched goes through. */
export type Intake = Pick<Receiver, 'store' | 'accept' | 'drop' | 'partsFolder' | 'settings'>

export interface PageParts extends PageFetch {
  receiver: Intake
  /** The most that its parser may have. */
  memoryBytes?: number
  /** The command line of `work convert:… IN OUT`; by default that of this program. */
  program?: (args: string[]) => OwnProgram
}

/**
 * Takes the text of a fetched page into the intake, as a text file with a sidecar that says where it
 * came from (`source: web`, `url`), so that it goes the way of every file. It is known by its text: fetched again with the
 * same text it is a duplicate, whatever else of the page has changed.
 * @throws AppError `invalid` when there is no text; DuplicateError.
 */
export async function keepPage(
  page: KeptPage,
  { url, category = '' }: { url: string; category?: string | undefined },
  receiver: Intake
): Promise<NewUpload> {
  const text = page.text.replace(/[^\P{Cc}\n\t]/gu, '')
  const length = text.replace(/\s/g, '').length
  if (length < FEWEST)
    throw new AppError('invalid', because('page_too_little_text', { length, host: new URL(url).host }))
  const facts = factsOfPage(page, { url, category })
  const part = await receiver.store(bytesOf(`${text}\n`), { filename: facts.filename })
  try {
    return await receiver.accept(part, facts, ['.txt'])
  } finally {
    await receiver.drop(part)
  }
}

/** True when a page has too little text to be kept. */
export function isAlmostEmpty({ text }: KeptPage): boolean {
  return text.replace(/\s/g, '').length < FEWEST
}

/** The facts that go with the text of a page. */
export function factsOfPage(page: Omit<KeptPage, 'recording'>, { url, category }: { url: string; category: string }) {
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

/** The text of a page, and what it says about itself. */
export async function readableOf({ kind, body }: FetchedPage, parts: PageParts): Promise<KeptPage> {
  if (kind === 'html') {
    const read = await inChild(body, { role: 'convert:page', ending: 'html' }, parts)
    return v.parse(readable, JSON.parse(read))
  }
  const title = /^#\s+(.{1,200})$/m.exec(body)?.[1]?.trim() ?? ''
  const text = body.replace(/^\ufeff/, '').trim()
  const nothing = { author: '', date: '', year: '', description: '', site: '' }
  return { title, ...nothing, text, recording: { platform: '', tracks: [] } }
}

/** A name by the last part of an address. */
function titleFromAddress(address: string): string {
  const { host, pathname } = new URL(address)
  const last = pathname.split('/').findLast((part) => part !== '') ?? ''
  const name = decodedPart(last)
    .replace(/\.\w{2,5}$/, '')
    .replace(/[-_+]+/g, ' ')
    .trim()
  return name === '' ? host : name
}

/** The parser of what strangers wrote runs in a process of its own: bounded, without network where the system allows it. */
export async function inChild(
  content: string,
  { role, ending }: { role: 'convert:page' | 'convert:ttml'; ending: string },
  { receiver, memoryBytes = CHILD_LIMITS.ownMemoryBytes, program = ownProgram, signal }: PageParts
): Promise<string> {
  await makeBelow(dirname(dirname(receiver.partsFolder)), receiver.partsFolder)
  const folder = await mkdtemp(join(receiver.partsFolder, PAGE_FOLDER))
  try {
    const [input, output] = [join(folder, `page.${ending}`), join(folder, 'page.json')]
    await writeFile(input, content)
    const { stdout, stderr } = await runBounded({
      ...program(['work', role, input, output]),
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
    return await readFile(output, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
