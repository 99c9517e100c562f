import { closeSync, fsyncSync, openSync } from 'node:fs'
import { because } from '../../model/reason.ts'
import { AppError, errorText } from '../errors.ts'
import { Database } from './database.ts'
import { loadDriver } from './sqlite-driver.ts'

/**
 * A whole copy of a database at one moment, made while others write (`VACUUM INTO`), checked and on the disk. No schema is
 * touched: a copy of a file of any version is that version. @throws AppError `unavailable` naming the file.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const Driver = await loadDriver()
  try {
    const source = new Driver(from, { readOnly: true })
    try {
      source.exec('PRAGMA busy_timeout = 5000; PRAGMA cache_size = -4000')
      new Database(source).sql('VACUUM INTO ?').run(to)
    } finally {
      source.close()
    }
    const copy = new Database(new Driver(to, { readOnly: true }))
    const said = copy.sql('PRAGMA quick_check(1)').get()?.['quick_check']
    copy.close()
    if (said !== 'ok') throw new Error(`the copy is damaged: ${String(said)}`)
    const file = openSync(to, 'r+')
    fsyncSync(file)
    closeSync(file)
  } catch (error) {
    throw new AppError('unavailable', because('cannot_copy_database', { path: from, said: errorText(error) }), {
      cause: error
    })
  }
}
