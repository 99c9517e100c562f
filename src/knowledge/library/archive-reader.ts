import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { type OwnProgram, ownProgram } from '../../platform/process/own-program.ts'
import { EMPTY, runBounded } from '../../platform/process/run.ts'
import { type ArchiveFacts, type ArchiveLine, parseFacts, parseLine, reported } from './archive-lines.ts'
import { ChildDied, linesOf } from './line-child.ts'

const MIB = 1024 * 1024
/** Counting the entries of the largest archives takes a slow card minutes. */
const FACTS_MS = 600_000
/** One unpacked cluster, one page and its text, and Node itself. */
const MEMORY_BYTES = 256 * MIB
const FACTS_BYTES = MIB
/** The longest text, and what JSON makes of it. */
const LINE_BYTES = 32 * MIB
const SILENCE_MS = 600_000

export interface ReadRequest {
  path: string
  /** Place in the order of reading. */
  from: number
  /** Tell each article before it is read. */
  announce: boolean
  signal: AbortSignal
}

/** Reads archives of strangers: never in this process. */
export interface ArchiveReader {
  /** @throws AppError `bad-input`, `unsupported`, `too-large`, `timeout` (the archive's own fault); others pass. */
  facts: (path: string, signal?: AbortSignal) => Promise<ArchiveFacts>
  /** The lines up to and with `end`. @throws AppError as the reader reported; ChildDied when it crashed. */
  articles: (request: ReadRequest) => AsyncIterable<ArchiveLine>
}

/** The reader that is this program, in a bounded process of its own. `program`: its command line. */
export function archiveReader(program: (args: string[]) => OwnProgram = ownProgram): ArchiveReader {
  return {
    facts: (path, signal) => factsOf(path, program(['work', 'convert:zim-info', path]), signal),
    articles: ({ path, from, announce, signal }) => {
      const more = announce ? ['announce'] : []
      const own = program(['work', 'convert:zim-articles', path, String(from), ...more])
      return articlesOf({ ...own, reads: [path] }, signal)
    }
  }
}

async function factsOf(path: string, program: OwnProgram, signal?: AbortSignal): Promise<ArchiveFacts> {
  const { stdout, stderr, code } = await runBounded({
    ...program,
    cwd: EMPTY,
    reads: [path],
    node: true,
    limits: { timeMs: FACTS_MS, memoryBytes: MEMORY_BYTES, outputBytes: FACTS_BYTES },
    ...(signal === undefined ? {} : { signal })
  })
  const line = stdout.toString('utf8').trim()
  if (line === '')
    throw new ChildDied(because('archive_reader_ended', { code: String(code), said: stderr.trim().slice(-300) }))
  return parseFacts(line)
}

async function* articlesOf(
  program: OwnProgram & { reads: readonly string[] },
  signal: AbortSignal
): AsyncGenerator<ArchiveLine> {
  const limits = { memoryBytes: MEMORY_BYTES, lineBytes: LINE_BYTES, silenceMs: SILENCE_MS }
  for await (const text of linesOf(program, limits, signal)) {
    const line = parseLine(text)
    if (line.kind === 'error') throw reported(line)
    yield line
    if (line.kind === 'end') return
  }
  signal.throwIfAborted()
  throw new AppError('unavailable', because('archive_reader_no_end'))
}
