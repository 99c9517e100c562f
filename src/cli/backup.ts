import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { inMegabytes } from '../platform/backup/copy.ts'
import { isBelow, makeBackup } from '../platform/backup/make.ts'
import { BackupFolder, type LeftOut } from '../platform/backup/manifest.ts'
import { prune } from '../platform/backup/prune.ts'
import { verifyBackups } from '../platform/backup/verify.ts'
import { AppError } from '../platform/errors.ts'
import { verbFolder } from './data-folder.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout backup DIR [--data DIR] [--keep N] [--with-keys] [--with-archives]
       lookout backup --verify DIR [--stamp STAMP]

Adds a backup of the data folder to DIR, while the station runs: DIR/<UTC time>/ has the databases, the settings and
manifest.json; DIR/objects/ has every stored file once, by its SHA-256. Earlier backups are never changed: what was
deleted on the station is still in them. Left out: search.db (made again at the next start) and metrics.db.
  --keep N         afterwards remove all but the newest N backups, and files none of them names
  --with-keys      keys.env too: keys of language models, as they are
  --with-archives  archives/, maps/ and addresses.sqlite too: large, and to be had again
  --verify         read all of it and compare every hash; changes nothing

A backup holds passwords and hashes of tokens: DIR is readable by its owner only. Restore: lookout restore --help
stdout: the folder of the new backup
exit codes: 0 done · 1 failed, no space, or something is damaged · 2 usage · 4 no data folder, or no backup
`

/** Lines about progress come no faster. */
const TELL_MS = 2000

/** `lookout backup`. */
export async function backup(args: string[], context: VerbContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      keep: { type: 'string' },
      stamp: { type: 'string' },
      verify: { type: 'boolean' },
      'with-keys': { type: 'boolean' },
      'with-archives': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  const [named, ...more] = positionals
  if (named === undefined || more.length > 0) throw new AppError('usage', because('backup_names_folder'))
  const folder = new BackupFolder(resolve(named))
  if (values.verify) return verify(folder, values.stamp, context)
  if (values.stamp !== undefined) throw new AppError('usage', because('stamp_goes_with_verify'))
  const keep = values.keep === undefined ? null : countOf(values.keep)
  const dataFolder = resolve(verbFolder(values.data, context))
  if (isBelow(folder.path, dataFolder))
    context.err('lookout backup: the backup lies inside the data folder: it is lost together with it\n')
  const asked = { withKeys: values['with-keys'] === true, withArchives: values['with-archives'] === true }
  await make(folder, { dataFolder, ...asked }, context)
  if (keep !== null) await pruneTo(folder, keep, context)
  return 0
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new AppError('usage', because('keep_is_a_number'))
  return Number(text)
}

async function make(
  folder: BackupFolder,
  asked: { dataFolder: string; withKeys: boolean; withArchives: boolean },
  context: VerbContext
): Promise<void> {
  const made = await makeBackup({
    ...asked,
    backupFolder: folder.path,
    version: context.version,
    now: () => Date.now(),
    tell: (text) => context.err(`${text}\n`),
    onProgress: progressLine(context)
  })
  tellLeftOut(made.leftOut, context)
  context.err(`${made.files} files, ${inMegabytes(made.bytes)}, of which ${inMegabytes(made.written)} are new\n`)
  context.out(`${made.folder}\n`)
}

/** Names what is not in a backup, so that nobody believes it is. */
export function tellLeftOut(leftOut: readonly LeftOut[], context: Pick<VerbContext, 'err'>): void {
  for (const { path, reason } of leftOut) context.err(`not in it: ${path} (${reason})\n`)
}

/** Writes a line about progress now and then. */
export function progressLine(
  context: Pick<VerbContext, 'err'>
): (progress: { files: number; ofFiles: number; bytes: number }) => void {
  let told = Date.now()
  return ({ files, ofFiles, bytes }) => {
    if (Date.now() - told < TELL_MS) return
    told = Date.now()
    context.err(`${files} of ${ofFiles} files, ${inMegabytes(bytes)}\n`)
  }
}

async function pruneTo(folder: BackupFolder, keep: number, context: VerbContext): Promise<void> {
  const { stamps, objects, bytes } = await prune(folder, keep)
  if (stamps.length + objects > 0)
    context.err(`removed: ${stamps.join(', ') || 'no backup'}; ${objects} files, ${inMegabytes(bytes)}\n`)
}

async function verify(folder: BackupFolder, stamp: string | undefined, context: VerbContext): Promise<number> {
  let told = Date.now()
  const { stamps, files, damaged } = await verifyBackups(folder, {
    stamp,
    onFile: (count) => {
      if (Date.now() - told < TELL_MS) return
      told = Date.now()
      context.err(`${count} files\n`)
    }
  })
  for (const { stamp: where, path, reason } of damaged) context.out(`${where} ${path}: ${reason}\n`)
  context.err(
    `${stamps.length} backups, ${files} files: ${damaged.length === 0 ? 'all whole' : `${damaged.length} damaged`}\n`
  )
  return damaged.length === 0 ? 0 : 1
}
