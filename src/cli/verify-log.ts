import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { type Anchor, isIn, readAnchor } from '../platform/audit/anchor.ts'
import { AUDIT_LOG, linesOf } from '../platform/audit/audit-log.ts'
import { ChainCheck, type ChainFault } from '../platform/audit/chain.ts'
import { AppError } from '../platform/errors.ts'
import { verbFolder } from './data-folder.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout verify-log [--data DIR]

Checks audit.log, and the older half beside it: every line is sealed with the hash (SHA-256) of the one before, so a line that was
changed, taken out or put in is found. audit.head says how far the log had come some minutes ago and at the last end of the station:
lines that were taken away at an end of it are found too. Whoever may write all files can write all anew: compare the last number
and hash with those you wrote down before.

stdout: the number of records, the number and the hash of the last one
stderr: every place where the chain does not hold, FILE:LINE
exit codes: 0 whole (a line that a power cut tore is told, and is no fault) · 2 usage · 3 not whole · 4 there is no log
`

const WORDS: Readonly<Record<ChainFault['kind'], string>> = {
  broken_line: 'is no record any more: changed or damaged',
  changed: 'does not follow the line before it: a line was taken out, put in or changed',
  cut_before: 'the station noticed here that lines before it were gone',
  torn: 'was cut off while it was written, as by a power cut; nothing else is missing'
}

/** `lookout verify-log`. Answers 0 or 3. @throws AppError `usage`, `missing`. */
export async function verifyLog(
  args: string[],
  context: Pick<VerbContext, 'env' | 'out' | 'err' | 'language'>
): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { data: { type: 'string' }, help: { type: 'boolean', short: 'h' } }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  if (positionals.length > 0) throw new AppError('usage', because('audit_takes_folder'))
  const folder = verbFolder(values.data, context)
  const check = new ChainCheck()
  // Read first: the log of a running station goes on.
  const anchor = readAnchor(folder)
  let isThere = false
  for (const file of [`${AUDIT_LOG}.1`, AUDIT_LOG]) {
    const lines = await linesOf(join(folder, file))
    isThere ||= anchor !== null && isIn(`${lines.join('\n')}\n`, anchor)
    for (const [index, line] of lines.entries()) check.take(line, { file, line: index + 1 })
  }
  check.end()
  const gone = anchor === null ? null : goneOf(anchor, { isThere, first: check.first })
  if (check.records === 0 && check.faults.length === 0 && gone === null)
    throw new AppError('missing', because('audit_no_log', { folder }))
  for (const { kind, file, line } of check.faults) context.err(`${file}:${line}: ${WORDS[kind]}\n`)
  if (gone !== null) context.err(`${gone}\n`)
  const { seq, hash } = check.head ?? { seq: 0, hash: '' }
  context.out(`${check.records} records, the last is ${seq}: ${hash}\n`)
  return gone !== null || check.faults.some(({ kind }) => kind !== 'torn') ? 3 : 0
}

/** A sentence about lines that the anchor knows of and the log has no more; null when nothing is missing. */
function goneOf({ from, seq }: Anchor, { isThere, first }: { isThere: boolean; first: number | null }): string | null {
  if (first !== null && first > from) return `${AUDIT_LOG}: records ${from} to ${first - 1}, the oldest, are gone`
  // An anchor of a generation that was thrown away since tells of the beginning alone.
  if (isThere || (first !== null && seq < first)) return null
  return `${AUDIT_LOG}: it had ${seq} records before, and record ${seq} is gone: lines were taken away, or all was written anew`
}
