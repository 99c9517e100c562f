import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { startBounded } from '../../platform/process/child.ts'
import { cleanEnvironment, type Limit } from '../../platform/process/child-spec.ts'
import { failureOf } from '../../platform/process/exit.ts'
import type { OwnProgram } from '../../platform/process/own-program.ts'
import { EMPTY } from '../../platform/process/run.ts'

const LOOK_EVERY_MS = 1000
const STDERR_BYTES = 4096

export interface LineLimits {
  memoryBytes: number
  lineBytes: number
  /** Longest wait for the next line; the time in which nobody asks for one does not count. */
  silenceMs: number
}

/** The process ended before it had said everything. */
export class ChildDied extends AppError {
  constructor(how: Reason) {
    super('unavailable', how)
  }
}

/**
 * The lines a program of ours prints, as they are asked for: a slow reader holds it up, one that turns away ends it. It is
 * bounded as every program that reads what strangers made. @throws ChildDied when it fails, grows too large or falls silent;
 * what `signal` was aborted with.
 */
export async function* linesOf(
  { command, args, reads = [] }: OwnProgram & { reads?: readonly string[] },
  limits: LineLimits,
  signal: AbortSignal
): AsyncGenerator<string> {
  const { memoryBytes } = limits
  const child = await startBounded({
    command,
    args,
    cwd: EMPTY,
    env: cleanEnvironment(EMPTY),
    view: { reads, writes: [] },
    stdout: 'lines',
    wordsBytes: STDERR_BYTES,
    signal,
    bounds: { memoryBytes, lookMs: LOOK_EVERY_MS, node: true, exceeded: (limit) => exceeded(limit, limits) }
  })
  try {
    yield* child.lines(limits)
    const how = failureOf(await child.settled())
    if (how !== null) throw new ChildDied(diedOf(how, lastWords(child.words)))
  } finally {
    child.release()
  }
}

function exceeded(limit: Limit, { memoryBytes, silenceMs }: LineLimits): ChildDied {
  if (limit === 'memory') return new ChildDied(because('archive_reader_memory', { limit: memoryBytes / 2 ** 20 }))
  if (limit === 'line') return new ChildDied(because('archive_reader_endless_line'))
  return new ChildDied(because('archive_reader_silent', { seconds: silenceMs / 1000 }))
}

function diedOf(how: Reason, said: string | null): Reason {
  return said === null ? because('archive_reader_died', { how }) : because('archive_reader_died_said', { how, said })
}

function lastWords(said: string): string | null {
  const line = /^(?:\w*Error\b.*|FATAL.*|lookout: .*)$/m.exec(said)?.[0]
  return line === undefined ? null : line.slice(0, 300)
}
