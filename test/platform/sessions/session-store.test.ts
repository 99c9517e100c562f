import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { token } from '../../../src/cli/token.ts'
import type { VerbContext } from '../../../src/cli/verb.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { claimCode, readClaimCode } from '../../../src/platform/sessions/claim-code.ts'
import { readSessionFile, writeSessionFile } from '../../../src/platform/sessions/session-file.ts'
import { SESSION_FILE, SessionStore } from '../../../src/platform/sessions/session-store.ts'
import { note } from '../../helpers/in-words.ts'
import { runnable } from '../../helpers/runnable.ts'

const DAY = 86_400_000
/** The least the file may hold: the tests are about everything but this. */
const cost = { n: 2 ** 14, r: 8, p: 1 } as const

t.test('a claim code is eight characters nobody can mistake, read however it is typed', async (t) => {
  t.equal(claimCode(Buffer.from([0, 0, 0, 0, 0])), '0000-0000')
  t.equal(claimCode(Buffer.from([255, 255, 255, 255, 255])), 'ZZZZ-ZZZZ')
  t.equal(claimCode(Buffer.from([0x08, 0x86, 0x42, 0x98, 0xe8])), '1234-5678')
  for (let nth = 0; nth < 200; nth++) {
    const code = claimCode(randomBytes(5))
    t.match(code, /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
    t.equal(readClaimCode(code.toLowerCase().replace('-', ' ')), code)
    t.equal(readClaimCode(code.replaceAll('0', 'o').replaceAll('1', 'l')), code)
  }
})

t.test('the operator', async (t) => {
  t.test('who is asked to end while a code is made leaves no code behind', async (t) => {
    const store = new SessionStore({ folder: t.testdir({}), cost })
    const ask = new AbortController()
    const made = store.newClaim({ asked: ask.signal })
    ask.abort('SIGTERM')
    t.equal(await made, null)
    t.same(await store.state(), { claimed: false, offered: false, problem: null })
  })

  t.test('claims the station once, with the newest code; the file, mode 0600, holds hashes alone', async (t) => {
    const folder = t.testdir({})
    const store = new SessionStore({ folder, now: () => 0 })
    t.same(await store.state(), { claimed: false, offered: false, problem: null })
    await t.rejects(store.claim('0000-0000', 'long enough'), { code: 'conflict' }, 'before there is a code')
    await t.rejects(store.signIn('long enough'), { code: 'conflict' })
    const old = await store.newClaim()
    const code = await store.newClaim()
    t.same(await store.state(), { claimed: false, offered: true, problem: null })
    await t.rejects(store.claim(old, 'long enough'), { code: 'unauthenticated' })
    await t.rejects(store.claim(code, 'seven 7'), { code: 'invalid' })
    await t.rejects(store.claim(code, 'x'.repeat(1025)), { code: 'invalid' })
    const token = await store.claim(code.toLowerCase(), 'long enough')
    t.match(token, /^[\w-]{43}$/)
    t.ok(await store.verify(token))
    await t.rejects(store.claim(code, 'another one'), { code: 'conflict' }, 'a code works once')
    await t.rejects(store.newClaim(), { code: 'conflict' })
    const text = readFileSync(join(folder, SESSION_FILE), 'utf8')
    for (const secret of [code, token, 'long enough']) t.notMatch(text, secret)
    t.equal(statSync(join(folder, SESSION_FILE)).mode & 0o777, 0o600)
    t.match(JSON.parse(text), {
      claim: null,
      passphrase: { n: 16384, r: 8, p: 5 },
      sessions: [{ hash: /^[0-9a-f]{64}$/ }]
    })
  })

  t.test('counts characters as people do, and keyboards that compose letters are the same', async (t) => {
    const store = new SessionStore({ folder: t.testdir({}), cost })
    await t.rejects(store.claim(await store.newClaim(), '😀😀😀😀😀😀😀'), { code: 'invalid' }, 'seven characters')
    await store.claim(await store.newClaim(), 'Zu\u0308rich am See')
    t.ok(await store.signIn('Zürich am See'))
  })

  t.test('signs in by passphrase, again after a restart, and another process sees it', async (t) => {
    const folder = t.testdir({})
    const store = new SessionStore({ folder, cost })
    const first = await store.claim(await store.newClaim(), 'correct horse')
    for (const wrong of ['', 'correct hors', 'correct horse ', 'x'.repeat(100_000)])
      await t.rejects(store.signIn(wrong), { code: 'unauthenticated' }, wrong.slice(0, 20))
    const second = await store.signIn('correct horse')
    t.not(second, first)
    const restarted = new SessionStore({ folder, cost })
    for (const token of [first, second]) t.ok(await restarted.verify(token))
    for (const wrong of ['', first.slice(1), `${first}x`, first.toLowerCase(), 'x'.repeat(10_000)])
      t.notOk(await restarted.verify(wrong), wrong.slice(0, 20))
    await store.signOut(first)
    await store.signOut('nobody')
    t.notOk(await restarted.verify(first))
    t.ok(await restarted.verify(second))
  })

  t.test('changes the passphrase: every other session ends', async (t) => {
    const store = new SessionStore({ folder: t.testdir({}), cost })
    const old = [await store.claim(await store.newClaim(), 'correct horse'), await store.signIn('correct horse')]
    await t.rejects(store.changePassphrase('wrong horse', 'battery staple'), { code: 'unauthenticated' })
    await t.rejects(store.changePassphrase('correct horse', 'short'), { code: 'invalid' })
    for (const token of old) t.ok(await store.verify(token), 'nothing has changed yet')
    const own = await store.changePassphrase('correct horse', 'battery staple')
    for (const token of old) t.notOk(await store.verify(token))
    t.ok(await store.verify(own))
    await t.rejects(store.signIn('correct horse'), { code: 'unauthenticated' })
    t.ok(await store.signIn('battery staple'))
    const code = await store.newClaim({ reset: true })
    t.notOk(await store.verify(own), 'a reset ends them all')
    await t.rejects(store.signIn('battery staple'), { code: 'conflict' })
    t.ok(await store.claim(code, 'battery staple'))
  })
})

t.test('a session lives for 30 days after its last use, and at most 20 live', async (t) => {
  let now = Date.parse('2026-07-01T00:00:00Z')
  const folder = t.testdir({})
  const store = new SessionStore({ folder, now: () => now, cost })
  const used = await store.claim(await store.newClaim(), 'correct horse')
  const unused = await store.signIn('correct horse')
  now += 20 * DAY
  t.ok(await store.verify(used))
  now += 20 * DAY
  t.ok(await store.verify(used), 'day 40, used on day 20')
  t.notOk(await store.verify(unused), 'day 40, never used')
  const before = readFileSync(join(folder, SESSION_FILE), 'utf8')
  now += 3_600_000
  t.ok(await store.verify(used))
  t.equal(readFileSync(join(folder, SESSION_FILE), 'utf8'), before, 'not each use is written down')
  const tokens: string[] = []
  for (let nth = 0; nth < 20; nth++) {
    now += 1000
    tokens.push(await store.signIn('correct horse'))
  }
  t.notOk(await store.verify(used), 'the one not used for longest made room')
  for (const token of tokens) t.ok(await store.verify(token))
  t.equal(JSON.parse(readFileSync(join(folder, SESSION_FILE), 'utf8')).sessions.length, 20)
  now += 31 * DAY
  t.notOk(await store.verify(tokens[0] ?? ''))
  await store.signIn('correct horse')
  t.equal(JSON.parse(readFileSync(join(folder, SESSION_FILE), 'utf8')).sessions.length, 1, 'the others are gone')
})

for (const [name, text] of [
  ['torn', '{"claim": null, "passph'],
  ['of another shape', '{"sessions": {}}'],
  ['with a hash that is none', '{"passphrase": {"salt": "00", "hash": "00", "n": 16384, "r": 8, "p": 5}}'],
  [
    'with a cost nobody could pay',
    `{"passphrase": {"salt": "${'0'.repeat(32)}", "hash": "${'0'.repeat(64)}", "n": 1073741824, "r": 8, "p": 5}}`
  ],
  ['with a time that is none', `{"sessions": [{"hash": "${'0'.repeat(64)}", "created_at": "", "seen_at": "soon"}]}`],
  ['a list', '[]']
] as const) {
  t.test(`a file that is ${name} signs nobody in and is not written over; a new claim puts it aside`, async (t) => {
    const folder = t.testdir({})
    const file = join(folder, SESSION_FILE)
    const warned: unknown[] = []
    const store = new SessionStore({ folder, cost, log: { warn: (line: unknown) => void warned.push(line) } as never })
    const token = 'x'.repeat(43)
    writeFileSync(file, text)
    t.equal(await store.verify(token), false)
    t.match(await store.state(), { claimed: false, offered: false, problem: SESSION_FILE })
    const changes = [
      () => store.signIn('correct horse'),
      () => store.claim('0', 'correct horse'),
      () => store.signOut(token)
    ]
    for (const change of changes)
      await t.rejects(async () => void (await change()), { code: 'unavailable', message: 'lookout token claim' })
    t.equal(readFileSync(file, 'utf8'), text)
    t.ok(await store.claim(await store.newClaim(), 'battery staple'))
    t.equal(readFileSync(`${file}.bad`, 'utf8'), text)
    t.equal(warned.length, 1)
  })
}

t.test('a full disk keeps nobody out who is signed in', async (t) => {
  let now = 0
  let full: Error | null = null
  const warned: unknown[] = []
  const store = new SessionStore({
    folder: t.testdir({}),
    now: () => now,
    cost,
    log: { warn: (line: unknown) => void warned.push(line) } as never,
    write: async (path, file) => {
      if (full !== null) throw full
      await writeSessionFile(path, file)
    }
  })
  const token = await store.claim(await store.newClaim(), 'correct horse')
  now += DAY
  const failures = [new AppError('no-space', note('full')), Object.assign(new Error('worn out'), { code: 'EIO' })]
  for (const failure of failures) {
    full = failure
    t.ok(await store.verify(token), failure.message)
    await t.rejects(store.signIn('correct horse'), failure)
  }
  t.equal(warned.length, failures.length)
  full = new TypeError('a bug')
  await t.rejects(store.verify(token), TypeError)
})

t.test('lookout token claim shows a new code; what is claimed is given up only with --new', async (t) => {
  const folder = join(t.testdir({}), 'made', 'when missing')
  const said = { out: '', err: '' }
  const claim = (...args: string[]) => {
    Object.assign(said, { out: '', err: '' })
    const context = {
      env: {},
      out: (text: string) => {
        said.out += text
      },
      err: (text: string) => {
        said.err += text
      }
    }
    return token(['claim', '--data', folder, ...args], context as unknown as VerbContext)
  }
  const store = new SessionStore({ folder, cost })
  t.equal(await claim(), 0)
  t.match(said.out, /^[0-9A-Z]{4}-[0-9A-Z]{4}\n$/)
  const session = await store.claim(said.out.trim(), 'correct horse')
  await t.rejects(claim(), { code: 'bad-input', message: '--new' })
  t.equal(said.out, '')
  t.ok(await store.verify(session))
  t.equal(await claim('--new'), 0)
  t.notOk(await store.verify(session))
  t.ok(await store.claim(said.out.trim(), 'battery staple'))
})

t.test('whenever the program is killed while it writes, the file is whole', async (t) => {
  const folder = t.testdir({})
  const { flags, file: source } = runnable('src/platform/sessions/session-file.ts')
  const script = `
    const { NOTHING, writeSessionFile } = await import(${JSON.stringify(source)})
    const time = new Date().toISOString()
    for (let nth = 0; ; nth++) {
      const hash = String(nth % 10).repeat(64)
      const sessions = Array.from({ length: 1 + (nth % 20) }, () => ({ hash, created_at: time, seen_at: time }))
      await writeSessionFile(process.argv[1], { ...NOTHING, sessions })
      if (nth === 0) process.stdout.write('writing')
    }`
  const file = join(folder, SESSION_FILE)
  for (const wait of [0, 7, 19, 31, 53]) {
    const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', script, file])
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await new Promise((resolve) => setTimeout(resolve, wait))
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGKILL')
    await ended
    const { sessions } = await readSessionFile(file)
    t.ok(sessions.length > 0, `${sessions.length} sessions after ${wait} ms`)
    t.equal(new Set(sessions.map(({ hash }) => hash)).size, 1, 'of one write')
  }
  const store = new SessionStore({ folder, cost })
  t.ok(await store.claim(await store.newClaim(), 'correct horse'), 'and goes on from there')
  t.ok(existsSync(file))
  t.ok(readdirSync(folder).every((name) => name.startsWith('.session.json.') || name === SESSION_FILE))
})

t.test('a code by radio is good once and for 15 minutes, and changes nothing before it is used', async (t) => {
  let now = 1000
  const store = new SessionStore({ folder: t.testdir({}), cost, now: () => now })
  const before = await store.claim(await store.newClaim(), 'the first one')
  const late = await store.offerOnce()
  t.match(await store.state(), { claimed: true, renewable: true })
  now += 15 * 60_000
  t.equal((await store.state()).renewable, undefined)
  await t.rejects(store.claim(late, 'another one'), { code: 'conflict' })
  t.ok(await store.verify(before))
  const old = await store.offerOnce()
  const code = await store.offerOnce()
  await t.rejects(store.claim(old, 'another one'), { code: 'unauthenticated' }, 'the newest counts')
  await t.rejects(store.claim(code, 'short'), { code: 'invalid' })
  t.ok(await store.verify(await store.claim(code, 'another one')))
  t.notOk(await store.verify(before), 'every other session has ended')
  await t.rejects(store.claim(code, 'a third one'), { code: 'conflict' }, 'it works once')
  await t.rejects(store.signIn('the first one'), { code: 'unauthenticated' })
})

t.test('ten wrong guesses end a code by radio', async (t) => {
  const store = new SessionStore({ folder: t.testdir({}), cost, now: () => 0 })
  await store.claim(await store.newClaim(), 'the first one')
  const code = await store.offerOnce()
  for (let nth = 0; nth < 10; nth++)
    await t.rejects(store.claim('0000-0000', 'another one'), { code: 'unauthenticated' })
  await t.rejects(store.claim(code, 'another one'), { code: 'conflict' })
})
