import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { because } from '../../src/model/reason.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { createLog } from '../../src/platform/log/log.ts'
import type { Verdict } from '../../src/station/bundle-check.ts'
import { readUpdateState, UPDATE_STATE } from '../../src/station/update-files.ts'
import { Updates } from '../../src/station/updates.ts'
import { DEPLOY } from '../helpers/installed.ts'
import { eventually } from '../helpers/process.ts'

/** The station's part of an update: it takes a bundle in, has it looked at, asks root, and tells the end once. */

const FACTS = {
  version: '2.0.0',
  arch: 'x64',
  made_at: '2026-01-01T00:00:00Z',
  development: false,
  key: '0123456789abcdef',
  files: 1,
  bytes: 1,
  order: 'newer',
  fits: true
} as const
const XZ = Buffer.concat([Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]), Buffer.alloc(9000, 1)])

interface World {
  folder: string
  audited: string[]
  open: (version?: string) => Promise<Updates>
  clock: VirtualClock
  root: (lines: string) => void
}

function world(t: Test, verdict: Verdict = { facts: FACTS, refused: null }): World {
  const base = t.testdir({ data: {}, stick: {}, root: {} })
  const folder = join(base, 'data')
  const clock = new VirtualClock(1_790_000_000_000)
  const audited: string[] = []
  const state = join(base, 'root/state')
  const open = async (version = '1.0.0'): Promise<Updates> => {
    const updates = await Updates.open({
      dataFolder: folder,
      version,
      clock,
      log: createLog({ level: 'fatal', destination: { write: () => undefined } }),
      audit: { add: ({ what }) => void audited.push(what.code) },
      updateState: state,
      imageMark: join(base, 'root/image'),
      sticks: [join(base, 'stick')],
      check: async () => verdict
    })
    t.teardown(() => updates.close())
    return updates
  }
  return { folder, audited, open, clock, root: (lines) => writeFileSync(state, lines) }
}

async function given(updates: Updates, bytes: Buffer = XZ): Promise<void> {
  const { id } = await updates.uploads.create(bytes.length, {
    filename: 'lookout-2.0.0-linux-x64.tar.xz',
    category: '',
    title: ''
  })
  await updates.uploads.append(id, 0, Readable.from([bytes]))
  await eventually('it is looked at', () => updates.state().busy === null)
}

t.test('an upload is looked at, and root is asked for these very bytes', async (t) => {
  const { open, root, folder, audited } = world(t)
  root('way=page\nstate=idle\nasked=4\n')
  const updates = await open()
  await given(updates)
  t.match(updates.state(), { busy: null, bundle: { facts: { version: '2.0.0' }, refused: null } })
  await updates.install({ older: false, by: 'operator' })
  const sum = createHash('sha256').update(XZ).digest('hex')
  t.equal(readFileSync(join(folder, 'update/request'), 'utf8'), `sha256=${sum}\nolder=no\nasked=5\n`)
  t.equal(updates.state().busy, 'installing')
  t.same(audited, ['audit_update_asked'])
  await t.rejects(updates.install({ older: false, by: 'operator' }), { code: 'conflict' })
  await t.rejects(updates.discard(), { code: 'conflict' })
})

t.test('the end is told once, whichever program runs then, and the bundle goes', async (t) => {
  const { open, root, folder, audited } = world(t)
  root('way=page\nstate=idle\nasked=0\n')
  const updates = await open()
  await given(updates)
  await updates.install({ older: false, by: 'operator' })
  updates.close()
  root('way=page\nstate=done\noutcome=updated\nasked=1\nfrom=1.0.0\nto=2.0.0\nat=1790000000\n')
  const after = await open('2.0.0')
  t.match(after.state(), { busy: null, bundle: null, last: { outcome: 'updated', to: '2.0.0' } })
  t.notOk(existsSync(join(folder, 'update/bundle')))
  await open('2.0.0')
  t.same(audited, ['audit_update_asked', 'audit_update_done'])
})

t.test('a release that was taken back is told while the program runs, and its bundle stays', async (t) => {
  const { open, root, clock, audited } = world(t)
  root('way=page\nstate=idle\nasked=0\n')
  const updates = await open()
  await given(updates)
  await updates.install({ older: false, by: 'operator' })
  root(
    'way=page\nstate=done\noutcome=rolled_back\nreason=update_not_healthy\nsaid=no such column\nasked=1\nfrom=1.0.0\nto=2.0.0\nat=1\n'
  )
  await clock.runTo(clock.now() + 5000)
  await eventually('it is told', () => audited.length === 2)
  t.match(updates.state(), { busy: null, bundle: { facts: {} }, last: { reason: { code: 'update_not_healthy' } } })
})

t.test('what may not be installed is refused before root is asked', async (t) => {
  const { open, root, folder } = world(t, { facts: { ...FACTS, version: '0.9.0' }, refused: null })
  const updates = await open()
  await t.rejects(updates.install({ older: false, by: 'x' }), { code: 'unavailable' }, 'nothing installs here')
  root('way=page\nstate=idle\nasked=0\n')
  await t.rejects(updates.install({ older: false, by: 'x' }), { message: /no bundle/ })
  await given(updates)
  await t.rejects(updates.install({ older: false, by: 'x' }), { message: /older/ })
  t.notOk(existsSync(join(folder, 'update/request')))
  await updates.install({ older: true, by: 'x' })
  t.match(readFileSync(join(folder, 'update/request'), 'utf8'), /older=yes/)
})

t.test('the first bytes say that it is none, and a refusal outlives a restart', async (t) => {
  const { open } = world(t, { facts: null, refused: because('bundle_cut_off') })
  const updates = await open()
  const { id } = await updates.uploads.create(9000, { filename: 'cat.jpg', category: '', title: '' })
  await t.rejects(updates.uploads.append(id, 0, Readable.from([Buffer.alloc(9000, 7)])), { code: 'unsupported' })
  await given(updates)
  t.match((await open()).state().bundle, { refused: { code: 'bundle_cut_off' }, facts: null })
})

t.test('of a stick only what is called like a bundle is offered, and nothing else is read', async (t) => {
  const { open, folder } = world(t)
  const stick = join(folder, '../stick')
  mkdirSync(join(stick, 'usb'))
  writeFileSync(join(stick, 'usb/lookout-2.0.0-linux-x64.tar.xz'), XZ)
  writeFileSync(join(stick, 'usb/secret.txt'), 'x')
  const updates = await open()
  const found = await updates.find()
  t.match(found, [{ path: join(stick, 'usb/lookout-2.0.0-linux-x64.tar.xz'), size: XZ.length }])
  await t.rejects(updates.take(join(stick, 'usb/secret.txt')), { code: 'not-found' })
  await updates.take(found[0]?.path ?? '')
  await eventually('it is here', () => updates.state().busy === null)
  t.match(updates.state().bundle, { size: XZ.length, facts: { version: '2.0.0' } })
})

t.test('an image says that a newer release comes as a newer image, whatever root tells', async (t) => {
  const { open, root, folder } = world(t)
  root('way=page\nstate=idle\nasked=4\n')
  writeFileSync(join(folder, '../root/image'), '')
  const updates = await open()
  t.equal(updates.state().way, 'image')
  await given(updates)
  await t.rejects(updates.install({ older: false, by: 'operator' }), { code: 'unavailable', message: /newer image/ })
  t.notOk(existsSync(join(folder, 'update/request')))
})

t.test('a wish that root did not see is shown again until it is answered', async (t) => {
  const { open, root, folder, clock } = world(t)
  root('way=page\nstate=idle\nasked=4\n')
  const updates = await open()
  await given(updates)
  await updates.install({ older: false, by: 'operator' })
  const request = join(folder, 'update/request')
  const asked = readFileSync(request, 'utf8')
  const shown = async (seconds: number): Promise<boolean> => {
    utimesSync(request, 0, 0)
    for (let left = seconds; left > 0; left -= 5) {
      await clock.runTo(clock.now() + 5000)
      await eventually('the look is over', () => clock.waiting > 0)
    }
    return statSync(request).mtimeMs > 0
  }
  t.ok(await shown(10))
  t.ok(await shown(60))
  t.ok(await shown(60), 'each minute')
  t.equal(readFileSync(request, 'utf8'), asked)
  root('way=page\nstate=running\nasked=5\n')
  await shown(5)
  t.notOk(await shown(120), 'root works at it')
})

t.test('LOOKOUT_UPDATE_STATE is the file in which root tells, for the script of root as for the station', async (t) => {
  const folder = t.testdir()
  const file = join(folder, 'told/of-updates')
  const { status, stderr } = spawnSync('sh', [join(DEPLOY, 'systemd/lookout-update')], {
    env: { PATH: process.env['PATH'], LOOKOUT_UPDATE_STATE: file, LOOKOUT_UPDATE_WISH: join(folder, 'none') },
    encoding: 'utf8'
  })
  t.equal(status, 0, stderr)
  t.match(await readUpdateState(file), { state: 'idle', asked: 0, outcome: null })
})

t.test('without it the script, its unit, the installer, the package and the station mean the same file', async (t) => {
  const text = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8')
  const folder = dirname(UPDATE_STATE)
  t.match(text('systemd/lookout-update'), `state=\${LOOKOUT_UPDATE_STATE:-${UPDATE_STATE}}\n`)
  t.match(text('systemd/lookout-update.service'), `\nStateDirectory=${folder.replace('/var/lib/', '')}\n`)
  t.match(text('../install.sh'), `-e ${UPDATE_STATE} `)
  for (const remover of ['../install.sh', '../scripts/pack-deb.ts'])
    t.match(text(remover), new RegExp(`rm -rf .*${folder}\\b(?!/)`), remover)
})
