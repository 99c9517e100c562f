import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { canonicalJson, revisionMatches, revisionOf } from '../../src/platform/bytes/canonical-json.ts'
import { sha256Hex } from '../../src/platform/bytes/hash.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { Stopper } from '../../src/platform/clock/stopper.ts'
import { atomicFileSystem, placeFile, removeLeftovers, writeFileAtomic } from '../../src/platform/files/atomic-file.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { backoff } from '../../src/platform/net/backoff.ts'
import { runnable } from '../helpers/runnable.ts'
import { shuffledKeys } from '../helpers/shuffle.ts'

function diskError(code: string): Error {
  return Object.assign(new Error(`${code}: made up`), { code })
}

t.test('a file gets its name when its bytes are on the disk, and is there when its name is too', async (t) => {
  const folder = t.testdir({ '.part': 'whole', pack: 'old' })
  const steps: string[] = []
  const fs = {
    open: (async (path: string, flags: string) => {
      const handle = await atomicFileSystem.open(path, flags)
      const sync = handle.sync.bind(handle)
      handle.sync = () => {
        steps.push(`sync ${path === folder ? 'folder' : 'file'}`)
        return sync()
      }
      return handle
    }) as typeof atomicFileSystem.open,
    rename: (from: string, to: string) => {
      steps.push('rename')
      return atomicFileSystem.rename(from, to)
    }
  } as const
  await placeFile(join(folder, '.part'), join(folder, 'pack'), fs as typeof atomicFileSystem)
  t.same(steps, ['sync file', 'rename', 'sync folder'])
  t.same(readdirSync(folder), ['pack'])
  t.equal(readFileSync(join(folder, 'pack'), 'utf8'), 'whole')
})

t.test('an atomic write', async (t) => {
  t.test('replaces the whole file and leaves nothing beside it', async (t) => {
    const folder = t.testdir({ 'a.json': 'old, and longer than the new one' })
    await writeFileAtomic(join(folder, 'a.json'), 'new')
    t.equal(readFileSync(join(folder, 'a.json'), 'utf8'), 'new')
    t.same(readdirSync(folder), ['a.json'])
  })

  t.test('syncs the file before the rename, and the folder after it', async (t) => {
    const folder = t.testdir({ a: 'old' })
    const steps: string[] = []
    const fs: typeof atomicFileSystem = {
      ...atomicFileSystem,
      open: async (path, flags, mode) => {
        const handle = await atomicFileSystem.open(path, flags, mode)
        const sync = handle.sync.bind(handle)
        handle.sync = async () => {
          steps.push(flags === 'r' ? 'sync folder' : 'sync file')
          await sync()
        }
        return handle
      },
      rename: async (from, to) => {
        steps.push('rename')
        await atomicFileSystem.rename(from, to)
      }
    }
    await writeFileAtomic(join(folder, 'a'), 'new', { fs })
    t.same(steps, ['sync file', 'rename', 'sync folder'])
  })

  for (const [step, code, want] of [
    ['open', 'ENOSPC', 'no-space'],
    ['rename', 'EROFS', 'unavailable'],
    ['rename', 'EACCES', 'unavailable']
  ] as const) {
    t.test(
      `that fails in ${step} with ${code} is ${want}, keeps the old file and removes the temporary one`,
      async (t) => {
        const folder = t.testdir({ a: 'old' })
        const fs = { ...atomicFileSystem, [step]: () => Promise.reject(diskError(code)) }
        await t.rejects(writeFileAtomic(join(folder, 'a'), 'new', { fs }), { name: 'AppError', code: want })
        t.equal(readFileSync(join(folder, 'a'), 'utf8'), 'old')
        t.same(readdirSync(folder), ['a'])
      }
    )
  }

  t.test('keeps the mode of the file it replaces, and a mode asked for wins over the umask', async (t) => {
    const folder = t.testdir({ a: 'old' })
    chmodSync(join(folder, 'a'), 0o640)
    await writeFileAtomic(join(folder, 'a'), 'new')
    t.equal(statSync(join(folder, 'a')).mode & 0o777, 0o640)
    await writeFileAtomic(join(folder, 'b'), 'new', { mode: 0o600 })
    t.equal(statSync(join(folder, 'b')).mode & 0o777, 0o600)
  })

  t.test('does not mind a folder that cannot be synced, but does mind one that fails to', async (t) => {
    const folder = t.testdir({})
    const failing = (code: string): typeof atomicFileSystem => ({
      ...atomicFileSystem,
      open: async (path, flags, mode) => {
        const handle = await atomicFileSystem.open(path, flags, mode)
        if (flags === 'r') handle.sync = () => Promise.reject(diskError(code))
        return handle
      }
    })
    await writeFileAtomic(join(folder, 'a'), 'new', { fs: failing('EINVAL') })
    await t.rejects(writeFileAtomic(join(folder, 'a'), 'newer', { fs: failing('EIO') }), {
      code: 'unavailable',
      message: /the disk fails/,
      cause: { code: 'EIO' }
    })
  })

  t.test('leftovers of a power cut go, those in use and other files stay', async (t) => {
    const folder = t.testdir({ '.a.0123.tmp': 'x', '.a.4567.tmp': 'x', '.b.0123.tmp': 'x', a: 'x' })
    utimesSync(join(folder, '.a.0123.tmp'), 1000, 1000)
    await removeLeftovers(join(folder, 'a'), Date.now())
    t.same(readdirSync(folder).sort(), ['.a.4567.tmp', '.b.0123.tmp', 'a'])
  })
})

t.test('canonical JSON', async (t) => {
  t.test('is that of RFC 8785 for its own example', async (t) => {
    const given = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}'
    )
    t.equal(
      canonicalJson(given),
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )
  })

  t.test('sorts keys by UTF-16 code units, also those that look like numbers', async (t) => {
    const given = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7, '10': 8, '9': 9 }
    t.equal(Object.keys(JSON.parse(canonicalJson(given))).length, 9)
    t.equal(canonicalJson(given), '{"\\r":2,"1":4,"10":8,"9":9,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}')
  })

  t.test('is the same for every order of the keys, and says the same value', async (t) => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, seed) => {
        const text = canonicalJson(value)
        t.equal(canonicalJson(shuffledKeys(value, seed)), text)
        t.equal(canonicalJson(JSON.parse(text)), text)
        t.same(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      })
    )
  })

  t.test('refuses what JSON cannot say', async (t) => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, undefined, circle])
      t.throws(() => canonicalJson(value), TypeError)
    const twice = { a: 1 }
    t.equal(canonicalJson([twice, twice]), '[{"a":1},{"a":1}]', 'the same object twice is no circle')
    t.equal(canonicalJson({ a: undefined, b: 1 }), '{"b":1}')
  })

  t.test('gives a revision of 16 hex digits of its SHA-256', async (t) => {
    t.equal(revisionOf({ b: 1, a: [] }), sha256Hex('{"a":[],"b":1}').slice(0, 16))
    t.equal(sha256Hex(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  t.test('an If-Match names a revision bare, quoted, in a list or as *; a weak tag never does', async (t) => {
    for (const field of ['abc', '"abc"', '*', '"x", "abc"']) t.ok(revisionMatches(field, 'abc'), field)
    for (const field of ['', '"ab"', 'W/"abc"', '"abc']) t.notOk(revisionMatches(field, 'abc'), field)
  })
})

t.test('back-off doubles, stays within its limits and is spread', async (t) => {
  const low = { min: 100, max: 1000, random: () => 0 }
  const high = { ...low, random: () => 0.999999 }
  t.same(
    [0, 1, 2, 3, 4, 50].map((attempt) => backoff(attempt, low)),
    [100, 200, 400, 500, 500, 500]
  )
  t.same(
    [0, 1, 2, 3, 4, 5000].map((attempt) => backoff(attempt, high)),
    [200, 400, 800, 1000, 1000, 1000]
  )
  fc.assert(
    fc.property(
      fc.nat(100),
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: 0, max: 1e6 }),
      fc.float({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, min, more, random) => {
        const wait = backoff(attempt, { min, max: min + more, random: () => random })
        return wait >= min && wait <= min + more
      }
    )
  )
})

function logInto(lines: string[]) {
  return createLog({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } })
}

t.test('the log', async (t) => {
  t.test('is JSON lines with the level as a word, and hides what is below its level', async (t) => {
    const lines: string[] = []
    const log = logInto(lines)
    log.debug('not shown')
    log.warn({ radio: 'a' }, 'link closed')
    t.equal(lines.length, 1)
    t.match(JSON.parse(lines[0] ?? ''), {
      level: 'warn',
      name: 'test',
      radio: 'a',
      msg: 'link closed',
      time: /^\d{4}-.*Z$/
    })
  })

  t.test('never shows a secret: at any depth, in children, errors, headers and addresses', async (t) => {
    const lines: string[] = []
    const log = logInto(lines)
    const secret = 'hunter2hunter2hunter2'
    log.info({ a: { b: { c: { smtp_password: secret, psk: secret } } } }, 'x')
    log.child({ token: secret, part: 'feed' }).info('x')
    log.info({ headers: { Authorization: `Bearer ${secret}`, 'set-cookie': secret, 'X-Api-Key': secret } }, 'x')
    log.info({ key: secret, apiKey: secret, private_key: `a"${secret}\\` }, 'x')
    log.error({ err: new Error(`GET https://feed.example/v1?format=csv&key=${secret}&x=1 failed`) }, 'x')
    log.info({ url: `https://me:${secret}@feed.example/` }, `sent with bearer ${secret}`)
    t.equal(lines.length, 6)
    for (const line of lines) {
      t.notMatch(line, secret)
      t.doesNotThrow(() => JSON.parse(line))
    }
    t.match(JSON.parse(lines[0] ?? ''), { a: { b: { c: { smtp_password: '[redacted]', psk: '[redacted]' } } } })
    t.equal(JSON.parse(lines[1] ?? '').part, 'feed')
    t.match(lines[4], 'key=[redacted]&x=1 failed')
  })

  t.test('leaves harmless fields alone', async (t) => {
    const lines: string[] = []
    const fields = {
      dedup_key: 'nws|mt:3',
      keyword: 'fire',
      tokens_used: 5,
      text: 'basic training, "key":"x"',
      monkey: 'y',
      empty: ''
    }
    logInto(lines).info(fields, 'x')
    t.match(JSON.parse(lines[0] ?? ''), fields)
  })
})

t.test('the stopper', async (t) => {
  const setUp = () => {
    const clock = new VirtualClock(0)
    const errors: string[] = []
    const log = {
      error: ((fields: { step: string }, message: string) => void errors.push(`${fields.step}: ${message}`)) as never
    }
    return { clock, errors, stopper: new Stopper({ clock, log }) }
  }

  t.test('stops last in first out, one after the other', async (t) => {
    const { stopper, errors } = setUp()
    const order: string[] = []
    for (const name of ['a', 'b', 'c']) {
      stopper.add(name, async () => {
        order.push(`${name} begins`)
        await Promise.resolve()
        order.push(`${name} ends`)
      })
    }
    t.same(await stopper.stop(), [])
    t.same(order, ['c begins', 'c ends', 'b begins', 'b ends', 'a begins', 'a ends'])
    t.same(errors, [])
  })

  t.test('logs the step that throws, and stops the others', async (t) => {
    const { stopper, errors } = setUp()
    const stopped: string[] = []
    stopper.add('a', () => void stopped.push('a'))
    stopper.add('b', () => {
      throw new Error('no')
    })
    stopper.add('c', () => Promise.reject(new Error('no')))
    t.same(await stopper.stop(), ['c', 'b'])
    t.same(stopped, ['a'])
    t.same(errors, ['c: stopping failed', 'b: stopping failed'])
  })

  t.test('gives a step 2 s and all of them 5 s, and still begins every one', async (t) => {
    const { clock, stopper, errors } = setUp()
    const begun: number[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      stopper.add(name, () => {
        begun.push(clock.now())
        return new Promise(() => undefined)
      })
    }
    const stopping = stopper.stop()
    await clock.runTo(60_000)
    t.same(await stopping, [], 'what is cut off is parked: it has not failed')
    t.same(begun, [0, 2000, 4000, 5000, 5000])
    t.equal(errors.length, 5)
    t.equal(clock.waiting, 0)
  })

  t.test('stops once however often it is asked, and what comes late at once', async (t) => {
    const { stopper } = setUp()
    let stops = 0
    stopper.add('a', () => void stops++)
    await Promise.all([stopper.stop(), stopper.stop()])
    t.equal(stops, 1)
    stopper.add('late', () => void stops++)
    await stopper.stop()
    t.equal(stops, 2)
  })
})

t.test('the log goes to stderr, so that stdout stays clean', async (t) => {
  const { spawnSync } = await import('node:child_process')
  const folder = t.testdir({})
  const script = join(folder, 'log.mjs')
  const { flags, file } = runnable('src/platform/log/log.ts')
  writeFileSync(
    script,
    `import { createLog } from ${JSON.stringify(file)}\ncreateLog({ level: 'info' }).info('ready')\n`
  )
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, script], { encoding: 'utf8' })
  t.equal(stdout, '')
  t.match(stderr, '"msg":"ready"')
})
