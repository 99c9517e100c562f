import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { ownProgram } from '../../platform/process/own-program.ts'
import { EMPTY, runBounded } from '../../platform/process/run.ts'
import { encodingNamed } from './encodings.ts'

const MIB = 1024 * 1024
/** The detector and its tables take 70 MB, Node the rest. */
const MEMORY_BYTES = 256 * MIB
const TIME_MS = 60_000
const ANSWER_BYTES = 1024

/** Has the encoding guessed by `lookout work convert:encoding`, whose memory is free again at once. @throws AppError as `runBounded` does */
export async function guessInChild(sample: Uint8Array): Promise<string> {
  const { stdout, stderr } = await runBounded({
    ...ownProgram(['work', 'convert:encoding']),
    cwd: EMPTY,
    input: sample,
    node: true,
    limits: { timeMs: TIME_MS, memoryBytes: MEMORY_BYTES, outputBytes: ANSWER_BYTES }
  })
  const encoding = encodingNamed(stdout.toString('utf8').trim())
  if (encoding === null)
    throw new AppError('unavailable', because('encoding_not_guessed', { said: stderr.trim().slice(-300) }))
  return encoding
}
