import { appendFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { ZoneFiller, type ZoneFillerOptions } from '../../../src/warning/atlas/zone-filler.ts'
import { note } from '../../helpers/in-words.ts'

const START = Date.parse('2026-06-01T18:00:00Z')
const ring = [
  [-115, 43],
  [-115, 44],
  [-114, 44],
  [-114, 43],
  [-115, 43]
]
const outline = JSON.stringify({ type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] } })

/** Lets `ms` pass, and the file system do its part between the timers. */
async function run({ clock, filler: one }: ReturnType<typeof filler>, ms: number): Promise<void> {
  for (const end = clock.now() + ms; clock.now() < end; ) {
    await clock.runTo(Math.min(end, clock.now() + 1000))
    await one.settled()
  }
}

function filler(more: Partial<ZoneFillerOptions> = {}, clock = new VirtualClock(START)) {
  const asked: [at: number, url: string][] = []
  const arrived: number[] = []
  const options: ZoneFillerOptions = {
    file: join(mkdtempSync(join(tmpdir(), 'lookout-filler-')), 'online', 'zones.ndjson'),
    get: async () => ({ status: 200, body: Buffer.from(outline) }),
    blocked: () => null,
    clock,
    log: pino({ level: 'silent' }),
    random: () => 0,
    onArrived: () => arrived.push(clock.now()),
    ...more
  }
  const { get } = options
  const made = new ZoneFiller({
    ...options,
    get: (url) => {
      asked.push([(clock.now() - START) / 1000, url.slice(url.indexOf('/zones/'))])
      return get(url)
    }
  })
  t.teardown(() => made.stop())
  return { filler: made, asked, arrived, clock, options }
}

t.test('unknown outlines are fetched one in five seconds, kept on disk and told once', async (t) => {
  const one = filler()
  const { filler: zones, asked, arrived, options } = one
  for (const code of ['IDZ014', 'IDC013', 'IDZ014', 'ID']) t.equal(zones.shape(code), null)
  await run(one, 20_000)
  t.strictSame(asked, [
    [5, '/zones/forecast/IDZ014'],
    [10, '/zones/county/IDC013']
  ])
  t.match(zones.shape('IDZ014'), { type: 'Polygon', coordinates: [ring] })
  await run(one, 60_000)
  t.strictSame(arrived, [START + 70_000], 'the index is made anew once for both')
  t.equal(readFileSync(options.file, 'utf8').split('\n').length, 3)

  appendFileSync(options.file, '{"code":"IDZ099","geom')
  const next = filler({ file: options.file })
  next.filler.shape('IDC013')
  next.filler.shape('IDZ099')
  await run(next, 120_000)
  t.match(next.filler.shape('IDC013'), { type: 'Polygon' }, 'a restart fetches nothing twice')
  t.strictSame(
    next.asked.map(([, url]) => url),
    ['/zones/forecast/IDZ099']
  )
})

t.test('a line that was cut off takes no other line with it', async (t) => {
  const one = filler()
  one.filler.shape('IDC013')
  await run(one, 10_000)
  appendFileSync(one.options.file, '{"code":"IDZ099","geom')
  const next = filler({ file: one.options.file })
  next.filler.shape('IDZ014')
  await run(next, 10_000)
  next.filler.shape('IDZ015')
  await run(next, 10_000)
  const last = filler({ file: one.options.file })
  for (const code of ['IDC013', 'IDZ014', 'IDZ015']) last.filler.known(code)
  await run(last, 1000)
  for (const code of ['IDC013', 'IDZ014', 'IDZ015'])
    t.match(last.filler.known(code), { type: 'Polygon', coordinates: [ring] }, code)
  t.notMatch(readFileSync(one.options.file, 'utf8'), 'IDZ099')
})

t.test('who only looks is shown what was fetched before, and nothing is asked for', async (t) => {
  const one = filler()
  one.filler.shape('IDZ014')
  await run(one, 10_000)
  const next = filler({ file: one.options.file })
  t.equal(next.filler.known('IDZ014'), null, 'not read yet')
  next.filler.known('IDZ099')
  await run(next, 60_000)
  t.match(next.filler.known('IDZ014'), { type: 'Polygon', coordinates: [ring] })
  t.same(next.asked, [])
})

t.test('a code the service does not know is not asked for again within a year', async (t) => {
  const one = filler({ get: async () => ({ status: 404, body: new Uint8Array() }) })
  const { filler: zones, asked, clock } = one
  zones.shape('IDZ999')
  await run(one, 10_000)
  zones.shape('IDZ999')
  await run(one, 30_000)
  t.equal(asked.length, 1)
  await clock.runTo(START + 366 * 86_400_000)
  zones.shape('IDZ999')
  await run(one, 10_000)
  t.equal(asked.length, 2)
})

t.test('errors and bad answers are waited out, and nothing is lost', async (t) => {
  const answers = [
    async () => {
      throw new AppError('unavailable', note('no network'))
    },
    async () => ({ status: 500, body: new Uint8Array() }),
    async () => ({ status: 200, body: Buffer.from('<html>') }),
    async () => ({ status: 200, body: Buffer.from('{"geometry":{"type":"Polygon","coordinates":3}}') }),
    async () => ({ status: 200, body: Buffer.from(outline) })
  ]
  let turn = 0
  const get = (): Promise<{ status: number; body: Uint8Array }> => (answers[turn++] ?? answers[4] ?? fail)()
  const one = filler({ get })
  const { filler: zones, asked, options } = one
  zones.shape('IDZ014')
  await run(one, 65_000)
  t.equal(asked.length, 2, 'a minute between')
  t.notOk(existsSync(options.file))
  await run(one, 3_600_000)
  t.match(zones.shape('IDZ014'), { type: 'Polygon' })
})

t.test('an outline the service cannot give does not keep the others waiting', async (t) => {
  const broken = Buffer.from('{"type":"Feature","geometry":null}')
  const one = filler({
    get: async (asked) => ({ status: 200, body: asked.endsWith('IDZ014') ? broken : Buffer.from(outline) })
  })
  one.filler.shape('IDZ014')
  one.filler.shape('IDZ015')
  await run(one, 90_000)
  t.match(one.filler.shape('IDZ015'), { type: 'Polygon' })
  t.equal(one.filler.shape('IDZ014'), null)
})

async function fail(): Promise<never> {
  throw new Error('unexpected')
}

t.test('nothing is asked while it may not be', async (t) => {
  let blocked: string | null = 'no contact'
  const one = filler({ blocked: () => blocked })
  const { filler: zones, asked } = one
  zones.shape('IDZ014')
  await run(one, 20_000)
  t.equal(asked.length, 0)
  blocked = null
  zones.shape('IDZ014')
  await zones.stop()
  zones.shape('IDZ015')
  await run(one, 20_000)
  t.equal(asked.length, 0, 'nor after the end')
})
