import { statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { because, type Reason } from '../model/reason.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { isBelow } from '../platform/backup/make.ts'
import { AppError } from '../platform/errors.ts'
import { errorCode, writeNewFile } from '../platform/files/atomic-file.ts'
import { tarOf } from '../platform/files/tar.ts'
import { readSettings } from '../settings/environment.ts'
import { verbFolder } from './data-folder.ts'
import { type Contents, supportContents } from './support/contents.ts'
import type { Unread } from './support/unread.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout support-bundle [--data DIR] [--profile NAME] [--out FILE.tar.gz]

One file about this station for whoever helps to mend it: version and machine, the doctor's checks, the settings, the state of
the databases, counts of messages, events and sources. While the station runs, when it is stopped, and when parts of it are broken:
what could not be read is named. Changes nothing in the data folder; never overwrites a file; readable by you alone.

Only what is on a list goes in. Of the settings: switches, choices, intervals, names of regions and families. Never in it: keys,
passphrases, tokens, hosts and paths, e-mail, topics, nodes, names of channels on MeshCore, coordinates, texts, the log.
Without --out: lookout-support-<UTC time>.tar.gz where you are. A database that a station left unclosed is copied to the folder
for temporary files while it is read; one over 256 MiB is not read through.

stdout: the file
exit codes: 0 written, also when parts could not be read · 1 cannot be written · 2 usage, or the file is there already · 4 no data folder
`

/** `lookout support-bundle`. @throws AppError `usage`, `missing`, `no-space`, `unavailable`. */
export async function supportBundle(args: string[], context: VerbContext): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      profile: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  const folder = resolve(verbFolder(values.data, context))
  demandFolder(folder)
  const now = Date.now()
  const name = `lookout-support-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}`
  const file = resolve(values.out ?? `${name}.tar.gz`)
  await demandOutside(file, folder)
  const settings = await readSettings({
    argv: { data: folder, profile: values.profile },
    env: context.env,
    root: context.root
  })
  const { version, language } = context
  const { contents, unread } = await supportContents({ folder, settings, version, language, now })
  await writeNewFile(file, packed(name, contents, now))
  tell({ contents, unread }, context)
  context.out(`${file}\n`)
  return 0
}

/** @throws AppError `missing` when there is no such folder. */
function demandFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) throw new AppError('missing', because('no_data_folder_yet', { folder }))
  if (!found.isDirectory()) throw new AppError('missing', because('is_no_folder', { folder }))
}

/** The data folder stays as it is, whatever links lead into it. @throws AppError `usage`, `unavailable`. */
async function demandOutside(file: string, folder: string): Promise<void> {
  try {
    const place = join(await realpath(dirname(file)), basename(file))
    if (isBelow(place, await realpath(folder)))
      throw new AppError('usage', because('support_outside_of_data', { folder }))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error
    const why = because('folder_not_where_it_was')
    throw new AppError('unavailable', because('cannot_write', { path: file, why }), { cause: error })
  }
}

function packed(name: string, contents: Contents, now: number): Buffer {
  const files = Object.entries(contents).map(([path, told]) => ({
    path: `${name}/${path}`,
    bytes: Buffer.from(`${JSON.stringify(told, null, 2)}\n`)
  }))
  return gzipSync(tarOf(files, now))
}

function tell(
  { contents, unread }: { contents: Contents; unread: readonly Unread[] },
  { err, language }: Pick<VerbContext, 'err' | 'language'>
): void {
  const said: Reason[] = [
    because('support_is_in', { files: Object.keys(contents) }),
    ...unread.map(({ part, why }) => because('support_unread', { part, code: why })),
    because('support_no_secrets')
  ]
  for (const reason of said) err(`${sentenceOf(reason, language)}\n`)
}
