import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { verifyLog } from '../../../src/cli/verify-log.ts'
import { because } from '../../../src/model/reason.ts'
import { AUDIT_ANCHOR } from '../../../src/platform/audit/anchor.ts'
import { AUDIT_LOG, AuditLog } from '../../../src/platform/audit/audit-log.ts'
import { ChainCheck } from '../../../src/platform/audit/chain.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { LOCK_FILE } from '../../../src/platform/files/known-folder.ts'
import { eventually } from '../../helpers/process.ts'

const NOW = Date.parse('2026-07-01T12:00:00Z')

function open(t: Test, folder = t.testdir({})) {
  const clock = new VirtualClock(NOW)
  const warned: unknown[] = []
  const audit = new AuditLog({
    folder,
    clock,
    log: { warn: (...said: unknown[]) => void warned.push(said), info: () => undefined }
  })
  t.teardown(() => audit.close())
  return { audit, clock, folder, warned, path: join(folder, AUDIT_LOG) }
}

const signedIn = (from: string) => ({ by: 'operator', what: because('audit_signed_in', { from }) })

async function verified(folder: string): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const code = await verifyLog(['--data', folder], {
    language: 'en',
    env: {},
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    }
  })
  return { code, out, err }
}

function faultsIn(text: string): string[] {
  const check = new ChainCheck()
  const lines = text.split('\n').filter((line, index, all) => index < all.length - 1 || line !== '')
  for (const [index, line] of lines.entries()) check.take(line, { file: AUDIT_LOG, line: index + 1 })
  check.end()
  return check.faults.map(({ kind, line }) => `${kind} ${line}`)
}

t.test('what somebody does is in the file at once, what leaves by itself within seconds', async (t) => {
  const { audit, clock, path } = open(t)
  audit.add(signedIn('10.0.0.1'))
  t.match(readFileSync(path, 'utf8'), /"from":"10\.0\.0\.1"/)
  audit.note({ by: 'station', what: because('audit_message_left', { id: 7, channel: 'mt:3', radio: 'a' }) })
  t.notMatch(readFileSync(path, 'utf8'), /mt:3/)
  await clock.runTo(NOW + 5000)
  t.match(readFileSync(path, 'utf8'), /mt:3/)
  t.equal(statSync(path).mode & 0o777, 0o600)
})

t.test('an empty folder in the place of a disk that was pulled gets no log: its records wait', async (t) => {
  const folder = join(t.testdir({ data: { [LOCK_FILE]: '' } }), 'data')
  const { audit, path, warned } = open(t, folder)
  renameSync(folder, `${folder}-pulled`)
  mkdirSync(folder)
  audit.add(signedIn('10.0.0.1'))
  t.equal(existsSync(path), false)
  t.equal(warned.length, 1)
  rmSync(folder, { recursive: true })
  renameSync(`${folder}-pulled`, folder)
  audit.add(signedIn('10.0.0.2'))
  t.match(readFileSync(path, 'utf8'), /10\.0\.0\.1".*\n.*10\.0\.0\.2"/)
})

t.test('a log that nobody touched is whole, over restarts and generations', async (t) => {
  const { audit, folder, path } = open(t)
  for (let n = 0; n < 5; n++) audit.add(signedIn(`10.0.0.${n}`))
  audit.close()
  const again = open(t, folder).audit
  again.add(signedIn('10.0.0.9'))
  t.match(await verified(folder), { code: 0, out: /^6 records, the last is 6: [0-9a-f]{64}\n$/, err: '' })
  t.same(
    (await again.newest(2)).map(({ seq, what }) => [seq, what.params['from']]),
    [
      [6, '10.0.0.9'],
      [5, '10.0.0.4']
    ]
  )
  t.same(
    (await again.newest(2, 3)).map(({ seq }) => seq),
    [2, 1]
  )
  const long = 'x'.repeat(60_000)
  for (let n = 0; n < 40; n++) again.add({ ...signedIn('10.0.0.1'), more: { long } })
  t.ok(statSync(`${path}.1`).size > 2 ** 21)
  t.match(await verified(folder), { code: 0, err: '' })
  t.equal((await again.newest(500)).length, 46)
  again.close()
  // The older half is gone one day: what is left is whole by itself.
  const third = open(t, folder).audit
  for (let n = 0; n < 40; n++) third.add({ ...signedIn('10.0.0.1'), more: { long } })
  t.match(await verified(folder), { code: 0, err: '' })
})

t.test('a line that was changed, taken out, put in or moved is found', async (t) => {
  const { audit, folder, path } = open(t)
  for (let n = 1; n <= 6; n++) audit.add(signedIn(`10.0.0.${n}`))
  audit.close()
  const whole = readFileSync(path, 'utf8')
  const lines = whole.trimEnd().split('\n')
  t.same(faultsIn(whole), [])
  const damaged = (change: (lines: string[]) => void): string[] => {
    const copy = [...lines]
    change(copy)
    return faultsIn(`${copy.join('\n')}\n`)
  }
  t.same(
    damaged((copy) => copy.splice(2, 1, (copy[2] ?? '').replace('10.0.0.3', '10.0.0.7'))),
    ['broken_line 3']
  )
  t.same(
    damaged((copy) => copy.splice(2, 1)),
    ['changed 3']
  )
  t.same(
    damaged((copy) => copy.splice(2, 0, copy[2] ?? '')),
    ['changed 4']
  )
  t.same(
    damaged((copy) => copy.splice(1, 2, copy[2] ?? '', copy[1] ?? '')).map((fault) => fault.split(' ')[0]),
    ['changed', 'changed', 'changed']
  )
  writeFileSync(path, whole.replace('10.0.0.3', '10.0.0.8'))
  t.match(await verified(folder), { code: 3, err: /^audit\.log:3: is no record any more/ })
})

t.test('no change of one byte goes unseen, but of the end of the last line', async (t) => {
  const { audit, path } = open(t)
  for (let n = 1; n <= 4; n++) audit.add(signedIn(`10.0.0.${n}`))
  audit.close()
  const whole = readFileSync(path)
  const last = whole.lastIndexOf(0x0a, whole.length - 2)
  fc.assert(
    fc.property(fc.nat(last - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const copy = Buffer.from(whole)
      copy[at] = ((copy[at] ?? 0) + by) % 256
      return faultsIn(copy.toString('latin1')).length > 0
    })
  )
  t.pass('every one of them')
})

t.test('a line that a power cut tore is told as that, and the next record goes on behind it', async (t) => {
  const { audit, folder, path } = open(t)
  audit.add(signedIn('10.0.0.1'))
  audit.add(signedIn('10.0.0.2'))
  audit.close()
  appendFileSync(path, '{"seq":3,"at":"2026-07-0')
  t.match(await verified(folder), { code: 0, err: /^audit\.log:3: was cut off/ })
  const again = open(t, folder).audit
  again.add(signedIn('10.0.0.3'))
  t.match(await verified(folder), { code: 0, out: /^3 records, the last is 3/, err: /^audit\.log:3: was cut off/ })
})

t.test('a disk that takes nothing keeps nobody from anything, and what waited is written later', async (t) => {
  const { audit, folder, path, warned } = open(t)
  audit.add(signedIn('10.0.0.1'))
  audit.close()
  const second = open(t, `${folder}/not-there`)
  second.audit.add(signedIn('10.0.0.2'))
  second.audit.add(signedIn('10.0.0.3'))
  t.equal(second.warned.length, 1, 'told once')
  t.same(warned, [])
  chmodSync(path, 0o600)
  t.match(await verified(folder), { code: 0, out: /^1 records/ })
})

/** A log of ten records that was ended in order. */
async function ended(t: Test) {
  const { audit, folder, path } = open(t)
  for (let nth = 1; nth <= 10; nth++) audit.add(signedIn(`10.0.0.${nth}`))
  audit.close()
  t.match(await verified(folder), { code: 0, err: '' })
  return { folder, path, text: readFileSync(path, 'utf8') }
}

t.test('lines that were taken away at an end of the log are missed', async (t) => {
  const { folder, path, text } = await ended(t)
  const lines = text.split('\n').slice(0, -1)
  const left = async (some: readonly string[]) => {
    writeFileSync(path, some.map((line) => `${line}\n`).join(''))
    return verified(folder)
  }
  t.match(await left(lines.slice(0, -1)), { code: 3, err: /it had 10 records before, and record 10 is gone/ })
  t.match(await left(lines.slice(0, 3)), { code: 3, err: /record 10 is gone/ })
  t.match(await left(lines.slice(2)), { code: 3, err: /records 1 to 2, the oldest, are gone/ })
  t.match(await left([]), { code: 3, err: /record 10 is gone/ })
  rmSync(path)
  t.match(await verified(folder), { code: 3, err: /record 10 is gone/ })
})

t.test('a log that was written anew from its first line on is missed, though its chain holds', async (t) => {
  const { folder, path } = await ended(t)
  mkdirSync(join(folder, 'other'))
  const other = open(t, join(folder, 'other'))
  for (let nth = 1; nth <= 12; nth++) other.audit.add(signedIn(`10.9.9.${nth}`))
  writeFileSync(path, readFileSync(other.path))
  t.same(faultsIn(readFileSync(path, 'utf8')), [])
  t.match(await verified(folder), { code: 3, err: /all was written anew/ })
})

t.test('what was taken away while nothing ran stays told: the next records do not close the gap', async (t) => {
  const { folder, path, text } = await ended(t)
  writeFileSync(path, text.split('\n').slice(0, 4).join('\n').concat('\n'))
  const { audit } = open(t, folder)
  audit.add(signedIn('10.0.0.99'))
  const [newest, cut] = await audit.newest(2)
  t.match(newest, { seq: 6, what: { code: 'audit_signed_in' } })
  t.match(cut, { seq: 5, by: 'station', what: { code: 'audit_cut', params: { had: 10, left: 4 } } })
  audit.close()
  t.match(await verified(folder), { code: 3, err: /audit\.log:5: the station noticed here/ })
  const { audit: again } = open(t, folder)
  again.add(signedIn('10.0.0.98'))
  t.match(await again.newest(1), [{ seq: 7 }], 'and it is told once')
})

t.test('while the station runs the log is anchored some minutes after a record, and not at rest', async (t) => {
  const { audit, clock, folder } = open(t)
  const anchor = join(folder, AUDIT_ANCHOR)
  audit.add(signedIn('10.0.0.1'))
  t.notOk(existsSync(anchor))
  await clock.runTo(NOW + 10 * 60_000)
  await eventually('the anchor', async () => existsSync(anchor))
  t.match(JSON.parse(readFileSync(anchor, 'utf8')), { from: 1, seq: 1 })
  t.equal(statSync(anchor).mode & 0o777, 0o600)
  rmSync(anchor)
  await clock.runTo(NOW + 3_600_000)
  t.notOk(existsSync(anchor))
})

t.test('a log without an anchor, or with half of one, is no fault', async (t) => {
  const { folder } = await ended(t)
  for (const half of ['', '{"seq":', 'null', '{"seq":10}']) {
    writeFileSync(join(folder, AUDIT_ANCHOR), half)
    t.match(await verified(folder), { code: 0 }, half)
  }
})

t.test('without a log verify-log says so', async (t) => {
  await t.rejects(verified(t.testdir({})), { code: 'missing', message: /no audit\.log/ })
  await t.rejects(verifyLog(['x'], { language: 'en', env: {}, out: () => undefined, err: () => undefined }), {
    code: 'usage'
  })
})
