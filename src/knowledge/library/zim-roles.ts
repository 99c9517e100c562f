import { because } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'

/** Waits until the line is out: whoever reads slowly is not written at, and what was read is told before the next is begun. */
function print(value: object): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${JSON.stringify(value)}\n`, () => resolve()))
}

/** An error that libraries throw at a damaged file counts as damage. */
function errorLine(error: unknown): object {
  if (error instanceof AppError) return { kind: 'error', code: error.code, reason: error.reason }
  return { kind: 'error', code: 'bad-input', reason: because('archive_not_read', { said: reasonOf(error) }) }
}

async function info([path]: string[]): Promise<void> {
  if (path === undefined) throw new AppError('usage', because('work_zim_info_needs'))
  const { ZimReader } = await import('./zim.ts')
  const { archiveFacts } = await import('./zim-read.ts')
  const reader = ZimReader.open(path)
  try {
    await print(await archiveFacts(reader))
  } finally {
    reader.close()
  }
}

async function articles([path, from = '0', announce = '']: string[]): Promise<void> {
  if (path === undefined || !/^\d{1,10}$/.test(from)) throw new AppError('usage', because('work_zim_articles_needs'))
  const { ZimReader } = await import('./zim.ts')
  const { readArticles } = await import('./zim-read.ts')
  const reader = ZimReader.open(path)
  try {
    for await (const line of readArticles(reader, { from: Number(from), announce: announce === 'announce' }))
      await print(line)
  } finally {
    reader.close()
  }
}

function telling(work: (args: string[]) => Promise<void>): (args: string[]) => Promise<void> {
  return (args) => work(args).catch((error: unknown) => print(errorLine(error)))
}

/**
 * Readers of archives, each run in a bounded process of its own as `lookout work ROLE …`: `convert:zim-info FILE` prints the
 * facts as one JSON line; `convert:zim-articles FILE FROM [announce]` prints an `ArchiveLine` for each article from that place
 * on, as fast as they are read from it.
 */
export const zimRoles: Record<string, () => Promise<(args: string[]) => Promise<void>>> = {
  'convert:zim-info': async () => telling(info),
  'convert:zim-articles': async () => telling(articles)
}
