import t, { type Test } from 'tap'
import { because } from '../../src/model/reason.ts'
import { AuditLog } from '../../src/platform/audit/audit-log.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { keepAuditTrail } from '../../src/station/audit-trail.ts'
import { FROM_AFAR, fire, NOW, send, station } from './harness.ts'

const config = {
  station: { name: 'Hill' },
  coverage: { areas: [{ name: 'North', bbox: [-115, 43, -114, 44] }] },
  notifications: { region_routes: { enabled: true, cells: { fire: { North: { mt: 3 } } } } }
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function audited(t: Test) {
  const audit = new AuditLog({
    folder: t.testdir({}),
    clock: new VirtualClock(NOW),
    log: { warn: () => undefined, info: () => undefined }
  })
  const s = await station(t, { config, context: { audit } })
  const stop = keepAuditTrail({
    audit,
    config: s.context.config,
    core: { observers: s.observers, reactions: { onCommand: () => () => undefined } },
    version: '0.1.0'
  })
  t.teardown(stop)
  const entries = async () => (await s.ask('/api/audit')).body.entries
  return { ...s, audit, entries }
}

t.test(
  'outlines of thousands of corners are told as changed, and do not push out what else is in the log',
  async (t) => {
    const { ask, entries } = await audited(t)
    const ring = Array.from({ length: 6000 }, (_, n) => [-114 + Math.cos(n / 955), 43 + Math.sin(n / 955)])
    const areas = [{ name: 'North', geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] } }]
    t.equal((await ask({ path: '/api/coverage', body: { areas } })).status, 200)
    const [changed] = await entries()
    t.match(changed, { code: 'audit_settings_changed_much', changes: [], text: /coverage.*cannot be taken back/ })
    t.equal((await ask({ method: 'POST', path: `/api/audit/${changed.seq}/undo` })).status, 422)
  }
)

t.test('who changed which cell is told, with what it was, and one press takes it back', async (t) => {
  const { ask, entries, context, file } = await audited(t)
  const before = file()
  const cells = { fire: { North: { mt: 5 } }, weather: { North: { mc: 'wx' } } }
  const saved = await ask({ path: '/api/notifications/region-routing', body: { enabled: true, cells } })
  t.equal(saved.status, 200)
  const [changed] = await entries()
  t.match(changed, { by: 'operator', code: 'audit_settings_changed', at: '2026-07-01T12:00:00.000Z' })
  const placed = new Map(changed.changes.map((change: { pointer: string }) => [change.pointer, change]))
  t.match(placed.get('/notifications/region_routes/cells/fire/North/mt'), { before: 3, after: 5 })
  t.match(placed.get('/notifications/region_routes/cells/weather'), { after: { North: { mc: 'wx' } } })
  const undone = await ask({ method: 'POST', path: `/api/audit/${changed.seq}/undo` })
  t.match(undone, { status: 200, body: { ok: true } })
  t.same(JSON.parse(file()), JSON.parse(before))
  t.equal(context.config.current().notifications.region_routes.cells['fire']?.['North']?.mt, 3)
  t.match((await entries())[0], { code: 'audit_settings_taken_back', by: 'operator' })
})

t.test('a change is not taken back over a later one', async (t) => {
  const { ask, entries, file } = await audited(t)
  const name = (value: string) => ask({ path: '/api/settings', body: { set: { '/station/name': value } } })
  await name('Ridge')
  const [first] = await entries()
  await name('Peak')
  const before = file()
  const refused = await ask({ method: 'POST', path: `/api/audit/${first.seq}/undo` })
  t.match(refused, { status: 409, body: { detail: /changed again since: \/station\/name/ } })
  t.equal(file(), before)
  for (const [path, status] of [
    ['/api/audit/999/undo', 404],
    ['/api/audit/x/undo', 404],
    ['/api/audit/1/undo', 422]
  ] as const)
    t.equal((await ask({ method: 'POST', path })).status, status, path)
})

t.test(
  'an edit by hand has no name; a secret is never in the log, and stays when a change is taken back',
  async (t) => {
    const { ask, entries, edit, context, file } = await audited(t)
    const with_ = (alerts: object) =>
      JSON.stringify({ ...config, notifications: { ...config.notifications, ...alerts } })
    edit(
      with_({
        network: [{ id: 'n', url: 'https://user:hunter2@example.org/x', webhook_headers: { Authorization: 's3cret' } }]
      })
    )
    await context.config.refresh()
    const [edited] = await entries()
    t.match(edited, { by: 'file', code: 'audit_file_edited' })
    t.notMatch(JSON.stringify(edited), /hunter2|s3cret/)
    await ask({ path: '/api/settings', body: { set: { '/station/name': 'Ridge' } } })
    const [named] = await entries()
    await ask({ method: 'POST', path: `/api/audit/${named.seq}/undo` })
    t.match(file(), /s3cret/)
  }
)

t.test('silences, acknowledgements, sign-ins and messages that left are in it', async (t) => {
  const s = await audited(t)
  const { ask, entries } = s
  await ask({ path: '/api/events', body: fire })
  send(s, 1)
  await ask({ path: '/api/silences', body: { family: 'fire', duration: '1h', reason: 'a drill' } })
  await ask({ method: 'DELETE', path: '/api/silences/1' })
  await ask({
    path: `/api/threads/${encodeURIComponent((await ask('/api/events')).body.events[0].thread_id)}/ack`,
    body: {}
  })
  const code = await s.context.sessions.newClaim()
  const form = (fields: Record<string, string>) =>
    ask({ path: '/sign-in', headers: { ...FORM, ...FROM_AFAR }, raw: new URLSearchParams(fields).toString() })
  t.equal((await form({ code, passphrase: 'correct horse' })).status, 303)
  t.equal((await form({ passphrase: 'wrong horse' })).status, 401)
  t.equal((await form({ passphrase: 'correct horse' })).status, 303)
  t.same((await entries()).map(({ code, by }: { code: string; by: string }) => [code, by]).reverse(), [
    ['audit_started', 'station'],
    ['audit_message_left', 'station'],
    ['audit_silenced', 'operator'],
    ['audit_silence_ended', 'operator'],
    ['audit_acknowledged', 'operator'],
    ['audit_claimed', 'operator'],
    ['audit_sign_in_refused', 'guest'],
    ['audit_signed_in', 'operator']
  ])
})

t.test('the page shows it to the operator, in both languages, and takes a change back without a script', async (t) => {
  const { ask, audit, file } = await audited(t)
  await ask({ path: '/api/settings', body: { set: { '/station/name': '<b>Ridge</b>' } } })
  const page = await ask('/audit')
  t.match(page.text, /\/station\/name<\/code>: <del>Hill<\/del> → <ins>&lt;b&gt;Ridge&lt;\/b&gt;<\/ins>/)
  t.match((await ask({ path: '/audit', headers: { 'accept-language': 'de' } })).text, /Zurücknehmen/)
  const [{ seq } = { seq: 0 }] = await audit.newest(1)
  const pressed = await ask({ path: '/audit', headers: FORM, raw: `seq=${seq}` })
  t.equal(pressed.status, 303)
  t.match(JSON.parse(file()), { station: { name: 'Hill' } })
  t.equal((await ask({ path: '/audit', headers: FORM, raw: `seq=${seq}` })).status, 409)
})

t.test('places without end are told by what they belong to, and the rest as a number', async (t) => {
  const { ask, audit } = await audited(t)
  const regions = Array.from({ length: 30 }, (_, n) => `Valley ${n}`)
  const cells = { fire: Object.fromEntries(regions.map((name, n) => [name, { mt: n % 8 }])) }
  await ask({ path: '/api/settings', body: { set: { '/notifications/region_routes/cells': cells } } })
  const [record] = await audit.newest(1)
  const entry = async (language: string) => {
    const { text } = await ask({ path: '/audit', headers: { 'accept-language': language } })
    return text.slice(text.indexOf(`id="entry-${record?.seq}"`), text.indexOf(`id="entry-${(record?.seq ?? 0) - 1}"`))
  }
  const english = await entry('en')
  const sentence = /<p>(Settings changed[^<]*)<\/p>/.exec(english)?.[1] ?? ''
  t.match(sentence, /Settings changed: .* › .* \(3\d\)$/)
  t.notMatch(sentence, 'Valley 20')
  t.equal(english.match(/<del>/g)?.length, 20)
  t.match(english, /and 1\d more<\/a>/)
  t.match(await entry('de'), /und 1\d weitere<\/a>/)
  const rest = /href="(\/api\/audit[^"]*)"/.exec(english)?.[1]?.replaceAll('&amp;', '&') ?? ''
  t.ok((await ask(rest)).body.entries[0].changes.length >= 30, 'the link has all of them')
})

t.test('a guest sees nothing of it', async (t) => {
  const { ask, audit } = await audited(t)
  audit.add({ by: 'operator', what: because('audit_signed_in', { from: '10.7.7.7' }) })
  t.equal((await ask({ path: '/api/audit', headers: FROM_AFAR })).status, 401)
  t.equal((await ask({ method: 'POST', path: '/api/audit/1/undo', headers: FROM_AFAR })).status, 401)
  const page = await ask({ path: '/audit', headers: FROM_AFAR })
  t.match(page, { status: 200, text: /Only the operator sees/ })
  t.notMatch(page.text, /10\.7\.7\.7/)
  t.equal((await ask({ path: '/audit', headers: { ...FORM, ...FROM_AFAR }, raw: 'seq=1' })).status, 401)
})

t.test('a preview has none', async (t) => {
  const { ask } = await station(t)
  t.equal((await ask('/api/audit')).status, 404)
  t.match((await ask('/audit')).text, /A preview keeps no log/)
})
