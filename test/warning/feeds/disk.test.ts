import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { familyKeys } from '../../../src/model/families.ts'
import { drain } from '../../../src/platform/clock/slices.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import { configSchema } from '../../../src/settings/schema.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import type { SourceSettings } from '../../../src/warning/feeds/common-settings.ts'
import { jsonBodySteps } from '../../../src/warning/feeds/reading/json.ts'
import type { PushKind, PushTools, SourceKind } from '../../../src/warning/feeds/source.ts'
import { Sources } from '../../../src/warning/feeds/sources.ts'
import { inWords } from '../../helpers/in-words.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** Contract §6, "When nothing can be stored", for what is asked and what comes by itself: not only for what is posted. */

const CONFIG = withMatrix({ fire: { North: { mt: 3, mc: 'north' } } }, { toggles: { fire: { cooldown_seconds: 0 } } })

type Item = Record<string, unknown>

/** Invented: `[event, …]`, asked every ten minutes. */
const listed: SourceKind<SourceSettings> = {
  mode: 'poll',
  kind: 'usgs',
  about: 'Invented.',
  defaultIntervalSeconds: 120,
  minIntervalSeconds: 60,
  needsContact: false,
  async poll(settings, tools) {
    const fetched = await tools.fetch({ url: 'http://feed.test/list' })
    if (fetched.state === 'unchanged') return 'unchanged'
    return this.read(fetched.body, settings, tools)
  },
  read: (body, _, { source, receivedAt }) => {
    const { items } = drain(jsonBodySteps(Buffer.from(body).toString(), 'list')) as { items: Item[] }
    return {
      kind: 'list',
      skipped: [],
      updated: null,
      items: items.length,
      events: items.map((item) =>
        parseEventInput(
          { source, family: 'fire', regions: ['North'], ...item },
          { now: receivedAt, families: familyKeys() }
        )
      )
    }
  }
}

interface World {
  s: Station
  sources: Sources
  tools: () => PushTools
  list: (items: Item[]) => void
  /** Lets the clock run, and real work end in between. */
  run: (seconds: number) => Promise<void>
  aired: (words: string) => number
}

async function world(t: Test): Promise<World> {
  const s = await station(t, {
    config: CONFIG,
    databasePath: join(t.testdir({ data: {} }), 'data', 'lookout.db'),
    onError: () => undefined
  })
  let items: Item[] = []
  let tools: PushTools | null = null
  const pushed: PushKind = {
    mode: 'push',
    kind: 'cap_stream',
    about: 'Invented.',
    open: async (_, given) => {
      tools = given
      return { close: async () => undefined }
    },
    read: () => {
      throw new Error('nothing is recorded')
    }
  }
  const config = v.parse(configSchema, { ...CONFIG, sources: [{ kind: 'usgs' }, { kind: 'cap_stream', host: 'x' }] })
  const sources = new Sources({
    config: () => config,
    onConfigChange: () => () => undefined,
    dataFolder: '/data',
    store: s.core.sourceStore,
    accept: (arrivals) => s.core.accept(arrivals),
    inForce: () => [],
    intervalFactor: 1,
    version: '1',
    startedAt: s.clock.now() - 3_600_000,
    clock: s.clock,
    random: () => 0.5,
    onChange: () => undefined,
    transport: async () => ({
      status: 200,
      url: '',
      bytes: 0,
      contentType: 'application/json',
      etag: null,
      modified: null,
      body: Buffer.from(JSON.stringify({ items })),
      maxAge: null,
      retryAfter: null
    }),
    kindOf: async (kind) => (kind === 'usgs' ? (listed as SourceKind) : pushed),
    log: createLog({ level: 'error', destination: { write: (line: string) => t.fail(line) } })
  })
  t.teardown(() => sources.stop())
  const run = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await s.run(1)
      for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  sources.start()
  await run(10)
  return {
    s,
    sources,
    run,
    tools: () => {
      if (tools === null) throw new Error('not opened')
      return tools
    },
    list: (next) => {
      items = next
    },
    aired: (words) => s.onAir().filter((text) => text.includes(words)).length
  }
}

const fails = ({ core }: Station): void => core.storage.db.exec('PRAGMA query_only = ON')
const routine = (n: number): Item => ({ id: `routine-${n}`, title: `Smoke ${n}`, severity: 'routine' })
const grave = (id: string): Item => ({
  id,
  severity: 'immediate',
  title: `Leave ${id} now`,
  expires: '2026-06-01T22:00:00Z'
})

t.test(
  'what a feed lists at critical and above leaves while the disk fails, however much stands before it',
  async (t) => {
    const w = await world(t)
    await w.run(110)
    fails(w.s)
    w.list([...Array.from({ length: 250 }, (_, n) => routine(n)), grave('Croy')])
    await w.run(8)
    t.equal(w.s.core.storage.fault, 'read_only')
    t.equal(w.aired('Croy'), 2, 'once on each network')
    const [status] = w.sources.list()
    t.match(inWords(status), { state: 'failing', error: /read-only/ })
  }
)

t.test('what a feed listed below that is told when storing works again, and nothing twice', async (t) => {
  const w = await world(t)
  await w.run(110)
  fails(w.s)
  w.list([routine(1), grave('Croy')])
  await w.run(8)
  t.match([w.s.core.storage.fault, w.aired('Croy'), w.aired('Smoke')], ['read_only', 2, 0])
  await w.run(150)
  t.equal(w.s.core.storage.fault, null)
  t.equal(w.aired('Smoke'), 2)
  await w.run(600)
  t.match([w.aired('Croy'), w.aired('Smoke')], [2, 2])
  t.match(w.sources.list()[0], { failures: 0, error: null })
})

t.test('that our own disk refuses is no reason to ask a feed more seldom', async (t) => {
  const w = await world(t)
  await w.run(110)
  const asked = (): number => w.sources.list()[0]?.requests ?? 0
  w.list([routine(1)])
  const before = asked()
  for (let minute = 0; minute < 30; minute++) {
    if (w.s.core.storage.fault === null) fails(w.s)
    await w.run(60)
  }
  t.ok(asked() - before >= 13, `${asked() - before} times in 30 min, every 2 min`)
})

t.test(
  'what a sender pushes below critical while the disk fails holds up nothing, and is told when storing works again',
  async (t) => {
    const w = await world(t)
    const pushed = (item: Item): ReturnType<PushTools['accept']> =>
      w
        .tools()
        .accept([
          parseEventInput(
            { source: 'pushed', family: 'fire', regions: ['North'], ...item },
            { now: w.s.clock.now(), families: familyKeys() }
          )
        ])
    fails(w.s)
    const refused = t.rejects(pushed(routine(1)), { code: 'unavailable', message: /read-only/ })
    await w.run(1)
    await refused
    await Promise.all([pushed(grave('Croy')), w.run(1)])
    await w.run(5)
    t.match([w.s.core.storage.fault, w.aired('Croy'), w.aired('Smoke')], ['read_only', 2, 0])
    await w.run(40)
    t.equal(w.s.core.storage.fault, null)
    t.equal(w.aired('Smoke'), 2, 'its sender may never say it again')
    await Promise.all([pushed(routine(1)), w.run(1)])
    await w.run(40)
    t.match([w.aired('Croy'), w.aired('Smoke')], [2, 2], 'and is not told twice when he does')
  }
)
