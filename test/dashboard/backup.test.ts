import t from 'tap'
import type { BackupPort, BackupState } from '../../src/dashboard/server/backups.ts'
import { PartialUploads } from '../../src/knowledge/intake/partial-uploads.ts'
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
  notRestored: null,
  progress: null,
  uploaded: null,
  judging: false,
  fileFailed: null
}
const LAST = {
  at: Date.parse('2026-11-27T00:00:00Z'),
  folder: '/run/lookout-stick/lookout-backups',
  files: 12,
  bytes: 5e6
}

const NO_RECEIVER = {
  partsFolder: '/nowhere/parts',
  settings: { maxBytes: 1 },
  checkSpace: async () => undefined,
  accept: async () => undefined
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
  beginFile = (): void => void this.begun++
  uploads = new PartialUploads({ now: Date.now, receiver: NO_RECEIVER })
  restoreUploaded = async (): Promise<void> => void this.restored.push('uploaded')
  discardUploaded = async (): Promise<void> => {
    this.told = { ...this.told, uploaded: null }
  }
  file = async ({ stamp }: { stamp: string }) => ({
    name: `lookout-backup-${stamp}.tar`,
    bytes: 3,
    content: async function* () {
      yield Buffer.from('tar')
    }
  })
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

t.test('one that was uploaded says what it is before it is put back, and each is downloaded as a file', async (t) => {
  const facts = { stamp: 'S', made_by: '0.9.0', made_at: '2026-11-27T00:00:00Z', files: 7, bytes: 9e6 }
  const backups = new Fake({ uploaded: { name: 'hill.tar', size: 9e6, facts, refused: null } })
  const { ask } = await station(t, { context: { backups } })
  const { text } = await ask('/backup')
  for (const words of ['hill.tar', 'by release 0.9.0', '7 files, all of them in it']) t.match(text, words)
  t.match((await ask('/api/backup')).body, { uploaded: { facts: { stamp: 'S' }, refused: null } })
  t.equal((await ask({ method: 'POST', path: '/api/backup/restore' })).status, 202)
  t.same(backups.restored, ['uploaded'])
  const file = await ask('/api/backup/file?folder=%2Fmedia&stamp=S')
  t.match(file, {
    status: 200,
    text: 'tar',
    headers: { 'content-disposition': 'attachment; filename="lookout-backup-S.tar"' }
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  t.equal((await ask({ method: 'POST', path: '/backup', headers, raw: 'do=discard' })).status, 303)
  t.equal(backups.told.uploaded, null)
})

t.test('a file that is no backup says so where it was uploaded', async (t) => {
  const refused = because('backup_file_cut_off')
  const backups = new Fake({ uploaded: { name: 'hill.tar', size: 9, facts: null, refused } })
  const { ask } = await station(t, { context: { backups } })
  t.match((await ask('/backup')).text, /It cannot be put back:<?[^<]*the file ends too early/)
})

t.test('a guest sees nothing of it and begins none', async (t) => {
  const backups = new Fake({ last: LAST })
  const { ask } = await station(t, { context: { backups } })
  t.notMatch((await ask({ path: '/backup', headers: FROM_AFAR })).text, /lookout-stick|12 files/)
  t.equal((await ask({ path: '/api/backup', headers: FROM_AFAR })).status, 401)
  t.equal((await ask({ method: 'POST', path: '/api/backup', headers: FROM_AFAR })).status, 401)
  t.equal((await ask({ method: 'POST', path: '/api/backup/restore', headers: FROM_AFAR })).status, 401)
  t.equal((await ask({ path: '/api/backup/file?folder=a&stamp=b', headers: FROM_AFAR })).status, 401)
  t.equal((await ask({ method: 'POST', path: '/api/backup/uploads', headers: FROM_AFAR })).status, 401)
  t.equal(backups.begun, 0)
})
