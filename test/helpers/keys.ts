import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { knowledgeMigrations } from '../../src/knowledge/catalogue/schema.ts'
import { HealthStore } from '../../src/knowledge/keys/health-store.ts'
import { KeyStore } from '../../src/knowledge/keys/key-store.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'

export interface KeySetup {
  folder: string
  clock: VirtualClock
  db: Database
  store: KeyStore
  errors: unknown[]
  /** Another process on the same folder. */
  again: () => Promise<KeySetup>
  file: () => string
  write: (text: string, mode?: number) => void
  /** Permission bits, such as 600. */
  mode: () => string
}

/** Keys in a folder of their own, on a clock that stands still. */
export async function keySetup(
  t: Test,
  {
    text,
    folder = t.testdir({}),
    clock = new VirtualClock(Date.parse('2026-07-01T12:00:00Z'))
  }: { text?: string; folder?: string; clock?: VirtualClock } = {}
): Promise<KeySetup> {
  const path = join(folder, 'keys.env')
  const write = (content: string, mode = 0o600): void => {
    writeFileSync(path, content)
    chmodSync(path, mode)
  }
  if (text !== undefined) write(text)
  const db = await openDatabase({
    path: join(folder, 'knowledge.db'),
    migrations: knowledgeMigrations,
    synchronous: 'NORMAL'
  })
  t.teardown(() => db.close())
  const errors: unknown[] = []
  const health = new HealthStore({ db, clock, onError: (error) => errors.push(error) })
  const store = new KeyStore({ folder, health, now: () => clock.now() })
  return {
    folder,
    clock,
    db,
    store,
    errors,
    write,
    again: () => keySetup(t, { folder, clock }),
    file: () => (existsSync(path) ? readFileSync(path, 'utf8') : ''),
    mode: () => (statSync(path).mode & 0o777).toString(8)
  }
}
