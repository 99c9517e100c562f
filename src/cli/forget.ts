import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { syncNames } from '../platform/database/put-aside.ts'
import { AppError } from '../platform/errors.ts'
import { holdLock } from '../platform/files/data-lock.ts'
import { LOCK_FILE } from '../platform/files/known-folder.ts'
import { HEARD_LOG } from '../warning/outbox/heard-log.ts'
import { verbFolder } from './data-folder.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout forget [--data DIR]

Begins the history of events and messages anew: lookout.db, and heard.log, which knows the same once more, are put into a folder
of their own in the data folder. Settings, documents and archives stay. Stop the station first.
The next start knows of no event: what its sources still list is told again. To go back, stop, and move the files back.

stdout: the folder
exit codes: 0 done · 1 the station runs · 2 usage · 4 there is no history
`

/** The write-ahead log before its database: on its own it says nothing. */
const FILES = ['lookout.db-wal', 'lookout.db-journal', 'lookout.db-shm', 'lookout.db', `${HEARD_LOG}.1`, HEARD_LOG]

/** `lookout forget`: a database that is deleted alone comes back from the log of what was heard (docs/decisions/0020). */
export async function forget(args: string[], context: VerbContext): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { data: { type: 'string' }, help: { type: 'boolean', short: 'h' } }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  const dataFolder = verbFolder(values.data, context, { writes: true })
  const found = FILES.filter((name) => existsSync(join(dataFolder, name)))
  if (found.length === 0) throw new AppError('missing', because('no_history_in', { folder: dataFolder }))
  const release = await holdLock(join(dataFolder, LOCK_FILE))
  try {
    const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    const folder = join(dataFolder, `history-${stamp}`)
    mkdirSync(folder, { mode: 0o700 })
    for (const name of found) renameSync(join(dataFolder, name), join(folder, name))
    syncNames(folder)
    syncNames(dataFolder)
    context.err('The next start knows of no event. Delete the folder when nobody asks for what is in it.\n')
    context.out(`${folder}\n`)
    return 0
  } finally {
    release()
  }
}
