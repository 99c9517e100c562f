import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { AUDIT_LOG, linesOf } from '../platform/audit/audit-log.ts'
import { ChainCheck, type ChainFault } from '../platform/audit/chain.ts'
import { AppError } from '../platform/errors.ts'
import { dataFolderOf } from '../settings/environment.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout verify-log [--data DIR]

Checks audit.log, and the older half beside it: every line is sealed with the hash (SHA-256) of the one before, so a line that was
changed, taken out or put in is found. What stands at the end of the file may be cut off unseen: compare the last number and hash
with those you wrote down before.

stdout: the number of records, the number and the hash of the last one
stderr: every place where the chain does not hold, FILE:LINE
exit codes: 0 whole (a line that a power cut tore is told, and is no fault) · 2 usage · 3 not whole · 4 there is no log
`

const WORDS: Readonly<Record<ChainFault['kind'], string>> = {
  broken_line: 'is no record any more: changed or damaged',
  changed: 'does not follow the line before it: a line was taken out, put in or changed',
  torn: 'was cut off while it was written, as by a power cut; nothing else is missing'
}

/** `lookout verify-log`. Answers 0 or 3. @throws AppError `usage`, `missing`. */
export async function verifyLog(args: string[], context: Pick<VerbContext, 'env' | 'out' | 'err'>): Promise<number> {
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
  const folder = dataFolderOf({ argv: { data: values.data }, env: context.env })
  const check = new ChainCheck()
  for (const file of [`${AUDIT_LOG}.1`, AUDIT_LOG]) {
    const lines = await linesOf(join(folder, file))
    for (const [index, line] of lines.entries()) check.take(line, { file, line: index + 1 })
  }
  check.end()
  if (check.records === 0 && check.faults.length === 0)
    throw new AppError('missing', because('audit_no_log', { folder }))
  for (const { kind, file, line } of check.faults) context.err(`${file}:${line}: ${WORDS[kind]}\n`)
  const { seq, hash } = check.head ?? { seq: 0, hash: '' }
  context.out(`${check.records} records, the last is ${seq}: ${hash}\n`)
  return check.faults.some(({ kind }) => kind !== 'torn') ? 3 : 0
}
