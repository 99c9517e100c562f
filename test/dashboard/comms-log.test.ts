import t, { type Test } from 'tap'
import { because } from '../../src/model/reason.ts'
import { CommandJournal } from '../../src/warning/commands/journal.ts'
import { FROM_AFAR, fire, launch, NOW, queue, radio, type Station, station } from './harness.ts'

/** The paper trail: the radio traffic of a day, in the layout of ICS-309, and as JSON and CSV (docs/interface.md §7). */

const config = {
  station: { name: 'Ridge Station', timezone: 'America/Boise' },
  coverage: { region_tagging: true, areas: [{ name: 'North', bbox: [0, 0, 1, 1] }] }
}
const plain = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
const DAY = '/api/comms-log?day=2026-07-01'

async function withFire(t: Test, patch: object = {}): Promise<Station> {
  const s = await station(t, { config, radios: [radio({ simulated: false })] })
  await s.ask({ path: '/api/events', body: { ...fire, ...patch } })
  return s
}

/** It goes on the air and somebody repeats it. */
function tell(s: Station, text: string, { simulated = false } = {}): number {
  const id = queue(s, 1)
  launch(s.outbox, id, text, { simulated })
  return id
}

t.test('the log has what was on the air, what came by radio, and apart what was not on the air', async (t) => {
  const s = await withFire(t)
  const heard = tell(s, 'FIRE Pine')
  s.outbox.apply(heard, 'hear', { reason: null, step: because('heard'), patch: { heard_by: 2 } })
  s.clock.set(NOW + 60_000)
  const failed = queue(s, 1)
  s.outbox.apply(failed, 'fail', { reason: 'no_channel', step: because('no_text') })
  const unknown = queue(s, 1)
  s.outbox.apply(unknown, 'hand_over', { reason: null, step: because('handed_over') })
  s.outbox.apply(unknown, 'lose', { reason: 'no_answer', step: because('not_worth_again'), patch: { sent_at: NOW } })
  tell(s, 'into the void', { simulated: true })
  new CommandJournal(s.db).add({
    ...{ key: 'k1', sender: 'mt !a1b2c3d4', command: 'status', outcome: 'answered', at: NOW + 90_000 }
  })
  const { body } = await s.ask(DAY)
  t.match(body, {
    station: 'Ridge Station',
    from: '2026-07-01T06:00:00.000Z',
    to: '2026-07-02T06:00:00.000Z',
    next: null
  })
  const told = body.entries.map((row: Record<string, unknown>) => [
    row['local'],
    row['on_air'],
    row['state'],
    row['message']
  ])
  t.same(told.slice(0, 1), [['2026-07-01 06:00:00', 'yes', 'heard', 'FIRE Pine']])
  t.same(
    told.slice(1, 4).sort(),
    [
      ['2026-07-01 06:01:00', 'no', 'failed', null],
      ['2026-07-01 06:01:00', 'no', 'sent', 'into the void'],
      ['2026-07-01 06:01:00', 'unknown', 'sent_unknown', null]
    ].sort()
  )
  t.match(body.entries[0], { from: 'Ridge Station', to: 'Meshtastic 3 (north)', heard_by: 2, number: heard })
  t.match(body.entries[4], { direction: 'in', from: 'Meshtastic !a1b2c3d4', to: 'Ridge Station', message: '!status' })
  const page = plain((await s.ask('/comms-log?day=2026-07-01&incident=Croy+%3CFire%3E')).text)
  t.match(page, /Croy &lt;Fire&gt;.*2026-07-01 00:00:00 – 2026-07-02 00:00:00.*America\/Boise/)
  t.match(page, /Transmissions: 1\. Commands received: 1\. Not on the air, or not known: 3\./)
  t.match(page, /FIRE Pine.*by 2.*!status.*Not on the air.*Failed.*Sent, outcome unknown/)
  t.notMatch(page.split('Not on the air')[0], /into the void/, 'a simulated radio transmits nothing')
})

t.test('what is said twice is two transmissions, each on the day it was on the air', async (t) => {
  const s = await withFire(t)
  s.clock.set(Date.parse('2026-07-02T05:59:50Z'))
  const id = tell(s, 'FIRE Pine')
  s.outbox.apply(id, 'unheard', { reason: 'nobody_heard', step: because('no_word') })
  s.clock.set(Date.parse('2026-07-02T06:00:20Z'))
  s.outbox.apply(id, 'offer_again', { reason: 'nobody_heard', step: because('unheard_again') })
  s.outbox.apply(id, 'hand_over', { reason: null, step: because('handed_over_again') })
  s.outbox.apply(id, 'left', { reason: null, step: because('left_radio') })
  const of = async (day: string): Promise<unknown[]> =>
    (await s.ask(`/api/comms-log?day=${day}`)).body.entries.map((row: Record<string, unknown>) => [
      row['time'],
      row['again']
    ])
  t.same(await of('2026-07-01'), [['2026-07-02T05:59:50.000Z', false]])
  t.same(await of('2026-07-02'), [['2026-07-02T06:00:20.000Z', true]])
})

t.test('a guest reads that somebody was answered, not who and what', async (t) => {
  const s = await withFire(t)
  const id = s.outbox.addText({
    ...{ kind: 'reply', transport: 'mt', channel: '!a1b2c3d4', direct: true, text: 'secret words', key: 'q' },
    expiresAt: NOW + 60_000
  })
  launch(s.outbox, id, 'secret words', { simulated: false })
  new CommandJournal(s.db).add({ key: 'k', sender: 'mt !a1b2c3d4', command: 'ask', outcome: 'answered', at: NOW })
  for (const path of [DAY, `${DAY}&format=csv`, '/comms-log?day=2026-07-01']) {
    t.match(
      (await s.ask(path)).text,
      /a1b2c3d4[\s\S]*secret words|secret words[\s\S]*a1b2c3d4/,
      `${path}: the operator`
    )
    const { status, text } = await s.ask({ path, headers: FROM_AFAR })
    t.equal(status, 200)
    t.notMatch(text, /a1b2c3d4|secret words/, path)
  }
})

t.test('a drill is marked wherever it stands in the log', async (t) => {
  const s = await withFire(t, { data: { drill: true } })
  tell(s, 'DRILL FIRE Pine')
  t.match((await s.ask(DAY)).body.entries, [{ drill: true, on_air: 'yes' }])
  t.match((await s.ask('/comms-log?day=2026-07-01')).text, /<span class="demo">DRILL<\/span>/)
})

t.test('an exercise is marked as one in the log', async (t) => {
  const s = await withFire(t, { data: { drill: true, exercise: 'Spring' } })
  tell(s, 'EXERCISE FIRE Pine')
  t.match((await s.ask('/comms-log?day=2026-07-01')).text, /<span class="demo">EXERCISE<\/span>/)
})

t.test(
  'a span is of days, of times of the station or of RFC 3339; what cannot be read or is too long is refused',
  async (t) => {
    const s = await withFire(t)
    tell(s, 'FIRE Pine')
    const count = async (query: string): Promise<number> => (await s.ask(`/api/comms-log?${query}`)).body.entries.length
    t.equal(await count('from=2026-06-30&to=2026-07-01'), 1, 'the last day to its end')
    t.equal(await count('from=2026-07-01T06:00&to=2026-07-01T06:01'), 1, 'by the clock of the station')
    t.equal(await count('from=2026-07-01T06:01&to=2026-07-01T09:00'), 0)
    t.equal(await count('from=2026-07-01T12:00:00Z&to=2026-07-01T12:00:01Z'), 1)
    t.equal(await count('from=2026-07-01T05:00'), 1, 'to the end of its day')
    const refused: [string, string][] = [
      ['day=2026-02-30', '/day'],
      ['day=yesterday', '/day'],
      ['day=2026-07-01&from=2026-07-01', '/day'],
      ['from=1.7.2026', '/from'],
      ['from=2026-07-01&to=soon', '/to'],
      ['from=2026-07-02&to=2026-07-01', '/to'],
      ['from=2026-07-01&to=2026-07-09', '/to'],
      ['from=0000-01-01T00:00:00Z', '/from'],
      ['from=9999-12-31T23:00:00Z', '/from']
    ]
    for (const [query, path] of refused) {
      t.match(await s.ask(`/api/comms-log?${query}`), { status: 422, body: { errors: [{ path }] } }, query)
      const page = await s.ask(`/comms-log?${query}`)
      t.equal(page.status, 422, query)
      t.match(page.text, /role="alert"/, query)
    }
  }
)

t.test('a CSV has a line for each transmission, and no cell that a spreadsheet would run', async (t) => {
  const s = await withFire(t)
  tell(s, ' =HYPERLINK("x"), "quoted"')
  const { headers, text } = await s.ask(`${DAY}&format=csv`)
  t.match(headers['content-disposition'], 'comms-log-2026-07-01.csv')
  const [head, line, end] = text.split('\r\n')
  t.match(head, /^time,local,direction,on_air,number,network,from,to,proven,message,state,/)
  t.match(
    line,
    /^2026-07-01T12:00:00.000Z,2026-07-01 06:00:00,out,yes,\d+,mt,Ridge Station,Meshtastic 3 \(north\),,"' =HYPERLINK/
  )
  t.equal(end, '')
})

t.test(
  'a log that is too long for one answer goes on where it ended, and nothing of it is told twice or lost',
  async (t) => {
    const s = await withFire(t)
    const many = 700
    s.db.transaction(() => {
      for (let n = 0; n < many; n++) {
        s.clock.set(NOW + 1000 * Math.floor(n / 3))
        tell(s, `text ${n}`)
      }
    })
    const seen: number[] = []
    let path: string | null = DAY
    let pages = 0
    while (path !== null && pages++ < 10) {
      const { body } = await s.ask({ path, headers: FROM_AFAR })
      t.ok(body.entries.length <= 300, 'a guest is given little at once')
      seen.push(...body.entries.map(({ number }: { number: number }) => number))
      path = body.next === null ? null : `/api/comms-log?from=${body.next}&to=${body.to}`
    }
    t.equal(seen.length, many)
    t.equal(new Set(seen).size, many)
    t.equal((await s.ask(DAY)).body.entries.length, many, 'the operator has the day on one page')
    const guest = (await s.ask({ path: '/comms-log?day=2026-07-01', headers: FROM_AFAR })).text
    t.match(guest, /rel="next" href="\/comms-log\?from=/)
    const csv = await s.ask({ path: `${DAY}&format=csv`, headers: FROM_AFAR })
    t.match(csv.headers['link'], /^<\/api\/comms-log\?from=2026[^>]+format=csv>; rel="next"$/)
  }
)

t.test('what the station may not know any more is said', async (t) => {
  const s = await withFire(t)
  t.same((await s.ask(DAY)).body.gaps, ['not_over'])
  t.same((await s.ask('/api/comms-log?day=2026-06-30')).body.gaps, [])
  t.same((await s.ask('/api/comms-log?day=2026-06-20')).body.gaps, ['commands_pruned'])
  t.same((await s.ask('/api/comms-log?day=2026-06-01')).body.gaps, ['messages_pruned', 'commands_pruned'])
  t.match(plain((await s.ask('/comms-log?day=2026-06-01')).text), /Messages are kept for 14 days/)
})
