import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { AppError } from '../../../src/platform/errors.ts'
import { readDropped } from '../../../src/warning/feeds/folder/read.ts'
import { folderSourceSchema } from '../../../src/warning/feeds/folder/settings.ts'
import { folderSource } from '../../../src/warning/feeds/folder/source.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { note } from '../../helpers/in-words.ts'
import { type PlainMemory, type PushHarness, pushHarness, readTools } from './push-harness.ts'
import { quakeFeature, quakeListing } from './samples.ts'

const START = Date.parse('2026-06-01T18:00:00Z')
const settingsOf = (given: Record<string, unknown> = {}) => v.parse(folderSourceSchema, { kind: 'folder', ...given })
const event = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  title: `Event ${id}`,
  family: 'fire',
  ...more
})

interface Opened extends PushHarness {
  folder: string
  put: (name: string, content: string | Buffer) => void
  close: () => Promise<void>
  /** Lets time pass until something is so; fails after an hour of it. */
  until: (what: string, isSo: () => boolean) => Promise<void>
  ids: () => string[]
}

async function opened(
  t: Test,
  options: { dataFolder?: string; memory?: PlainMemory; settings?: Record<string, unknown> } = {}
): Promise<Opened> {
  const dataFolder = options.dataFolder ?? t.testdir()
  const harness = pushHarness({ ...options, start: START, dataFolder })
  const { close } = await folderSource.open(settingsOf(options.settings), harness.tools)
  t.teardown(close)
  const folder = join(dataFolder, 'drop')
  return Object.assign(harness, {
    folder,
    close,
    put: (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content),
    until: async (what: string, isSo: () => boolean) => {
      for (let turn = 0; !isSo(); turn++) {
        if (turn > 3600) throw new Error(`never: ${what}`)
        await harness.run(1, 1)
      }
    },
    ids: () => harness.events.map(({ id }) => id)
  })
}

t.test('a Feature of an unknown family or severity is refused, however the kind of the files is spelt', async (t) => {
  const feature = (properties: Record<string, unknown>) =>
    JSON.stringify({ type: 'Feature', id: 'f', geometry: null, properties: { title: 'X', ...properties } })
  const tools = { source: 'drop', receivedAt: START }
  for (const as of [{}, { as: 'events' }, { as: 'Events' }]) {
    for (const wrong of [{ family: 'aliens' }, { family: 'fire', severity: 'doom' }, {}]) {
      const { events, skipped } = readDropped(Buffer.from(feature(wrong)), settingsOf(as), tools)
      t.same([events, skipped.length], [[], 1], JSON.stringify({ as, wrong }))
    }
    const { events } = readDropped(
      Buffer.from(feature({ family: 'fire', severity: 'critical' })),
      settingsOf(as),
      tools
    )
    t.match(events, [{ family: 'fire', severity: 'critical', source: 'drop' }])
  }
})

const CAP = `<?xml version="1.0" encoding="UTF-8"?>
<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">
  <identifier>drop-1</identifier><sender>office@example.org</sender><sent>2026-06-01T17:50:00-00:00</sent>
  <status>Actual</status><msgType>Alert</msgType><scope>Public</scope>
  <info><language>en</language><category>Met</category><event>Flood Warning</event><urgency>Immediate</urgency>
    <severity>Severe</severity><certainty>Observed</certainty><expires>2026-06-01T23:00:00-00:00</expires>
    <area><areaDesc>Valley</areaDesc><circle>43.5,-114.3 10</circle></area></info>
</alert>`

t.test('a file of any known kind becomes its events, once, and stays where it is', async (t) => {
  const station = await opened(t)
  station.put('one.json', JSON.stringify(event('a')))
  station.put('list.json', JSON.stringify([event('b'), event('c', { source: 'hub' })]))
  station.put('lines.ndjson', `${JSON.stringify(event('d'))}\n${JSON.stringify(event('e'))}\n`)
  station.put('cap.xml', CAP)
  station.put('quakes.json', quakeListing(quakeFeature('us1')))
  const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [-114, 43] }, properties: event('f') }
  station.put('own.geojson', JSON.stringify({ type: 'FeatureCollection', features: [feature] }))
  await station.until('all files are taken', () => station.counted.length === 6)
  t.same(station.ids().sort(), ['a', 'b', 'c', 'd', 'drop-1', 'e', 'f', 'us1'].sort())
  t.match(
    station.events.find(({ id }) => id === 'f'),
    { source: 'pushed', family: 'fire', geometry: { type: 'Point' } }
  )
  t.equal(station.events.find(({ id }) => id === 'c')?.source, 'hub', 'an event that names its source keeps it')
  t.equal(station.events.find(({ id }) => id === 'us1')?.source, 'pushed')
  t.same(station.reports.at(-1), { state: 'ready', reason: null })
  await station.run(60)
  t.equal(station.events.length, 8, 'nothing twice')
  t.equal(readdirSync(station.folder).length, 6, 'nothing is removed')
})

t.test('a file is taken when it has kept size and time for two seconds, not before', async (t) => {
  const station = await opened(t, { settings: { scan_seconds: 1 } })
  const whole = JSON.stringify([event('a'), event('b')])
  for (let length = 10; length < whole.length; length += 10) {
    station.put('slow.json', whole.slice(0, length))
    utimesSync(join(station.folder, 'slow.json'), length, length)
    await station.run(1, 1)
  }
  t.same([station.events, station.counted], [[], []], 'not while it grows')
  station.put('slow.json', whole)
  await station.until('it is taken', () => station.events.length > 0)
  t.same(station.ids(), ['a', 'b'])
  station.put('.hidden.json', whole)
  station.put('next.json.part', JSON.stringify(event('c')))
  await station.run(30)
  t.equal(station.counted.length, 1, 'unfinished names wait')
  renameSync(join(station.folder, 'next.json.part'), join(station.folder, 'next.json'))
  await station.until('the renamed file is taken', () => station.ids().includes('c'))
})

t.test(
  'a file that changes is taken again; one that is only touched, or was taken before a restart, is not',
  async (t) => {
    const dataFolder = t.testdir()
    const first = await opened(t, { dataFolder })
    first.put('now.json', JSON.stringify(event('a')))
    await first.until('taken', () => first.events.length === 1)
    utimesSync(join(first.folder, 'now.json'), 1000, 1000)
    await first.run(60)
    t.equal(first.events.length, 1, 'touched')
    await first.close()
    const { memory } = first
    const again = await opened(t, { dataFolder, memory })
    await again.run(60)
    t.same([again.events, again.counted], [[], []], 'after a restart')
    again.put('now.json', JSON.stringify(event('a', { revision: '2' })))
    await again.until('taken again', () => again.events.length === 1)
    t.match(again.events, [{ id: 'a', revision: '2' }])
    t.same([...memory.all.keys()], ['file:now.json'])
    rmSync(join(again.folder, 'now.json'))
    await again.until('forgotten', () => memory.all.size === 0)
  }
)

t.test('a bad file is reported with its reason, holds up nothing, and is read again when it is mended', async (t) => {
  const station = await opened(t, { settings: { max_megabytes: 0.01 } })
  const bad: [string, string | Buffer, RegExp][] = [
    ['big.json', 'x'.repeat(20_000), /longer than 0\.01 MB/],
    ['cut.json', '{"id":"a","ti', /not complete JSON/],
    ['empty.json', '', /empty/],
    ['noise.bin', Buffer.from([0, 255, 254, 1, 2, 3]), /no known kind/],
    ['page.html', '<html><body>x</body></html>', /not a CAP/],
    ['wrong.json', JSON.stringify(event('a', { severity: 'grave' })), /item 1|a: .*severity/]
  ]
  for (const [name, content] of bad) station.put(name, content)
  station.put('zz-good.json', JSON.stringify([event('g'), { id: 'h' }]))
  await station.until('all are counted', () => station.counted.length === bad.length + 1)
  for (const [name, , reason] of bad) {
    const refused = station.counted.find((message) => message.refused?.startsWith(`${name}: `))?.refused
    t.match(refused, reason, name)
  }
  t.same(station.ids(), ['g'], 'the good half of a list')
  t.match(station.reports.at(-1), { state: 'ready', reason: /^6 files were refused\. big\.json: it is longer/ })
  await station.run(60)
  t.equal(station.counted.length, bad.length + 1, 'told once')
  for (const [name] of bad.slice(1)) rmSync(join(station.folder, name))
  station.put('big.json', JSON.stringify(event('mended')))
  await station.until('the mended file is taken', () => station.ids().includes('mended'))
  await station.until('no complaint is left', () => station.reports.at(-1)?.reason === null)
})

t.test('what a version before codes remembered of refused files is read: nothing is taken or told again', async (t) => {
  const dataFolder = t.testdir()
  const first = await opened(t, { dataFolder })
  first.put('good.json', JSON.stringify(event('a')))
  first.put('cut.json', '{"id":"b","ti')
  await first.until('both are counted', () => first.counted.length === 2)
  await first.close()
  const { memory } = first
  // As it stood then: a sentence, or nothing.
  for (const [key, value] of memory.all) {
    const said = key === 'file:cut.json' ? 'The message is not complete JSON; it was cut off or garbled.' : ''
    memory.set(key, { ...Object(value), refused: said })
  }
  const again = await opened(t, { dataFolder, memory })
  await again.until('it is ready', () => again.reports.at(-1)?.state === 'ready')
  await again.run(60)
  t.same([again.events, again.counted], [[], []])
  t.equal(
    again.reports.at(-1)?.reason,
    'A file was refused. cut.json: The message is not complete JSON; it was cut off or garbled.'
  )
})

t.test('when events cannot be stored the file is taken later', async (t) => {
  const station = await opened(t)
  station.refuse = new AppError('no-space', note('the disk is full'))
  station.put('a.json', JSON.stringify(event('a')))
  await station.until('it says so', () => station.reports.at(-1)?.state === 'down')
  t.match(station.reports.at(-1), { reason: /the disk is full/ })
  t.same([...station.memory.all], [])
  station.refuse = null
  await station.until('stored', () => station.events.length === 1)
})

t.test('links, folders and other things are left alone', async (t) => {
  const dataFolder = t.testdir({ 'secret.json': JSON.stringify(event('secret')) })
  const station = await opened(t, { dataFolder })
  symlinkSync(join(dataFolder, 'secret.json'), join(station.folder, 'link.json'))
  mkdirSync(join(station.folder, 'folder.json'))
  station.put('a.json', JSON.stringify(event('a')))
  await station.until('taken', () => station.events.length === 1)
  await station.run(30)
  t.same(station.ids(), ['a'])
})

t.test('a relative path stays inside the data folder; an absolute one is read, never made', async (t) => {
  const dataFolder = t.testdir({ elsewhere: { 'a.json': JSON.stringify(event('a')) } })
  for (const path of ['.', '..', '../other', 'drop/../..', './']) {
    const { tools } = pushHarness({ start: START, dataFolder })
    await t.rejects(
      folderSource.open(settingsOf({ path }), tools),
      { code: 'bad-input', message: /absolute path/ },
      path
    )
  }
  const station = await opened(t, { dataFolder, settings: { path: join(dataFolder, 'elsewhere') } })
  await station.until('read', () => station.events.length === 1)
  const missing = join(dataFolder, 'missing')
  const waiting = await opened(t, { dataFolder, settings: { path: missing } })
  await waiting.until('it says so', () => waiting.reports.at(-1)?.state === 'down')
  t.match(waiting.reports.at(-1)?.reason, /missing cannot be used now: ENOENT/)
  t.throws(() => statSync(missing))
  mkdirSync(missing)
  writeFileSync(join(missing, 'b.json'), JSON.stringify(event('b')))
  await waiting.until('it comes back by itself', () => waiting.ids().includes('b'))
  t.equal(waiting.reports.at(-1)?.state, 'ready')
})

t.test('a mapping reads the JSON of others, `as` names the kind', async (t) => {
  const mapping = { fields: { id: '/nr', title: '/what', family: { value: 'roads' } } }
  const station = await opened(t, { settings: { mapping } })
  station.put('theirs.json', JSON.stringify([{ nr: 5, what: 'Closed' }]))
  await station.until('mapped', () => station.events.length === 1)
  t.match(station.events, [{ id: '5', title: 'Closed', family: 'roads', source: 'pushed' }])
  const read = (text: string, as?: string) =>
    folderSource.read(new TextEncoder().encode(text), settingsOf(as === undefined ? {} : { as }), readTools(START))
  t.match(read(quakeListing(quakeFeature('us1')), 'usgs'), { kind: 'usgs', items: 1, events: [{ id: 'us1' }] })
  t.throws(() => read(CAP, 'nws'), { code: 'bad-input' })
  t.throws(() => read('[]', 'nonsense'), { code: 'bad-input', message: /Unknown kind nonsense/ })
})

t.test('recorded feeds read in a folder as they do elsewhere', async (t) => {
  const files: [string, string][] = [
    ['feeds/nws-geojson/alerts-500-part-a.json', 'nws'],
    ['feeds/usgs-quakes/1.0_day-2022-04-04.geojson', 'usgs']
  ]
  for (const [path, kind] of files) {
    const file = needsFixture(t, path)
    if (file === null) continue
    const reading = folderSource.read(readFileSync(file), settingsOf({ max_megabytes: 64 }), readTools(START))
    t.equal(reading.kind, kind)
    t.ok(
      reading.events.length > 0 && reading.items >= reading.events.length,
      `${path}: ${reading.events.length} events`
    )
  }
})
