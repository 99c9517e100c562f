import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { mailServer } from '../helpers/mail-server.ts'
import { radio, station } from './harness.ts'

/** `POST /api/notifications/destinations/:name/test`, against real servers on this machine. */

interface Call {
  body: string
  title: string | undefined
}

async function receiver(t: Test, status: number): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      calls.push({ body, title: request.headers['title'] as string | undefined })
      response.statusCode = status
      response.end('secret words of the server')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/topic`, calls }
}

const withDestinations = (destinations: object) => ({ station: { name: 'Ridge' }, notifications: { destinations } })
const path = (name: string): string => `/api/notifications/destinations/${encodeURIComponent(name)}/test`

t.test('a webhook and ntfy are asked once, with words that say it is a test', async (t) => {
  const [hook, topic] = [await receiver(t, 200), await receiver(t, 200)]
  const { ask } = await station(t, {
    config: withDestinations({
      ops: { type: 'webhook', webhook_url: hook.url },
      'my phone': { type: 'ntfy', webhook_url: topic.url }
    })
  })
  const answer = await ask({ path: path('ops'), body: {} })
  t.strictSame([answer.status, answer.body], [200, { ok: true, state: 'taken', reason: null, deliveries: [] }])
  t.match(JSON.parse(hook.calls[0]?.body ?? '{}'), {
    severity: 'routine',
    message: /A test of this destination.*Nothing has happened/,
    source_event: { title: 'TEST Ridge', source: 'test' }
  })
  t.equal((await ask({ path: path('my phone'), body: {} })).body.state, 'taken')
  t.match(topic.calls, [{ title: 'TEST Ridge', body: /Nothing has happened/ }])
  t.equal(hook.calls.length, 1)
})

t.test('e-mail is handed to the server, and its refusal is told', async (t) => {
  const { port, mails } = await mailServer(t)
  const mail = {
    type: 'email',
    smtp_host: '127.0.0.1',
    smtp_tls: false,
    from_address: 'a@x.org',
    recipients: ['b@x.org']
  }
  const { ask } = await station(t, {
    config: withDestinations({ mail: { ...mail, smtp_port: port }, nobody: { ...mail, smtp_port: 1 } })
  })
  t.equal((await ask({ path: path('mail'), body: {} })).body.state, 'taken')
  t.match(mails, [/Subject: TEST Ridge/])
  const refused = await ask({ path: path('nobody'), body: {} })
  t.match(refused.body, { ok: false, state: 'refused', reason: /ECONNREFUSED/ })
})

t.test('what a server answers is told by its number, in the language of whoever asks', async (t) => {
  const { url } = await receiver(t, 403)
  const { ask } = await station(t, { config: withDestinations({ ops: { type: 'webhook', webhook_url: url } }) })
  const english = await ask({ path: path('ops'), body: {} })
  t.strictSame([english.status, english.body.ok, english.body.reason], [200, false, 'the server answered 403'])
  const german = await ask({ path: path('ops'), body: {}, headers: { 'accept-language': 'de' } })
  t.equal(german.body.reason, 'der Server antwortete 403')
})

t.test('a mesh gets its text through the outbox, one for each channel or person', async (t) => {
  const { ask, outbox } = await station(t, {
    radios: [radio()],
    config: withDestinations({ team: { type: 'mesh_dm', node_ids: ['!a1b2c3d4', '!00000002'] } })
  })
  const { status, body } = await ask({ path: path('team'), body: {} })
  t.equal(status, 200)
  t.match(body, { ok: true, state: 'queued', reason: null })
  const rows = (body.deliveries as number[]).map((id) => outbox.get(id))
  t.match(rows, [
    { transport: 'mt', channel: '!a1b2c3d4', direct: true, content: { kind: 'test' }, parts: [/^TEST Ridge/] },
    { transport: 'mt', channel: '!00000002', direct: true, content: { kind: 'test' } }
  ])
})

t.test('what a destination lacks, one that is not saved, notifications off: each is told', async (t) => {
  const config = withDestinations({ half: { type: 'webhook' }, late: { type: 'digest' } })
  const { ask } = await station(t, { config })
  const half = await ask({ path: path('half'), body: {} })
  t.equal(half.status, 409)
  t.match(half.body.detail, /webhook needs webhook_url/)
  t.equal((await ask({ path: path('late'), body: {} })).status, 409)
  for (const name of ['gone', '__proto__', 'toString'])
    t.equal((await ask({ path: path(name), body: {} })).status, 404, name)
  const off = await station(t, { config: { notifications: { ...config.notifications, enabled: false } } })
  t.equal((await off.ask({ path: path('half'), body: {} })).status, 409)
})
