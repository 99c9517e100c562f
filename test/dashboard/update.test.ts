import t from 'tap'
import type { UpdatePort, UpdateState } from '../../src/dashboard/server/update.ts'
import { PartialUploads } from '../../src/knowledge/intake/partial-uploads.ts'
import { because } from '../../src/model/reason.ts'
import { type Answer, FROM_AFAR, station } from './harness.ts'

/** The page and the API of updates: only the operator brings a release, and what was found out about it is said before it is installed. */

const FACTS = {
  version: '2.0.0',
  arch: 'arm64',
  made_at: '2026-01-01T00:00:00Z',
  development: false,
  key: '0123456789abcdef',
  files: 812,
  bytes: 2e8,
  order: 'newer',
  fits: true
} as const
const BUNDLE = {
  name: 'lookout-2.0.0-linux-arm64.tar.xz',
  size: 7e7,
  sha256: 'a'.repeat(64),
  facts: FACTS,
  refused: null
}
const IDLE: UpdateState = {
  way: 'page',
  version: '0.1.0',
  platform: 'linux-arm64',
  busy: null,
  bundle: null,
  last: null
}

class Fake implements UpdatePort {
  told: UpdateState
  readonly asked: unknown[] = []
  readonly uploads: PartialUploads
  constructor(told: Partial<UpdateState>, folder = '/nonexistent') {
    this.told = { ...IDLE, ...told }
    const receiver = {
      partsFolder: folder,
      settings: { maxBytes: 100 },
      checkSpace: async () => undefined,
      accept: async () => undefined
    }
    this.uploads = new PartialUploads({ receiver, now: () => 0 })
  }
  state = (): UpdateState => this.told
  find = async () => [{ path: '/media/stick/lookout-2.0.0-linux-arm64.tar.xz', size: 7e7 }]
  take = async (path: string): Promise<void> => void this.asked.push({ path })
  discard = async (): Promise<void> => void this.asked.push('discard')
  install = async (asked: { older: boolean; by: string }): Promise<void> => void this.asked.push(asked)
}

const sent = (raw: string): { method: string; path: string; headers: Record<string, string>; raw: string } => ({
  method: 'POST',
  path: '/update',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  raw
})

t.test('the operator sees release, signature and size, and installs it', async (t) => {
  const updates = new Fake({ bundle: BUNDLE })
  const { ask } = await station(t, { context: { updates } })
  const { text } = await ask('/update')
  for (const words of ['2.0.0', 'newer than the one that runs', '0123456789abcdef', 'Install 2.0.0', '/media/stick/'])
    t.match(text, words)
  t.match(await ask(sent('do=install')), { status: 303, headers: { location: '/update' } })
  t.match(await ask({ method: 'POST', path: '/api/update/install', body: {} }), { status: 200 })
  t.match(updates.asked, [{ older: false }, { older: false }])
})

t.test('a guest sees the release that runs, and changes nothing', async (t) => {
  const updates = new Fake({ bundle: BUNDLE })
  const { ask } = await station(t, { context: { updates } })
  const guest = (question: object): Promise<Answer> =>
    ask({
      path: '/update',
      ...question,
      headers: { ...FROM_AFAR, 'content-type': 'application/x-www-form-urlencoded' }
    })
  const page = await guest({})
  t.equal(page.status, 200)
  t.match(page.text, '0.1.0')
  t.notMatch(page.text, /<form method="post" action="\/update"|tar\.xz/)
  t.equal((await guest(sent('do=install'))).status, 401)
  t.equal((await guest({ path: '/api/update' })).status, 401)
  t.equal(
    (
      await ask({
        method: 'POST',
        path: '/api/update/uploads',
        headers: { ...FROM_AFAR, 'tus-resumable': '1.0.0', 'upload-length': '5' }
      })
    ).status,
    401
  )
  t.same(updates.asked, [])
})

t.test('an older one wants its tick, and one for another board has no button', async (t) => {
  const older = { ...BUNDLE, facts: { ...FACTS, order: 'older' as const } }
  const updates = new Fake({ bundle: older })
  const { ask } = await station(t, { context: { updates } })
  t.match((await ask('/update')).text, /<input type="checkbox" name="older"[^>]*required/)
  await ask(sent('do=install&older=yes'))
  t.match(updates.asked, [{ older: true }])
  updates.told = { ...IDLE, bundle: { ...BUNDLE, facts: { ...FACTS, fits: false } } }
  const { text } = await ask('/update')
  t.match(text, 'another kind of board')
  t.notMatch(text, 'value="install"')
})

t.test('a refused bundle and a release that was taken back say why', async (t) => {
  const refused = { ...BUNDLE, facts: null, refused: because('bundle_cut_off') }
  const last = { outcome: 'rolled_back', from: '0.1.0', to: '2.0.0', at: 1_790_000_000_000 } as const
  const reason = because('update_not_healthy', { said: 'no such column' })
  const { ask } = await station(t, { context: { updates: new Fake({ bundle: refused, last: { ...last, reason } }) } })
  const { text } = await ask('/update')
  t.match(text, 'the file ends too early')
  t.match(text, /Release 2\.0\.0 was taken back.*no such column/)
  t.match((await ask('/api/update')).body, { bundle: { refused: /too early/ }, last: { reason: /no such column/ } })
})

t.test('while it works the page loads itself again', async (t) => {
  const { ask } = await station(t, { context: { updates: new Fake({ busy: 'installing' }) } })
  t.match((await ask('/update')).text, /http-equiv="refresh"/)
})

t.test('where nothing installs a release the page says what to do instead', async (t) => {
  const updates = new Fake({ way: 'by_hand' })
  const { ask } = await station(t, { context: { updates } })
  t.match((await ask('/update')).text, 'npm run build')
  updates.told = { ...IDLE, way: 'package' }
  t.match((await ask('/update')).text, 'sudo apt install')
  updates.told = { ...IDLE, way: 'image' }
  const { text } = await ask('/update')
  t.match(text, 'It comes as a newer image')
  t.match(text, 'href="/backup"')
})
