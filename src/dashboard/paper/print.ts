import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { type OwnProgram, ownProgram } from '../../platform/process/own-program.ts'
import { EMPTY, runBounded } from '../../platform/process/run.ts'
import type { Sheet } from './sheet.ts'

const MIB = 2 ** 20
/** The longest log there is, 2000 lines, takes a fortieth of the time on a fast machine; a font with all of Japanese takes 60 MiB. */
const LIMITS = { timeMs: 120_000, memoryBytes: 256 * MIB, outputBytes: 16 * MIB }

export const PRINT_ROLE = 'print:page'

/**
 * A page as a PDF, set in a bounded process of its own: the radios' thread only waits. @throws AppError `timeout`, `too-large`, `unavailable`; what
 * `signal` was aborted with.
 */
export async function printSheet(
  sheet: Sheet,
  signal: AbortSignal,
  { command, args }: OwnProgram = ownProgram(['work', PRINT_ROLE])
): Promise<Buffer> {
  const input = JSON.stringify(sheet)
  const { code, stdout, stderr } = await runBounded({
    ...{ command, args, cwd: EMPTY, input, limits: LIMITS, node: true, signal }
  })
  if (code !== 0) throw new AppError('unavailable', because('paper_not_made', { said: stderr.trim().slice(-300) }))
  return stdout
}
