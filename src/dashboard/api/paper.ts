import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { type Content, html } from '../pages/frame/html.ts'
import type { Reader } from '../pages/frame/reader.ts'
import { paperSize, type Sheet } from '../paper/sheet.ts'
import type { HeavyCaller } from '../server/heavy-work.ts'
import { bytes, type Takeover } from '../server/reply.ts'
import type { Services } from './services.ts'

/** The time between two looks whether anybody still waits. Milliseconds. */
const LOOK_MS = 200

export interface Paper {
  /** Without its ending. */
  file: string
  title: string
  /** At the head of every page, after the name of the station. Empty ones are left out. */
  about: readonly string[]
  body: Content
}

/**
 * A page as a PDF, made among the other heavy work: the process that sets it ends when whoever asked has left. @throws HttpError `unavailable` while there is
 * no place.
 */
export function printed(
  { context, heavy }: Services,
  caller: HeavyCaller,
  { reader, make }: { reader: Reader; make: () => Promise<Paper> }
): Promise<Takeover> {
  return heavy.run(caller, async (pace) => {
    const { file, ...paper } = await make()
    await pace()
    const pdf = await whileWaitedFor(caller, (signal) => context.print(sheetOf(paper, reader), signal))
    return bytes('application/pdf', pdf, { 'Content-Disposition': `attachment; filename="${file}.pdf"` })
  })
}

function sheetOf({ title, about, body }: Omit<Paper, 'file'>, { context, t }: Reader): Sheet {
  const { name, country } = context.shownConfig().station
  return {
    html: html`${body}`.text,
    title,
    head: [name, title, ...about].filter((part) => part !== '').join(' · '),
    words: {
      page: t('Page {page} of {pages}', { page: '{page}', pages: '{pages}' }),
      unknown: t(
        'No font of this station has {count} of the characters on these pages: each stands as its Unicode number in brackets, and the characters themselves on the page and in the CSV.',
        { count: '{count}' }
      )
    },
    size: paperSize(country)
  }
}

async function whileWaitedFor<T>({ left }: HeavyCaller, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController()
  const look = setInterval(() => {
    if (left()) gone.abort(new AppError('unavailable', because('client_has_left')))
  }, LOOK_MS)
  try {
    return await work(gone.signal)
  } finally {
    clearInterval(look)
  }
}
