import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { inMegabytes } from '../platform/backup/copy.ts'
import { BackupFolder } from '../platform/backup/manifest.ts'
import { restoreBackup } from '../platform/backup/restore.ts'
import { AppError } from '../platform/errors.ts'
import { progressLine, tellLeftOut } from './backup.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout restore DIR --data NEW [--stamp STAMP]

Writes a backup made by lookout backup into the new or empty folder NEW; every file is checked on the way. It never
writes over a station: look at NEW, then put it in place of the old folder. Run it as the user of the service.
  --stamp STAMP  the folder of one backup, such as 2026-07-01T02-30-00Z; default: the newest
What is searched is made again when the station starts.

stdout: the folder
exit codes: 0 done · 1 failed, damaged or not empty · 2 usage · 4 no backup
`

/** `lookout restore`. */
export async function restore(args: string[], context: VerbContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { data: { type: 'string' }, stamp: { type: 'string' }, help: { type: 'boolean', short: 'h' } }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  const [named, ...more] = positionals
  if (named === undefined || more.length > 0) throw new AppError('usage', because('restore_names_folder'))
  // Not LOOKOUT_DATA: that names the station that is there.
  if (values.data === undefined) throw new AppError('usage', because('restore_names_data'))
  const dataFolder = resolve(values.data)
  const done = await restoreBackup({
    folder: new BackupFolder(resolve(named)),
    dataFolder,
    stamp: values.stamp,
    onProgress: progressLine(context)
  })
  tellLeftOut(done.leftOut, context)
  context.err(`${done.stamp}: ${done.files} files, ${inMegabytes(done.bytes)}\n`)
  context.out(`${dataFolder}\n`)
  return 0
}
