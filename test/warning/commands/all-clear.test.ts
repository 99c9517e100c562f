import t from 'tap'
import type { Problem, ProblemCode } from '../../../src/warning/readiness/problem.ts'
import { asks } from '../../helpers/asks.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** Contract §13: no all-clear is given that nobody can give, over the radio either. */

const config = {
  ...withMatrix({ fire: { North: { mt: 3 } } }),
  coverage: { areas: [{ name: 'North', west: -117, south: 43, east: -116, north: 44 }] }
}
const problem = (code: ProblemCode, params: Problem['params'] = {}): Problem => ({
  code,
  params,
  blocking: false,
  link: '/'
})

const answer = async (s: Station, text: string, more: object = {}): Promise<string> => {
  const [told = ''] = await asks(s, s.mt, { from: '!00000001', text, ...more })
  return told.slice(told.indexOf(' ') + 1)
}

t.test('an all-clear is given while nothing hides an alert', async (t) => {
  const s = await station(t, { config })
  t.equal(await answer(s, '!alerts'), 'No alerts.')
  t.equal(await answer(s, '!alerts north'), 'No alerts for north.')
  t.equal(await answer(s, '!catchup north'), 'Nothing in force for north.')
})

const BLIND: [Problem, string][] = [
  [problem('no_hazard_source'), 'no source of warnings is on'],
  [problem('source_silent', { name: 'NWS alerts' }), 'NWS alerts is silent'],
  [problem('source_blocked', { name: 'NWS alerts' }), 'NWS alerts refuses us'],
  [problem('source_down', { name: 'hub' }), 'hub is down'],
  [problem('source_failing', { name: 'hub' }), 'hub fails'],
  [problem('clock_unknown', { year: 1970 }), 'the clock is not set'],
  [problem('clock_from_radio', { radio: 'mt' }), "the time is a radio's"],
  [problem('storage_failing'), 'the disk fails']
]
for (const [one, said] of BLIND)
  t.test(`no all-clear while ${one.code}`, async (t) => {
    const s = await station(t, { config, problems: () => [one] })
    t.equal(await answer(s, '!alerts'), `No alerts known. No all-clear: ${said}.`)
    t.equal(await answer(s, '!catchup'), `Nothing known in force. No all-clear: ${said}.`)
    t.match(await answer(s, '!status'), new RegExp(`0 alerts, ${said}, up`))
  })

for (const [one, said] of [
  [problem('tagging_off'), 'alerts get no regions'],
  [problem('no_named_area'), 'no area has a name'],
  [problem('zones_unplaced', { title: 'x' }), 'a warning has no known place']
] as const)
  t.test(`no all-clear for a region, or for a channel of regions, while ${one.code}`, async (t) => {
    const s = await station(t, { config, problems: () => [one] })
    t.equal(await answer(s, '!alerts North'), `No alerts known for North. No all-clear: ${said}.`)
    t.equal(
      await answer(s, '!catchup', { channel: 3, direct: false }),
      `Nothing known in force on channel 3. No all-clear: ${said}.`
    )
    t.equal(await answer(s, '!alerts'), 'No alerts.', 'everywhere: what has no region is listed too')
  })

t.test('other problems hide no alert', async (t) => {
  const s = await station(t, {
    config,
    problems: () => [problem('radio_down', { id: 'mc', reason: '' }), problem('demo')]
  })
  t.equal(await answer(s, '!alerts'), 'No alerts.')
})

t.test('two reasons are said and the rest is a number, each reason once, long names cut', async (t) => {
  const silent = (name: string): Problem => problem('source_silent', { name })
  const problems = [silent('a'), silent('a'), silent(`${'long '.repeat(20)}`), silent('c'), silent('d')]
  const s = await station(t, { config, problems: () => problems })
  const told = await answer(s, '!alerts')
  t.match(told, /^No alerts known\. No all-clear: a is silent, long long .* is silent, \+2\.$/)
  t.ok(Buffer.byteLength(told) <= 140, told)
})

t.test('a region that this station does not have is no quiet one: its regions are named', async (t) => {
  const s = await station(t, { config })
  t.equal(await answer(s, '!alerts Nowhere'), 'No region is called Nowhere here. Regions: North.')
  t.equal(await answer(s, '!catchup Nowhere'), 'No region is called Nowhere here. Regions: North.')
})

t.test('a region without a name here, that an event brings, is found', async (t) => {
  const s = await station(t, { config })
  await s.post({ id: 'a', title: 'Fire', regions: ['Elsewhere'], expires: '2026-06-01T23:00:00Z' })
  await s.run(30)
  t.match(await answer(s, '!alerts elsewhere'), /^Fire/)
})

t.test('names of forty regions are told as far as they fit', async (t) => {
  const areas = Array.from({ length: 40 }, (_, n) => ({
    name: `Region number ${n}`,
    west: -117,
    south: 43,
    east: -116,
    north: 44
  }))
  const s = await station(t, { config: { ...config, coverage: { areas } } })
  const told = await answer(s, `!alerts ${'x'.repeat(80)}`)
  t.match(told, /^No region is called x{40} here\. Regions: Region number 0, .*, \+\d\d\.$/)
  t.ok(Buffer.byteLength(told) <= 200, `${Buffer.byteLength(told)}`)
})
