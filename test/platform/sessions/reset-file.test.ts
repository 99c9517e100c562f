import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createLog } from '../../../src/platform/log/log.ts'
import { findReset } from '../../../src/platform/sessions/reset-file.ts'
import { SessionStore } from '../../../src/platform/sessions/session-store.ts'
import { offerClaim } from '../../../src/station/claim.ts'

const PASSPHRASE = 'correct horse'
const log = createLog({ level: 'silent' })

t.test('a reset file is obeyed once, over restarts too, and again when it is put there anew', async (t) => {
  const folder = t.testdir({ boot: {} })
  const file = join(folder, 'boot', 'lookout-reset')
  t.equal(await findReset(file, folder), null, 'there is none')
  t.equal(await findReset(join(folder, 'none', 'lookout-reset'), folder), null, 'not even its folder')
  writeFileSync(file, '')
  const first = await findReset(file, folder)
  t.match(first, { isNew: true, code: null })
  t.match(await findReset(file, folder), { isNew: true }, 'until it says that it obeyed')
  await first?.obeyed()
  t.match(await findReset(file, folder), { isNew: false })
  utimesSync(file, new Date(), new Date(Date.now() + 5000))
  t.match(await findReset(file, folder), { isNew: true }, 'put there anew')
  rmSync(file)
  mkdirSync(file)
  t.equal(await findReset(file, folder), null, 'a folder is no file')
})

t.test('its first line may be the claim code, as people type one', async (t) => {
  const folder = t.testdir({})
  const file = join(folder, 'lookout-reset')
  for (const [text, code] of [
    ['7KQM-3FXB\n', '7KQM-3FXB'],
    ['7kqm3fxb\r\nput here by Ann\n', '7KQM-3FXB'],
    ['hello\n', null],
    ['7KQM-3FX\n', null],
    ['7KQM-3FXBB\n', null],
    [' \n7KQM-3FXB\n', null],
    ['x'.repeat(4000), null]
  ] as const) {
    writeFileSync(file, text)
    t.equal((await findReset(file, folder))?.code, code, JSON.stringify(text.slice(0, 20)))
  }
  writeFileSync(file, 'x'.repeat(5000))
  t.equal(await findReset(file, folder), null, 'what is that large is something else')
})

t.test(
  'a start with a reset file forgets the passphrase and every session, and offers the code of the file',
  async (t) => {
    const folder = t.testdir({})
    const file = join(folder, 'lookout-reset')
    const told: unknown[] = []
    const start = (): { sessions: SessionStore; code: Promise<string | null> } => {
      const sessions = new SessionStore({ folder })
      const asked = new AbortController().signal
      const options = { mode: 'run', dataFolder: folder, resetFile: file, asked, log } as const
      const audit = { add: (entry: unknown) => void told.push(entry) }
      return { sessions, code: offerClaim({ options, sessions, audit }) }
    }
    const first = start()
    const session = await first.sessions.claim((await first.code) ?? '', PASSPHRASE)
    t.equal(await start().code, null, 'claimed, and no file: nothing happens')

    writeFileSync(file, '7kqm-3fxb\n')
    const reset = start()
    t.equal(await reset.code, '7KQM-3FXB')
    t.equal(await reset.sessions.verify(session), false)
    t.match(told, [{ by: 'reset file', what: { code: 'audit_reset_by_file', params: { file } } }])
    t.throws(() => readFileSync(file), { code: 'ENOENT' }, 'it was removed where that is possible')

    writeFileSync(file, '7kqm-3fxb\n')
    chmodSync(file, 0o444)
    const mark = join(folder, 'reset.obeyed')
    const kept = await findReset(file, folder)
    await kept?.obeyed()
    t.equal(await start().code, '7KQM-3FXB', 'a file that stays is still the code while nobody has claimed')
    const again = start()
    await again.code
    await again.sessions.claim('7KQM-3FXB', 'battery staple')
    t.equal(await start().code, null, 'and is not obeyed again once somebody has')
    t.ok(await again.sessions.signIn('battery staple'))
    t.match(readFileSync(mark, 'utf8'), /^[0-9a-f]{64}\n$/)
    t.equal(told.length, 1)
  }
)

t.test('a preview and a station without such a file obey nothing', async (t) => {
  const folder = t.testdir({ 'lookout-reset': '' })
  const sessions = new SessionStore({ folder })
  const asked = new AbortController().signal
  const token = await sessions.claim(await sessions.newClaim(), PASSPHRASE)
  const file = { resetFile: join(folder, 'lookout-reset') }
  for (const options of [{ mode: 'preview', ...file } as const, { mode: 'run' } as const])
    t.equal(await offerClaim({ options: { ...options, dataFolder: folder, asked, log }, sessions, audit: null }), null)
  t.equal(await sessions.verify(token), true)
})
