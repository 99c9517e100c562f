import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'
import type { StagedBundle } from '../dashboard/server/update.ts'
import { because, isReason, type Reason } from '../model/reason.ts'
import { looseObject } from '../platform/config/object.ts'
import { AppError } from '../platform/errors.ts'
import { ownProgram } from '../platform/process/own-program.ts'
import { EMPTY, runBounded } from '../platform/process/run.ts'
import { bundleFactsSchema } from './update-files.ts'

/** One of them is null. */
export type Verdict = Pick<StagedBundle, 'facts' | 'refused'>

/**
 * xz of level 9 needs 65 MB, Node as much; but Node reserves more than 512 MiB that it never uses, which `prlimit` counts. Decompressing
 * takes a minute on the smallest board.
 */
const LIMITS = { timeMs: 15 * 60_000, memoryBytes: 2 ** 30, outputBytes: 64 * 1024 }

const ENTRY = /(?:lookout\.js|main\.ts)$/

const refusalSchema = looseObject({ refused: v.custom<Reason>(isReason) })

/**
 * Looks at a bundle by `lookout verify-bundle -` in a process of its own, which has no network and sees nothing but this file and the
 * program. Never rejects for what the file is.
 */
export async function checkBundle(file: string, program = ownProgram(['verify-bundle', '-'])): Promise<Verdict> {
  const { command } = program
  // Of a bundle `current` is a link, which leads nowhere where nothing else is seen.
  const args = program.args.map((arg) => (ENTRY.test(arg) ? realpathSync(arg) : arg))
  const entry = args.find((arg) => ENTRY.test(arg)) ?? ''
  try {
    const { stdout, stderr } = await runBounded({
      command: '/bin/sh',
      args: ['-c', 'file=$1; shift; xz -dc "$file" | "$@"', 'sh', file, command, ...args],
      cwd: EMPTY,
      reads: [file, command, dirname(dirname(entry))],
      limits: LIMITS
    })
    return verdictOf(stdout.toString('utf8'), stderr)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { facts: null, refused: error.reason }
  }
}

function verdictOf(text: string, words: string): Verdict {
  const value = jsonOf(text)
  const facts = v.safeParse(bundleFactsSchema, value)
  if (facts.success) return { facts: facts.output, refused: null }
  if (v.is(refusalSchema, value)) return { facts: null, refused: value.refused }
  return { facts: null, refused: because('bundle_not_checked', { said: words.trim().split('\n').at(-1) ?? '' }) }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}
