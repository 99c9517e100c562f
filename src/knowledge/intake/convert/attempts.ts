import { because, type Reason } from '../../../model/reason.ts'
import { AppError, type ErrorCode } from '../../../platform/errors.ts'
import { installHint, missingProgram, type NeededProgramName } from '../../enrich/needed-programs.ts'

/** The product of a converter; not judged yet. */
export interface Made {
  pdf: string
  /** Characters of the source's text, blanks not counted; null when nobody can tell. */
  sourceTextLength: number | null
  warnings: Reason[]
}

/** One way of converting a file. */
export interface Attempt {
  /** Name for people. */
  tool: string
  needs: NeededProgramName | null
  /** Nobody is asked to install it: used when it is there. */
  optional?: true
  run: () => Promise<Made>
}

/** Another way would not help, or must not be tried. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['invalid', 'no-space', 'unavailable'])

/**
 * The first way that works, best first; `judge` decides whether it did. A program that is not installed is passed over.
 * @throws AppError `missing` when a program would help that is not there; else why the ways failed
 */
export async function firstThatWorks(
  attempts: readonly Attempt[],
  find: (name: string) => string | null,
  judge: (made: Made, tool: string) => Promise<void>
): Promise<Made & { tool: string }> {
  const failures: AppError[] = []
  const absent: Attempt[] = []
  for (const attempt of attempts) {
    if (attempt.needs !== null && find(attempt.needs) === null) {
      absent.push(attempt)
      continue
    }
    try {
      const made = await attempt.run()
      await judge(made, attempt.tool)
      return { ...made, tool: attempt.tool }
    } catch (error) {
      if (!(error instanceof AppError) || FINAL.has(error.code)) throw error
      failures.push(error)
    }
  }
  throw failure(failures, absent)
}

function failure(failures: readonly AppError[], absent: readonly Attempt[]): AppError {
  const names = absent.flatMap(({ needs, optional }) => (needs === null || optional === true ? [] : [needs]))
  const [only, ...others] = names
  const reasons = because('all_of', { causes: failures.map(({ reason }) => reason) })
  if (only !== undefined) {
    if (failures.length === 0 && others.length === 0) return missingProgram(only)
    const before = failures.length === 0 ? because('neither_installed', { programs: names.join(' nor ') }) : reasons
    const hints = names.map((name) => installHint([name])).join(', or ')
    return new AppError('missing', because('install_with', { what: before, install: hints }))
  }
  const codes = failures.map(({ code }) => code)
  const code = (['timeout', 'missing'] as const).find((one) => codes.includes(one))
  return new AppError(code ?? (codes.every((one) => one === 'too-large') ? 'too-large' : 'bad-input'), reasons)
}
