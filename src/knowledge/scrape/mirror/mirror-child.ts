import * as v from 'valibot'
import { because, type Reason } from '../../../model/reason.ts'
import { jsonOr } from '../../../platform/bytes/json-or.ts'
import { AppError, type ErrorCode } from '../../../platform/errors.ts'
import { type Child, startBounded } from '../../../platform/process/child.ts'
import { cleanEnvironment, type Limit } from '../../../platform/process/child-spec.ts'
import { failureOf } from '../../../platform/process/exit.ts'
import type { OwnProgram } from '../../../platform/process/own-program.ts'
import { type MirrorEnd, mirrorLineSchema } from './options.ts'

const MIB = 1024 * 1024
const MEMORY_BYTES = 448 * MIB
const LOOK_MS = 2000
/** A pause a site asked for may be minutes long. */
const SILENCE_MS = 20 * 60_000
const STDERR_BYTES = 4096
const LINE_BYTES = MIB
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
}

/**
 * Runs the archiver's process, bounded in memory and at low priority. It is the one child that needs the network; where it
 * goes is bounded by its own guard. @throws AppError as it reported, or `unavailable` when it died; what `signal` was
 * aborted with.
 */
export async function runMirror({ program, folder, signal, onProgress }: MirrorRun): Promise<MirrorEnd> {
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
    return await endOf(child, onProgress)
  } finally {
    child.release()
  }
}

async function endOf(child: Child, onProgress: MirrorRun['onProgress']): Promise<MirrorEnd> {
  let end: MirrorEnd | null = null
  let error: AppError | null = null
  for await (const text of child.lines({ lineBytes: LINE_BYTES, silenceMs: SILENCE_MS })) {
    const line = v.safeParse(mirrorLineSchema, jsonOr(null, text))
    if (!line.success) continue
    if (line.output.kind === 'progress') onProgress(line.output)
    else if (line.output.kind === 'end') end = line.output
    else error ??= reported(line.output)
  }
  if (error !== null) throw error
  const how = failureOf(await child.settled())
  if (end !== null && how === null) return end
  const words = child.words.trim().split('\n').at(-1) ?? ''
  const ended = { how: how ?? because('ended_without_word') }
  if (words === '') throw new AppError('unavailable', because('archiver_ended', ended))
  throw new AppError('unavailable', because('archiver_ended_said', { ...ended, said: words.slice(0, 300) }))
}

function exceeded(limit: Limit): AppError {
  if (limit === 'memory') return new AppError('too-large', because('archiver_memory', { limit: MEMORY_BYTES / MIB }))
  if (limit === 'line') return new AppError('bad-input', because('archiver_endless_line'))
  return new AppError('timeout', because('archiver_silent', { minutes: SILENCE_MS / 60_000 }))
}

function reported({ code, reason }: { code: string; reason: Reason }): AppError {
  return new AppError(CODES.find((one) => one === code) ?? 'unavailable', reason)
}
