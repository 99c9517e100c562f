import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { needsProgram } from '../helpers/convert-tools.ts'
import { eventually, ndjson, type Running, startLookout } from '../helpers/process.ts'

/** docs/interface.md §4 rule 6, §13: a board without a battery starts at 1970, and is told the time while it works. */

const CONFIG = {
  coverage: { region_tagging: true, areas: [{ name: 'North', bbox: [-115, 43, -113, 45] }] },
  notifications: { coalesce_seconds: 0, region_routes: { enabled: true, cells: { fire: { North: { mt: 3 } } } } }
}
const fire = (id: string, severity: string, times: object = {}): object => ({
  id,
  source: 'test',
  family: 'fire',
  severity,
  title: `Fire ${id}`,
  lat: 44,
  lon: -114,
  ...times
})
const problems = async (station: Running): Promise<string[]> => {
  const { json } = await station.get<{ problems: { code: string }[] }>('/api/health/ready')
  return json.problems.map(({ code }) => code)
}

t.test('the program at 1970 and after: what it hears is told, once, without an hour that nobody knows', async (t) => {
  if (!needsProgram(t, 'faketime')) return
  const cwd = t.testdir({ data: { 'config.json': JSON.stringify(CONFIG) } })
  const [timeFile, airLog] = [join(cwd, 'time'), join(cwd, 'air.jsonl')]
  const setClock = (text: string): void => {
    writeFileSync(`${timeFile}.new`, `@${text}\n`)
    renameSync(`${timeFile}.new`, timeFile)
  }
  const library = execFileSync('faketime', ['-m', '2026-01-01', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim()
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: timeFile,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    TZ: 'UTC',
    LOOKOUT_LOG: 'warn',
    LOOKOUT_AIR_LOG: airLog
  }
  const said = (): string[] =>
    existsSync(airLog) ? ndjson<{ text: string }>(readFileSync(airLog, 'utf8')).map(({ text }) => text) : []
  const hears = (count: number): Promise<string[]> =>
    eventually(`${count} texts on the air`, () => (said().length >= count ? said() : null))

  setClock('1970-01-01 00:00:09')
  const first = await startLookout(t, 'data', { cwd, env })
  t.match(await problems(first), ['clock_unknown'], 'it is told')
  await first.post('/api/events', fire('one', 'immediate'))
  t.notMatch((await hears(1))[0], /Upd|midnight|\d:\d\d|1970/, 'no hour')

  setClock('2026-11-23 20:00:00')
  await eventually('the clock is believed', async () => !(await problems(first)).includes('clock_unknown'))
  t.match((await first.post('/api/events', fire('one', 'immediate'))).json, { duplicates: 1 })
  await first.post('/api/events', fire('two', 'critical', { sent_at: '2026-11-23T19:58:00Z' }))
  t.match((await hears(2))[1], 'Fire two')
  await first.post(
    '/api/events',
    fire('old', 'priority', { sent_at: '2026-11-20T10:00:00Z', expires: '2026-11-20T12:00:00Z' })
  )
  await eventually('both were heard', async () => {
    const { json } = await first.get<{ deliveries: { state: string }[] }>('/api/deliveries')
    return json.deliveries.length === 2 && json.deliveries.every(({ state }) => state === 'heard')
  })
  await first.launched.kill()

  setClock('1970-01-01 00:00:09')
  const second = await startLookout(t, 'data', { cwd, env })
  t.match(await problems(second), ['clock_unknown'])
  t.match((await second.post('/api/events', fire('two', 'critical'))).json, { duplicates: 1 }, 'it is known still')
  await second.post('/api/events', fire('three', 'immediate'))
  t.match((await hears(3))[2], 'Fire three')
  setClock('2026-11-23 20:30:00')
  await eventually('the clock is believed again', async () => !(await problems(second)).includes('clock_unknown'))
  await second.post('/api/events', fire('four', 'immediate', { sent_at: '2026-11-23T20:29:00Z' }))
  const all = await hears(4)
  t.match(all[3], 'Fire four')
  t.equal(new Set(all).size, all.length, 'nothing twice, and what was over is not told')
  t.equal((await second.launched.stop()).code, 0)
})
