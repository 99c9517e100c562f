import t from 'tap'
import type { AirtimeAhead } from '../../src/warning/outbox/airtime-ahead.ts'
import { NOW, radio, station } from './harness.ts'

/** The hours to come on the air: when the legal hour will be full, what is known, and what nobody knows. */

const HOUR = 3_600_000
const plain = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
const ahead: AirtimeAhead = {
  ...{ radio: 'a', network: 'mt', used_ms: 12_000, budget_ms: 20_160, full_at: null, clear_at: null, late: 0, held: 0 },
  ...{ is_estimate: false, days: 0, channels: [] },
  hours: Array.from({ length: 12 }, (_, n) => ({ from: NOW + n * HOUR, queued_ms: 0, planned_ms: 0, usual_ms: null }))
}
const channel = { channel: '3', queued: 14, planned: 1, ms: 30_500, usual_ms: 4200 }
const storm: AirtimeAhead = {
  ...ahead,
  ...{ full_at: NOW + 10 * 60_000, clear_at: NOW + 2 * HOUR, late: 2, held: 3, is_estimate: true, days: 5 },
  channels: [channel]
}
const with_ = (one: AirtimeAhead) => ({
  config: { station: { timezone: 'UTC', time_format: '24h' as const } },
  radios: [radio()],
  context: { airtimeAhead: async () => [one] }
})
const clock = (at: number): string => new Date(at).toISOString().slice(11, 16)

t.test('history, radios and the overview say when the hour will be full and when the last text has gone', async (t) => {
  const { ask } = await station(t, with_(storm))
  for (const path of ['/history', '/radios', '/']) {
    const said = plain((await ask(path)).text)
    t.match(said, `The hour is full from ${clock(NOW + 10 * 60_000)}`, path)
    t.match(said, `Waiting: 14. The last is on the air at about ${clock(NOW + 2 * HOUR)}`, path)
  }
})

t.test('what is guessed, held or too late is said, and each channel has its figures', async (t) => {
  const { ask } = await station(t, with_(storm))
  const said = plain((await ask('/history')).text)
  t.match(said, 'Over before their turn: 2.')
  t.match(said, 'Held for another reason: 3. When they go is not known.')
  t.match(said, 'Some texts are not written yet: their length is guessed.')
  t.match(said, 'Usual: the mean of the last days (5). Nobody knows which alerts come.')
  t.match(said, 'Meshtastic 3 14 1 30.5 s 4.2 s')
  t.match(said, 'Of each hour 20.2 s may be used')
  const german = plain((await ask({ path: '/history', headers: { 'accept-language': 'de' } })).text)
  t.match(german, 'Sendezeit der kommenden Stunden')
  t.match(german, /Ab \d\d:\d\d ist die Stunde voll/)
})

t.test('where nothing waits the overview has no line of it, and without a past nothing is called usual', async (t) => {
  const { ask } = await station(t, with_(ahead))
  t.notMatch((await ask('/')).text, 'Coming hours')
  const said = plain((await ask('/history')).text)
  t.match(said, 'The hours have room for all that is known. Nothing waits.')
  t.match(said, 'What an hour usually takes is not known yet')
  const none = await station(t)
  t.notMatch((await none.ask('/history')).text, 'Air time of the coming hours', 'without a radio there is no air')
})

t.test('of a radio that is not ready the forecast says so', async (t) => {
  const { ask } = await station(t, { ...with_(storm), radios: [radio({ state: 'down' })] })
  t.match(plain((await ask('/history')).text), 'The radio is not ready: all of this begins when it is.')
})
