import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import * as v from 'valibot'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { configSchema } from '../../../src/settings/schema.ts'
import {
  demoConfig,
  demoEventsAt,
  demoSteps,
  fillTemplate,
  loadDemoScenario
} from '../../../src/warning/feeds/demo/demo.ts'

const FOLDER = fileURLToPath(new URL('../../../demo', import.meta.url))
const START = Date.UTC(2026, 6, 14, 20, 0, 30)

interface Played {
  at: number
  events: LookoutEvent[]
}

async function play(startMs: number, runId: string): Promise<Played[]> {
  const steps = await demoSteps(FOLDER, { startMs, runId })
  return steps.map((step) => ({ at: step.atSeconds, events: demoEventsAt(step, startMs + step.atSeconds * 1000) }))
}

const names = (played: Played[]): string[][] =>
  played.map(({ events }) => events.map(({ id, thread_id }) => `${id} ${thread_id}`))

t.test(
  'the demo configuration is valid: five areas, all kinds of parts, a matrix within seven MT channels',
  async (t) => {
    const { coverage, notifications } = v.parse(configSchema, await demoConfig(FOLDER))
    t.same(
      coverage.areas.map(({ name }) => name),
      ['North', 'Valley', 'Foothills', 'Snake River', 'Highlands']
    )
    t.same([...new Set(coverage.areas.flatMap(({ parts }) => parts.flatMap((part) => Object.keys(part))))].sort(), [
      'bbox',
      'circle',
      'codes',
      'geometry'
    ])
    t.ok(coverage.region_tagging)
    const cells = Object.values(notifications.region_routes.cells).flatMap((row) => Object.values(row))
    t.ok(cells.length >= 20)
    t.ok(new Set(cells.map(({ mt }) => mt).filter((mt) => mt !== null)).size <= 7)
    t.ok(cells.some(({ mt }) => mt === null) && cells.some(({ mc }) => mc === null))
  }
)

t.test('the scenario tells its story in order', async (t) => {
  const told = (await play(START, 'a')).flatMap(({ at, events }) =>
    events.map(({ family, severity, lifecycle }) => `${at} ${family} ${severity} ${lifecycle}`)
  )
  t.same(told, [
    '2 weather immediate new',
    '8 weather priority new',
    '14 weather priority new',
    '20 seismic priority new',
    '20 seismic priority new',
    '28 fire priority new',
    '36 weather priority new',
    '36 weather priority new',
    '46 emergency immediate new',
    '56 weather priority update',
    '66 weather routine cancel',
    '76 fire routine expire',
    '86 weather critical new',
    '96 weather routine new',
    '106 emergency immediate update',
    '120 emergency routine cancel'
  ])
})

t.test('updates, pieces, cancels and expiries stay in the thread of their event', async (t) => {
  const threads = new Map(
    (await play(START, 'a')).map(({ at, events }) => [at, events.map(({ thread_id }) => thread_id)])
  )
  t.same(threads.get(66), threads.get(2), 'tornado')
  t.same(threads.get(14), threads.get(8), 'the same listing again')
  t.same(threads.get(56), threads.get(8), 'winter storm')
  t.same(threads.get(76), threads.get(28), 'red flag')
  t.equal(new Set(threads.get(36)).size, 1, 'two segments')
  t.same(
    [...(threads.get(106) ?? []), ...(threads.get(120) ?? [])],
    [...(threads.get(46) ?? []), ...(threads.get(46) ?? [])],
    'evacuation'
  )
})

t.test('everything is fresh when it is told, and what runs is still in force', async (t) => {
  for (const { at, events } of await play(START, 'a')) {
    const now = START + at * 1000
    for (const event of events) {
      const age = now - Date.parse(event.sent_at)
      t.ok(age >= -1000 && age <= 90_000, `${at}: ${age} ms old`)
      if (event.expires !== null) t.ok(Date.parse(event.expires) > now)
    }
  }
})

t.test('the same run played again has the same ids and threads; another run has its own', async (t) => {
  const first = names(await play(START, 'a'))
  t.same(names(await play(START + 3_600_000, 'a')), first)
  const other = names(await play(START, 'b')).flat()
  t.notOk(first.flat().some((name) => other.includes(name)))
})

t.test('templates leave nothing behind and become what the feed would write', async (t) => {
  const run = { startMs: START + 123, runId: 'a' }
  t.equal(
    fillTemplate('{"a":"{{time:+5}}","b":"{{minute:-60}}","c":"{{vtec:+3600}}","d":"{{ms:+0}}"}', run),
    `{"a":"2026-07-14T20:00:35+00:00","b":"2026-07-14T19:59:00+00:00","c":"260714T2100Z","d":${START}}`
  )
  t.match(fillTemplate('{{run}} {{etn}}', run), /^[a-z0-9]{7} [1-9]\d{3}$/)
  for (const { body } of await demoSteps(FOLDER, run)) t.notMatch(body, /\{\{|\}\}"/)
})

t.test('a scenario that is not there or not whole is refused by name', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  await t.rejects(loadDemoScenario(folder), { code: 'missing', message: /scenario\.json/ })
  const write = (scenario: unknown) =>
    writeFileSync(join(folder, 'scenario.json'), typeof scenario === 'string' ? scenario : JSON.stringify(scenario))
  write('{')
  await t.rejects(loadDemoScenario(folder), { code: 'bad-input' })
  const step = { at_seconds: 0, note: '', kind: 'nws', file: '../secret' }
  write({ title: 'x', config: {}, steps: [step] })
  await t.rejects(loadDemoScenario(folder), { code: 'bad-input', message: /steps\.0\.file/ })
  write({ title: 'x', config: {}, steps: [{ ...step, file: 'gone.json' }] })
  await t.rejects(loadDemoScenario(folder), { code: 'missing', message: /gone\.json/ })
})
