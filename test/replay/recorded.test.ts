import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { needsFixture } from '../helpers/fixtures.ts'
import { ndjson, run } from '../helpers/process.ts'

const QUIET = { cooldown_seconds: 0 }
const toggles = { weather: QUIET, fire: QUIET, avalanche: QUIET, seismic: QUIET, emergency: QUIET }

/** Counties, a box and a polygon that alerts of the February capture touch. */
const FEBRUARY = {
  station: { timezone: 'America/Chicago' },
  coverage: {
    enabled: true,
    region_tagging: true,
    areas: [
      { name: 'Toombs', codes: ['GAC209', 'GAC271', 'GAC279', 'GAC309'] },
      { name: 'Barton', codes: ['020009'] },
      { name: 'Salina', codes: ['KSC169', '20113'] },
      { name: 'Sierra', bbox: [-120.9, 38.7, -119.2, 40.2] },
      {
        name: 'Caprock',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [-102.9, 33.3],
              [-100.6, 33.3],
              [-100.6, 34.7],
              [-102.9, 34.7],
              [-102.9, 33.3]
            ]
          ]
        }
      }
    ]
  },
  notifications: {
    coalesce_seconds: 0,
    toggles,
    region_routes: {
      enabled: true,
      cells: {
        weather: {
          Toombs: { mt: 0, mc: 'toombs' },
          Barton: { mt: 1, mc: 'kansas' },
          Salina: { mt: 2, mc: 'kansas' },
          Sierra: { mt: 3, mc: null, min_severity: 'priority' },
          Caprock: { mt: null, mc: 'caprock' }
        },
        fire: { Caprock: { mt: 4, mc: 'caprock-fire' } },
        avalanche: { Sierra: { mt: 5, mc: 'avy' } }
      }
    }
  }
}

/** The same for the December capture and the week of earthquakes. */
const DECEMBER = {
  station: { timezone: 'America/Los_Angeles' },
  coverage: {
    enabled: true,
    region_tagging: true,
    areas: [
      { name: 'Puget', codes: ['WAC033', 'WAC053', 'WAC061'] },
      { name: 'Flathead', codes: ['MTC029', 'MTC047', '030063'] },
      { name: 'Sierra', bbox: [-120.9, 38.7, -119.2, 40.2] },
      { name: 'Desert', circle: { lat: 33.8, lon: -116.4, radius_km: 90 } },
      { name: 'Pecos', west: -105, south: 31, east: -103, north: 32.6 }
    ]
  },
  notifications: {
    coalesce_seconds: 0,
    toggles,
    region_routes: {
      enabled: true,
      cells: {
        weather: {
          Puget: { mt: 0, mc: 'puget', min_severity: 'priority' },
          Flathead: { mt: 1, mc: 'flathead' },
          Desert: { mt: 2, mc: 'desert', enabled: false }
        },
        seismic: {
          Pecos: { mt: 6, mc: 'quakes' },
          Desert: { mt: 6, mc: 'quakes' },
          Sierra: { mt: 7, mc: 'quakes', min_severity: 'priority' }
        }
      }
    }
  }
}

interface Line {
  transport: string
  channel: string | number
  kind: string
  text: string
  bytes: number
  severity: string
  family: string
  regions: string[]
  thread_id: string
  lifecycle: string
  event_ids: string[]
}
interface Decided {
  id: string
  thread_id: string
  outcome: string
  reason: string
}
interface Alert {
  properties: { id: string; status: string; event: string; ends: string | null; expires: string; sent: string }
}
type Config = typeof FEBRUARY | typeof DECEMBER

const key = ({ transport, channel }: Line): string => `${transport}:${channel}`
const RANK = ['routine', 'priority', 'critical', 'immediate']

/** The matrix's own word: every (family, region) of a message must lead to its channel. */
function cellsAllow({ notifications }: Config, line: Line): boolean {
  const cells: Record<
    string,
    Record<string, { mt: number | null; mc: string | null; min_severity?: string }>
  > = notifications.region_routes.cells
  return line.regions.every((region) => {
    const cell = cells[line.family]?.[region]
    if (cell === undefined || ('enabled' in cell && cell.enabled === false)) return false
    const floor = RANK.indexOf(cell.min_severity ?? 'routine')
    const loud = line.kind === 'cancel' || RANK.indexOf(line.severity) >= floor
    return loud && (line.transport === 'mt' ? cell.mt : cell.mc) === line.channel
  })
}

function checkLines(t: Test, config: Config, lines: Line[]): void {
  const news = new Map<string, number>()
  const told = new Set<string>()
  const timezoneTexts = new Set<string>()
  for (const line of lines) {
    const name = `${line.thread_id} on ${key(line)}`
    if (!cellsAllow(config, line)) t.fail(`${name}: no cell leads ${line.regions.join()} there: ${line.text}`)
    if (line.regions.length === 0) t.fail(`${name} names no region: ${line.text}`)
    if (line.bytes !== Buffer.byteLength(line.text) || line.bytes === 0 || line.bytes > 232)
      t.fail(`${name}: ${line.bytes} bytes`)
    if (/test message|keepalive|undefined|null|NaN|\[object|\s\s|[\n\r]/i.test(line.text))
      t.fail(`${name} reads ${line.text}`)
    if (line.kind === 'new') news.set(name, (news.get(name) ?? 0) + 1)
    if (line.kind !== 'new' && !told.has(name)) t.fail(`${line.kind} of ${name} where nothing was told before`)
    if (line.kind === 'cancel' && !line.text.startsWith('CANCEL ')) t.fail(`${name}: ${line.text}`)
    told.add(name)
    timezoneTexts.add(`${name} ${line.text}`)
  }
  t.same(
    [...news].filter(([, count]) => count > 1),
    [],
    'one "new" an event thread and channel'
  )
  t.equal(timezoneTexts.size, lines.length, 'no channel has the same text of one thread twice')
}

/** Every event that led to no message is named in the summary with its reason. */
function checkSummary(t: Test, stderr: string, decided: Decided[]): void {
  const told = new Map(
    stderr
      .split('\n')
      .filter((line) => line.startsWith('silent  '))
      .map((line) => [line.split('  ')[1] ?? '', line.split('  — ')[1] ?? ''])
  )
  for (const { id, outcome, reason } of decided) {
    if (outcome === 'duplicate') continue
    if (outcome === 'send') {
      if (told.has(id)) t.fail(`${id} was sent and is called silent`)
      continue
    }
    const why = told.get(id) ?? ''
    if (!why.startsWith(`${reason}: `) || why.length < reason.length + 10)
      t.fail(`${id} is silent and unexplained: "${why}"`)
  }
  t.ok(told.size > 0)
}

async function replayed(
  t: Test,
  files: string[],
  config: Config
): Promise<{
  lines: Line[]
  stderr: string
  decided: Decided[]
  again: (options?: { fresh?: boolean }) => Promise<void>
}> {
  const cwd = t.testdir({ 'config.json': JSON.stringify(config) })
  const args = ['replay', ...files, '--config', 'config.json']
  const dry = await run(t, [...args, '--dry-run'], { cwd })
  t.equal(dry.code, 0)
  const { code, stdout, stderr } = await run(t, [...args, '--data', 'kept'], { cwd })
  t.equal(code, 0)
  const lines = ndjson<Line>(stdout)
  return {
    lines,
    stderr,
    decided: ndjson<Decided>(dry.stdout),
    again: async ({ fresh = false } = {}) => {
      const second = await run(t, [...args, '--data', 'kept'], { cwd })
      t.same([second.code, second.stdout], [0, ''], 'into the same folder again: nothing is sent twice')
      t.match(second.stderr, / 0 with messages, 0 silent, \d+ known already/)
      if (fresh)
        t.equal((await run(t, args, { cwd })).stdout, stdout, 'a fresh folder gives the same again, to the byte')
    }
  }
}

const of = (lines: Line[], thread: string): string[] =>
  lines
    .filter(({ thread_id }) => thread_id === thread)
    .map((line) => `${line.kind} ${key(line)} ${line.regions.join('+')}`)
    .sort()

t.test('the alerts of an afternoon in February reach the right channels of five areas', async (t) => {
  const file = needsFixture(t, 'feeds/nws-geojson/alerts-500-part-a.json')
  if (file === null) return
  const { lines, stderr, decided, again } = await replayed(t, [file], FEBRUARY)
  checkLines(t, FEBRUARY, lines)
  checkSummary(t, stderr, decided)

  t.same(
    of(lines, 'vtec:KFFC.TO.A.0009.2026'),
    ['cancel mc:toombs Toombs', 'cancel mt:0 Toombs', 'new mc:toombs Toombs', 'new mt:0 Toombs'],
    'a tornado watch and its cancel: both networks, the same channels'
  )
  t.same(
    of(lines, 'vtec:KICT.FG.Y.0003.2026'),
    [
      'cancel mc:kansas Salina',
      'cancel mt:2 Salina',
      'new mc:kansas Barton+Salina',
      'new mt:1 Barton',
      'new mt:2 Salina'
    ],
    'fog over two areas: one message where they share a channel; cancelled where it ended, expired in silence elsewhere'
  )
  t.same(
    of(lines, 'vtec:KLUB.FW.A.0003.2026'),
    ['new mc:caprock-fire Caprock', 'new mt:4 Caprock'],
    'repeated, told once'
  )
  t.same(of(lines, 'vtec:KLUB.HW.A.0001.2026'), ['new mc:caprock Caprock'], 'a cell without MT')
  t.ok(lines.some(({ family, channel }) => family === 'avalanche' && channel === 5))
  t.same(
    lines.filter(({ channel, severity, kind }) => channel === 3 && severity === 'routine' && kind !== 'cancel'),
    [],
    'below the floor of its cell nothing is sent'
  )

  const { features } = JSON.parse(readFileSync(file, 'utf8')) as { features: Alert[] }
  const tests = features
    .filter(({ properties }) => properties.status !== 'Actual')
    .map(({ properties }) => properties.id)
  t.ok(tests.length > 30, 'the capture has test messages')
  const heard = new Set([...lines.flatMap(({ event_ids }) => event_ids), ...decided.map(({ id }) => id)])
  t.same(
    tests.filter((id) => heard.has(id)),
    [],
    'none of them became an event'
  )
  t.match(stderr, new RegExp(`${tests.length} × skipped: test`))
  const over = new Set(decided.filter(({ reason }) => reason === 'ended_by_time').map(({ id }) => id))
  t.ok(over.size > 10, 'the capture has alerts that ended by time')
  t.same(
    lines.filter(({ event_ids }) => event_ids.some((id) => over.has(id))),
    [],
    'their end is silent'
  )
  await again()
})

t.test('the alerts of the December floods: priority and above for one area, everything for the other', async (t) => {
  const file = needsFixture(t, 'feeds/nws-geojson/active-2025-12-15-northwest.json')
  if (file === null) return
  const { lines, stderr, decided, again } = await replayed(t, [file], DECEMBER)
  checkLines(t, DECEMBER, lines)
  checkSummary(t, stderr, decided)
  const flood = lines.filter(({ thread_id }) => thread_id === 'vtec:KSEW.FF.W.0001.2025')
  t.same(flood.map(key).sort(), ['mc:puget', 'mt:0'])
  for (const { text, severity } of flood) {
    t.equal(severity, 'immediate', 'a considerable flash flood goes to phones too')
    t.match(text, /^FLASH FLOOD WARN Puget.* til 9:00p\./)
  }
  const channels = [...new Set(lines.map(key))].sort()
  t.same(channels, ['mc:flathead', 'mc:puget', 'mt:0', 'mt:1'], 'a disabled cell sends nothing')
  await again()
})

t.test('a day and a week of earthquakes: what is in both is known', async (t) => {
  const day = needsFixture(t, 'feeds/usgs-quakes/1.0_day-2022-04-04.geojson')
  const week = needsFixture(t, 'feeds/usgs-quakes/1.0_week-2022-04-04.geojson')
  if (day === null || week === null) return
  const { lines, stderr, decided, again } = await replayed(t, [day, week], DECEMBER)
  checkLines(t, DECEMBER, lines)
  checkSummary(t, stderr, decided)
  t.same([...new Set(lines.map(key))].sort(), ['mc:quakes', 'mt:6'], 'nothing strong enough for the third cell')
  t.ok(lines.length > 40)
  for (const { text } of lines) if (!/^QUAKE M[2-9]\.\d \d+km [NESW]{1,3} /.test(text)) t.fail(text)
  t.ok(decided.filter(({ outcome }) => outcome === 'duplicate').length > 40)
  await again({ fresh: true })
})

t.test('a recording that is no feed, and one cut in the middle, are refused by name', async (t) => {
  const file = needsFixture(t, 'feeds/nws-geojson/alerts-500-part-a.json')
  if (file === null) return
  const half = readFileSync(file, 'utf8').slice(0, 500_000)
  const cwd = t.testdir({ 'half.json': half })
  const { code, stdout, stderr } = await run(t, ['replay', join(cwd, 'half.json'), '--as', 'nws'], { cwd })
  t.match([code, stdout], [2, ''])
  t.match(stderr, /half\.json/)
})
