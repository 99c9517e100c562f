import * as v from 'valibot'
import { because, type Reason } from '../../../model/reason.ts'
import { jsonOr } from '../../../platform/bytes/json-or.ts'
import { AppError, type ErrorCode } from '../../../platform/errors.ts'
import { type Child, startBounded } from '../../../platform/process/child.ts'
import { cleanEnvironment, type Limit } from '../../../platform/process/child-spec.ts'
import { failureOf } from '../../../platform/process/exit.ts'
import type { OwnProgram } from '../../../platform/process/own-program.ts'
import { type Capped, type Miss, MOST_FINDINGS } from '../findings.ts'
import { type MirrorEnd, type MirrorLine, mirrorLineSchema } from './options.ts'

const MIB = 1024 * 1024
const MEMORY_BYTES = 448 * MIB
const LOOK_MS = 2000
/** A pause a site asked for may be minutes long. */
const SILENCE_MS = 20 * 60_000
const STDERR_BYTES = 4096
const LINE_BYTES = MIB
const MOST_DOCUMENTS = 1000
/** A name of its own making leads nowhere else. */
const DOCUMENT_FILE = /^documents\/\d{1,6}\.(?:pdf|epub)$/
/** Certificates an operator trusts beside the usual ones. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR']
/** Codes that the child may give for itself; anything else is a failure that may pass. */
const CODES: readonly ErrorCode[] = [
  'invalid',
  'bad-input',
  'too-large',
  'unsupported',
  'no-space',
  'unavailable',
  'timeout'
]

export interface MirrorRun {
  program: OwnProgram
  folder: string
  signal: AbortSignal
  onProgress: (numbers: { done: number; total: number }) => void
  onResumed?: (pages: number) => void
}

/** The end of a crawl, with what it found beside its pages. */
export interface MirrorOutcome extends MirrorEnd {
  misses: Miss[]
  capped: Capped[]
  /** Files of the crawl's folder. */
  documents: { address: string; file: string }[]
}

/**
 * Runs the archiver's process, bounded in memory and at low priority. It is the one child that needs the network; where it
 * goes is bounded by its own guard. @throws AppError as it reported, or `unavailable` when it died; what `signal` was
 * aborted with.
 */
export async function runMirror({ program, folder, signal, ...told }: MirrorRun): Promise<MirrorOutcome> {
  const child = await startBounded({
    ...program,
    cwd: folder,
    env: cleanEnvironment(folder, CERTIFICATES),
    view: { reads: CERTIFICATES.flatMap((name) => process.env[name] ?? []), writes: [folder] },
    stdout: 'lines',
    wordsBytes: STDERR_BYTES,
    signal,
    bounds: { memoryBytes: MEMORY_BYTES, lookMs: LOOK_MS, node: true, network: true, exceeded }
  })
  try {
    return await endOf(child, told)
  } finally {
    child.release()
  }
}

async function endOf(child: Child, told: Pick<MirrorRun, 'onProgress' | 'onResumed'>): Promise<MirrorOutcome> {
  const heard = new Heard(told)
  for await (const text of child.lines({ lineBytes: LINE_BYTES, silenceMs: SILENCE_MS })) {
    const line = v.safeParse(mirrorLineSchema, jsonOr(null, text))
    if (line.success) heard.hear(line.output)
  }
  const { end, error, found } = heard
  if (error !== null) throw error
  const how = failureOf(await child.settled())
  if (end !== null && how === null) return { ...end, ...found }
  const words = child.words.trim().split('\n').at(-1) ?? ''
  const ended = { how: how ?? because('ended_without_word') }
  if (words === '') throw new AppError('unavailable', because('archiver_ended', ended))
  throw new AppError('unavailable', because('archiver_ended_said', { ...ended, said: words.slice(0, 300) }))
}

/** The words of the child. It is not trusted with our memory. */
class Heard {
  readonly #told: Pick<MirrorRun, 'onProgress' | 'onResumed'>
  readonly found: Pick<MirrorOutcome, 'misses' | 'capped' | 'documents'> = { misses: [], capped: [], documents: [] }
  end: MirrorEnd | null = null
  error: AppError | null = null

  constructor(told: Pick<MirrorRun, 'onProgress' | 'onResumed'>) {
    this.#told = told
  }

  hear(line: MirrorLine): void {
    if (line.kind === 'progress') this.#told.onProgress(line)
    else if (line.kind === 'resumed') this.#told.onResumed?.(line.pages)
    else if (line.kind === 'end') this.end = line
    else if (line.kind === 'error') this.error ??= reported(line)
    else this.#note(line)
  }

  #note(line: Extract<MirrorLine, { kind: 'missed' | 'capped' | 'document' }>): void {
    const { misses, capped, documents } = this.found
    if (line.kind === 'missed') {
      if (misses.length < MOST_FINDINGS) misses.push({ address: line.address, reason: line.reason })
    } else if (line.kind === 'capped') {
      const { pattern, kept, pages } = line
      if (capped.length < MOST_FINDINGS) capped.push({ pattern, kept, pages })
    } else if (DOCUMENT_FILE.test(line.file) && documents.length < MOST_DOCUMENTS)
      documents.push({ address: line.address, file: line.file })
  }
}

function exceeded(limit: Limit): AppError {
  if (limit === 'memory') return new AppError('too-large', because('archiver_memory', { limit: MEMORY_BYTES / MIB }))
  if (limit === 'line') return new AppError('bad-input', because('archiver_endless_line'))
  return new AppError('timeout', because('archiver_silent', { minutes: SILENCE_MS / 60_000 }))
}

function reported({ code, reason }: { code: string; reason: Reason }): AppError {
  return new AppError(CODES.find((one) => one === code) ?? 'unavailable', reason)
}
