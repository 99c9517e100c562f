import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { revisionOf } from '../../src/platform/bytes/canonical-json.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import type { JsonObject } from '../../src/platform/config/json.ts'
import { AppError } from '../../src/platform/errors.ts'
import { type ConfigFileSystem, configFileSystem } from '../../src/settings/adapter.ts'
import { ConfigStore, type ConfigStoreOptions } from '../../src/settings/store.ts'

const SAMPLE = `{
  "station": { "name": "Höhe", "unknown": [1, 2] },
  "x_vendor": { "z": 1, "a": { "10": "b", "9": "a" }, "id": 12345678901234567890, "ratio": 1.0 },
  "notifications": {
    "toggles": { "fire": { "enabled": true, "later": null }, "avalanche": { "min_severity": "critical" } },
    "region_routes": { "enabled": true, "cells": { "fire": { "North": { "mt": 0 } } } },
    "rules": [ { "name": "r", "more": {} } ]
  },
  "coverage": { "areas": [ { "name": "North", "bbox": [-117, 45, -114, 49] } ] }
}
`
const BROKEN = SAMPLE.replace('"mt": 0', '"mt": 9')

interface Folder {
  folder: string
  file: string
  backup: string
  read: () => string
  write: (text: string | Uint8Array) => void
  open: (options?: Partial<ConfigStoreOptions>) => Promise<ConfigStore>
}

function folderWith(test: Pick<typeof t, 'testdir'>, files: Record<string, string | Buffer>): Folder {
  const folder = test.testdir(files)
  const file = join(folder, 'config.json')
  return {
    folder,
    file,
    backup: `${file}.bak`,
    read: () => readFileSync(file, 'utf8'),
    write: (text) => writeFileSync(file, text),
    open: (options = {}) => ConfigStore.open({ folder, ...options })
  }
}

function renameStation(name: string): (raw: JsonObject) => JsonObject {
  return (raw) => ({ ...raw, station: { ...Object(raw['station']), name } })
}

t.test('opening', async (t) => {
  t.test('a missing file means defaults, and nothing is written before the first change', async (t) => {
    const { folder, open } = folderWith(t, {})
    const store = await open()
    t.equal(store.current().station.name, 'Lookout')
    t.same(store.raw(), {})
    t.match(store.status(), { stale: false, problem: null, usingBackup: false, since: null, revision: revisionOf({}) })
    t.same(readdirSync(folder), [])
    await store.update(renameStation('A'))
    t.same(readdirSync(folder), ['config.json'])
    t.equal(statSync(join(folder, 'config.json')).mode & 0o777, 0o600, 'passwords stand in it')
  })

  t.test('makes the data folder', async (t) => {
    const folder = join(t.testdir({}), 'new', 'data')
    await ConfigStore.open({ folder })
    t.ok(statSync(folder).isDirectory())
  })

  t.test('the values are frozen, and a byte order mark is no fault', async (t) => {
    const { open } = folderWith(t, { 'config.json': `\ufeff${SAMPLE}` })
    const store = await open()
    t.throws(() => store.current().coverage.areas.push(Object(null)), TypeError)
    t.throws(() => Object.assign(Object(store.raw()['station']), { name: 'x' }), TypeError)
  })

  const refused: [name: string, text: string | Buffer, line: number, path: string][] = [
    ['empty', '', 1, ''],
    ['torn', SAMPLE.slice(0, 200), 5, ''],
    ['outside of its limits', BROKEN, 6, '/notifications/region_routes/cells/fire/North/mt'],
    ['a list', '[]', 1, ''],
    ['null', ' null', 1, ''],
    ['not UTF-8', Buffer.from('{\n "station": { "name": "H\xf6he" } }', 'latin1'), 2, ''],
    ['nested without end', '['.repeat(100_000), 1, '']
  ]
  for (const [name, text, line, path] of refused) {
    t.test(
      `a file that is ${name} is refused with its place; with a good copy the store opens on that, and says so`,
      async (t) => {
        const { file, write, open } = folderWith(t, { 'config.json': '{}' })
        write(text)
        await t.rejects(open(), { name: 'AppError', code: 'config-refused', message: `${file}:${line}:` })
        writeFileSync(`${file}.bak`, SAMPLE)
        const store = await open({ clock: new VirtualClock(77) })
        t.equal(store.current().station.name, 'Höhe')
        t.match(store.status(), { stale: true, usingBackup: true, since: 77, problem: { file, line, path } })
      }
    )
  }

  t.test('a file torn at any byte never does more than be refused, and the copy saves the start', async (t) => {
    const bytes = Buffer.from(SAMPLE)
    const { write, open, backup } = folderWith(t, {})
    let refusals = 0
    for (let length = 0; length < bytes.length; length++) {
      rmSync(backup, { force: true })
      write(bytes.subarray(0, length))
      const error = await open().then(
        () => null,
        (thrown: unknown) => thrown
      )
      const whole = length >= bytes.length - 1
      if (whole) t.equal(error, null, 'only the last line feed is missing')
      else if (error instanceof AppError && error.code === 'config-refused') refusals++
      else t.fail(`torn at ${length}: ${String(error)}`)
      writeFileSync(backup, SAMPLE)
      const store = await open()
      if (store.status().usingBackup === whole || store.current().coverage.areas.length !== 1)
        t.fail(`torn at ${length}`)
    }
    t.equal(refusals, bytes.length - 1)
  })

  t.test('a file that is gone gives way to its backup, never to the defaults; any change brings it back', async (t) => {
    const { file, read, open } = folderWith(t, { 'config.json.bak': SAMPLE })
    const store = await open()
    t.equal(store.current().station.name, 'Höhe')
    t.match(store.status(), { stale: true, usingBackup: true, locked: false, problem: { code: 'missing', file } })
    await store.refresh()
    t.match(store.status(), { stale: true, problem: { code: 'missing', message: /config\.json\.bak is in force/ } })
    await store.update(renameStation('Back'))
    t.match(JSON.parse(read()), { station: { name: 'Back', unknown: [1, 2] } })
    t.match(store.status(), { stale: false, usingBackup: false })
  })

  t.test('a file that is gone beside a backup that is broken leaves the defaults, and says so', async (t) => {
    const told: unknown[] = []
    const { open } = folderWith(t, { 'config.json.bak': '{' })
    const log = Object.assign(Object.create(null), { warn: (...words: unknown[]) => told.push(words) })
    const store = await open({ log })
    t.equal(store.current().station.name, 'Lookout')
    t.equal(told.length, 1)
  })

  t.test('a broken file beside a broken copy is refused for the fault of the file', async (t) => {
    const { open } = folderWith(t, { 'config.json': BROKEN, 'config.json.bak': '{' })
    await t.rejects(open(), {
      code: 'config-refused',
      issues: [{ path: '/notifications/region_routes/cells/fire/North/mt', code: 'range' }]
    })
  })
})

t.test('a change', async (t) => {
  t.test(
    'touches nothing but its own place: other bytes stay as they were, unknown keys, order and long numbers included',
    async (t) => {
      const { read, open } = folderWith(t, { 'config.json': SAMPLE })
      const store = await open()
      const config = await store.update((raw) => {
        const notifications = Object(raw['notifications'])
        notifications.region_routes = { enabled: false, cells: {} }
        return raw
      })
      t.equal(config.notifications.region_routes.enabled, false)
      t.equal(store.current(), config)
      const without = (text: string): string => text.replace(/"region_routes": \{[\s\S]*?\n {4}"rules"/, '"rules"')
      t.equal(without(read()).replace(/\s/g, ''), without(SAMPLE).replace(/\s/g, ''))
      t.match(read(), '"x_vendor": { "z": 1, "a": { "10": "b", "9": "a" }, "id": 12345678901234567890, "ratio": 1.0 }')
    }
  )

  t.test('may change the document in place or answer a new one, and starts from what is on disk', async (t) => {
    const { read, write, open } = folderWith(t, { 'config.json': '{"b":1,"a":2}' })
    const store = await open()
    write('{"b":1,"hand":true,"a":2}')
    await store.update((raw) => {
      raw['c'] = 3
      return undefined
    })
    t.equal(read().replace(/\s/g, ''), '{"b":1,"hand":true,"a":2,"c":3}')
    await store.update(({ a: _, ...rest }) => rest)
    t.equal(read().replace(/\s/g, ''), '{"b":1,"hand":true,"c":3}')
  })

  t.test('keeps the file before it as .bak; one that changes nothing writes nothing', async (t) => {
    const { file, backup, read, open } = folderWith(t, { 'config.json': SAMPLE })
    const store = await open()
    const before = statSync(file).ino
    await store.update((raw) => raw)
    t.equal(statSync(file).ino, before)
    t.notOk(existsSync(backup))
    await store.update(renameStation('A'))
    t.equal(readFileSync(backup, 'utf8'), SAMPLE)
    const first = read()
    await store.update(renameStation('B'))
    t.equal(readFileSync(backup, 'utf8'), first)
  })

  t.test('that breaks the configuration is refused with pointers, and the file stays', async (t) => {
    const { read, open } = folderWith(t, { 'config.json': SAMPLE })
    const store = await open()
    const breaking = store.update((raw) => ({
      ...raw,
      coverage: { areas: [{ west: 1, south: 'x', east: 2, north: 3 }] }
    }))
    await t.rejects(breaking, { code: 'invalid', issues: [{ path: '/coverage/areas/0/south', code: 'type' }] })
    await t.rejects(
      store.update(() => {
        throw new TypeError('a bug')
      }),
      TypeError
    )
    t.equal(read(), SAMPLE)
    t.notOk(store.status().stale)
  })

  t.test('happens only when If-Match names the present revision of the document it is about', async (t) => {
    const { open } = folderWith(t, { 'config.json': SAMPLE })
    const store = await open()
    const { revision } = store.status()
    await t.rejects(store.update(renameStation('A'), { ifMatch: '"0000000000000000"' }), { code: 'stale' })
    await store.update(renameStation('A'), { ifMatch: `"${revision}"` })
    await t.rejects(store.update(renameStation('B'), { ifMatch: revision }), { code: 'stale' })
    const routes = {
      revisionOf: (config: { notifications: { region_routes: unknown } }) => config.notifications.region_routes
    }
    const ifMatch = revisionOf(store.current().notifications.region_routes)
    t.equal(
      (await store.update(renameStation('B'), { ...routes, ifMatch })).station.name,
      'B',
      'another document changed meanwhile'
    )
  })

  t.test('waits for the one before it: none is lost', async (t) => {
    const { open } = folderWith(t, { 'config.json': '{"n":0}' })
    const store = await open()
    await Promise.all(Array.from({ length: 20 }, () => store.update((raw) => ({ ...raw, n: Number(raw['n']) + 1 }))))
    t.equal(store.raw()['n'], 20)
  })

  t.test('is repeated when somebody saves between reading and writing', async (t) => {
    const { read, write, open } = folderWith(t, { 'config.json': '{"n":0}' })
    const store = await open()
    let runs = 0
    await store.update((raw) => {
      if (runs++ === 0) write('{"n":10}')
      return { ...raw, n: Number(raw['n']) + 1 }
    })
    t.equal(runs, 2)
    t.equal(JSON.parse(read()).n, 11)
    const stubborn = store.update((raw) => {
      write(`{"n":${runs++}00}`)
      return { ...raw, mine: true }
    })
    await t.rejects(stubborn, { code: 'conflict', message: 'at the same moment' })
    t.notMatch(read(), 'mine')
  })
})

t.test(
  'a hand edit while a change is judged is found before anything is written, and the change repeated',
  async (t) => {
    const { folder, file, read } = folderWith(t, { 'config.json': '{"n":0}' })
    let reads = 0
    const readFile = async (path: string): Promise<Uint8Array> => {
      const bytes = await configFileSystem.readFile(path)
      // At the start, before the change, and before the text is written and judged.
      if (path === file && ++reads === 3) setImmediate(() => writeFileSync(file, '{"n":10}'))
      return bytes
    }
    const store = await ConfigStore.open({ folder, fs: { ...configFileSystem, readFile: readFile } })
    let runs = 0
    await store.update((raw) => {
      runs++
      return { ...raw, n: Number(raw['n']) + 1 }
    })
    t.equal(runs, 2)
    t.equal(JSON.parse(read()).n, 11)
  }
)

t.test(
  'who runs by the configuration hears of an edit before it is recorded, and both before whoever saved',
  async (t) => {
    const { open } = folderWith(t, { 'config.json': SAMPLE })
    const store = await open()
    const heard: string[] = []
    store.onEdit(({ before, after, by }) =>
      heard.push(`edit by ${by} ${before === store.raw()} ${after === store.raw()}`)
    )
    store.onChange(({ station }) => heard.push(`change to ${station.name}`))
    await store.update(renameStation('A'), { by: 'ana' })
    t.same(heard, ['change to A', 'edit by ana false true'])
  }
)

t.test('a write that is cut off at any step leaves a good file and a good copy or none', async (t) => {
  for (let cut = 1; cut <= 12; cut++) {
    const { folder, open } = folderWith(t, { 'config.json': SAMPLE, 'config.json.bak': '{}' })
    let steps = 0
    const step =
      <Args extends unknown[], T>(real: (...args: Args) => Promise<T>) =>
      async (...args: Args): Promise<T> => {
        if (++steps >= cut) throw Object.assign(new Error('power cut'), { code: 'EIO' })
        return real(...args)
      }
    const fs: ConfigFileSystem = {
      ...configFileSystem,
      open: step(configFileSystem.open) as ConfigFileSystem['open'],
      rename: step(configFileSystem.rename) as ConfigFileSystem['rename'],
      unlink: step(configFileSystem.unlink) as ConfigFileSystem['unlink']
    }
    const store = await open({ fs })
    const outcome = await store.update(renameStation('A')).then(
      () => 'done',
      () => 'cut'
    )
    t.equal(outcome, steps < cut ? 'done' : 'cut')
    const after = await ConfigStore.open({ folder })
    t.notOk(after.status().stale, `cut at step ${cut}`)
    t.ok(['A', 'Höhe'].includes(after.current().station.name))
    JSON.parse(readFileSync(join(folder, 'config.json.bak'), 'utf8'))
    if (outcome === 'done') t.equal(after.current().station.name, 'A')
  }
})

t.test('a disk without space is told, and the configuration stays', async (t) => {
  const { read, open } = folderWith(t, { 'config.json': SAMPLE })
  const fs = { ...configFileSystem, open: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) }
  const store = await open({ fs })
  await t.rejects(store.update(renameStation('A')), { code: 'no-space' })
  t.equal(store.current().station.name, 'Höhe')
  t.equal(read(), SAMPLE)
})

t.test('a hand edit', async (t) => {
  t.test('shows at the next refresh, without a restart', async (t) => {
    const { write, open } = folderWith(t, { 'config.json': SAMPLE })
    const store = await open()
    write(SAMPLE.replace('"North", "bbox"', '"South", "bbox"'))
    await store.refresh()
    t.equal(store.current().coverage.areas[0]?.name, 'South')
  })

  t.test(
    'that is invalid is told and ignored until it is repaired, never written over, and survives no restart for nothing',
    async (t) => {
      const { file, backup, read, write, open } = folderWith(t, { 'config.json': SAMPLE })
      const store = await open({ clock: new VirtualClock(5) })
      const told: [stale: boolean, name: string][] = []
      store.onChange((config, { stale }) => told.push([stale, config.station.name]))
      write(BROKEN)
      await store.refresh()
      await store.refresh()
      t.match(store.status(), {
        stale: true,
        usingBackup: false,
        since: 5,
        problem: { file, line: 6, column: 73, path: '/notifications/region_routes/cells/fire/North/mt', code: 'range' }
      })
      t.equal(store.current().notifications.region_routes.cells['fire']?.['North']?.mt, 0)
      await t.rejects(store.update(renameStation('A')), {
        code: 'conflict',
        message: `${file}:6:73: /notifications/region_routes/cells/fire/North/mt`
      })
      t.equal(read(), BROKEN)
      t.equal(readFileSync(backup, 'utf8'), SAMPLE, 'the last good text is kept for the next start')
      t.equal((await open()).current().station.name, 'Höhe')
      write(SAMPLE.replace('Höhe', 'Neu'))
      await store.update((raw) => ({ ...raw, more: 1 }))
      t.notOk(store.status().stale)
      t.match(JSON.parse(read()), { more: 1, station: { name: 'Neu' } })
      t.same(told, [
        [true, 'Höhe'],
        [false, 'Neu'],
        [false, 'Neu']
      ])
    }
  )

  t.test('that breaks the file in the middle of a change is not written over', async (t) => {
    const { read, write, open } = folderWith(t, { 'config.json': SAMPLE })
    const store = await open()
    const change = store.update((raw) => {
      write('{ "station": ')
      return { ...raw, x: 1 }
    })
    await t.rejects(change, { code: 'conflict', message: 'not valid' })
    t.equal(read(), '{ "station": ')
  })

  t.test(
    'of the copy never counts: a store on its backup leaves both files alone until the file is repaired',
    async (t) => {
      const { write, read, backup, open } = folderWith(t, { 'config.json': '{', 'config.json.bak': SAMPLE })
      const store = await open()
      await t.rejects(store.update(renameStation('A')), { code: 'conflict' })
      t.equal(read(), '{')
      t.equal(readFileSync(backup, 'utf8'), SAMPLE)
      write('{"station":{"name":"Fixed"}}')
      await store.refresh()
      t.match(store.status(), { stale: false, usingBackup: false, problem: null, since: null })
      t.equal(store.current().station.name, 'Fixed')
    }
  )

  t.test(
    'that removes the file leaves the last good configuration in force; a change brings the file back',
    async (t) => {
      const { file, read, open } = folderWith(t, { 'config.json': SAMPLE })
      const store = await open()
      rmSync(file)
      await store.refresh()
      t.match(store.status(), { stale: true, problem: { code: 'missing' } })
      t.equal(store.current().station.name, 'Höhe')
      t.equal((await open()).current().station.name, 'Höhe', 'a restart finds it too')
      await store.update(renameStation('Back'))
      t.match(JSON.parse(read()), { station: { name: 'Back', unknown: [1, 2] }, x_vendor: { z: 1 } })
      t.notOk(store.status().stale)
    }
  )

  for (const [how, save] of [
    ['in place', (file: string, text: string) => writeFileSync(file, text)],
    [
      'by rename, as editors do',
      (file: string, text: string) => {
        writeFileSync(`${file}~`, text)
        renameSync(`${file}~`, file)
      }
    ]
  ] as const) {
    t.test(`saved ${how} is noticed by watching, more than once`, async (t) => {
      const { file, open } = folderWith(t, { 'config.json': SAMPLE })
      const store = await open({ watch: true })
      t.teardown(() => store.close())
      const alive = setInterval(() => undefined, 1000)
      t.teardown(() => clearInterval(alive))
      for (const name of ['One', 'Two']) {
        const noticed = new Promise<string>((resolve) => {
          const end = store.onChange((config) => {
            end()
            resolve(config.station.name)
          })
        })
        save(file, SAMPLE.replace('Höhe', name))
        t.equal(await noticed, name)
      }
    })
  }

  t.test('a listener that fails does not keep the others from hearing', async (t) => {
    const { write, open } = folderWith(t, { 'config.json': SAMPLE })
    const store = await open()
    let heard = 0
    store.onChange(() => {
      throw new Error('no')
    })
    const end = store.onChange(() => void heard++)
    write('{}')
    await store.refresh()
    t.equal(heard, 1)
    end()
    write('{"a":1}')
    await store.refresh()
    t.equal(heard, 1)
  })
})
