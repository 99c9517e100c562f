import t from 'tap'
import type { BackupPort, BackupState } from '../../src/dashboard/server/backups.ts'
import { because } from '../../src/model/reason.ts'
import { FROM_AFAR, station } from './harness.ts'

/** The page and the API of backups that the station makes by itself. */

const NONE: BackupState = {
  every: 'off',
  folder: '/run/lookout-stick',
  busy: false,
  last: null,
  failed: null,
  restore: null,
  notRestored: null
}
const LAST = {
  at: Date.parse('2026-11-27T00:00:00Z'),
  folder: '/run/lookout-stick/lookout-backups',
  files: 12,
  bytes: 5e6
}

class Fake implements BackupPort {
  told: BackupState
  begun = 0
  constructor(told: Partial<BackupState>) {
    this.told = { ...NONE, ...told }
  }
  state = (): BackupState => this.told
  restored: unknown[] = []
  find = async () => [{ folder: '/media/stick/lookout-backups', stamp: '2026-11-27T00-00-00Z' }]
  restore = async (one: object): Promise<void> => void this.restored.push(one)
  begin = (): void => void this.begun++
}

t.test('the operator sees the last good one and why the newest failed, and makes one', async (t) => {
  const failed = { at: LAST.at, reason: because('backup_stick_missing') }
  const backups = new Fake({ every: 'daily', last: LAST, failed })
  const { ask } = await station(t, { context: { backups } })
  const { text } = await ask('/backup')
  for (const words of ['no stick labelled LOOKOUT', 'Last good backup', '12 files', 'every day']) t.match(text, words)
  t.match((await ask('/api/backup')).body, { last: { at: '2026-11-27T00:00:00.000Z' }, failed: { reason: /LOOKOUT/ } })
  t.match((await ask('/api/status')).body.backup, {
    every: 'daily',
    last_good: '2026-11-27T00:00:00.000Z',
    failing: true
  })
  t.equal((await ask({ method: 'POST', path: '/api/backup' })).status, 202)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  t.equal((await ask({ method: 'POST', path: '/backup', headers, raw: '' })).status, 303)
  t.equal(backups.begun, 2)
})

t.test('a guest sees nothing of it and begins none', async (t) => {
  const backups = new Fake({ last: LAST })
  const { ask } = await station(t, { context: { backups } })
  t.notMatch((await ask({ path: '/backup', headers: FROM_AFAR })).text, /lookout-stick|12 files/)
  t.equal((await ask({ path: '/api/backup', headers: FROM_AFAR })).status, 401)
  t.equal((await ask({ method: 'POST', path: '/api/backup', headers: FROM_AFAR })).status, 401)
  t.equal(backups.begun, 0)
})
