import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { inWords } from '../../helpers/in-words.ts'
import { mailServer } from '../../helpers/mail-server.ts'
import { START, type Station, station } from '../../helpers/station.ts'

/** E-mail, webhooks and ntfy against real servers on this machine: contract §5. */

interface Call {
  headers: IncomingMessage['headers']
  body: string
}

async function receiver(t: Test, statuses: number[]): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      calls.push({ headers: request.headers, body })
      response.statusCode = statuses[calls.length - 1] ?? 200
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/topic`, calls }
}

function withDestination(destination: unknown): { notifications: unknown } {
  return {
    notifications: {
      coalesce_seconds: 0,
      toggles: { fire: { enabled: true, min_severity: 'routine', destinations: ['ops'] } },
      destinations: { ops: destination }
    }
  }
}

/** Real sockets beside a virtual clock: the clock runs on whenever the network has been idle. */
async function until(s: Station, done: () => boolean, rounds = 400): Promise<void> {
  for (let round = 0; round < rounds && !done(); round++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    await s.run(1)
  }
}

const ended = (s: Station) => (): boolean => s.deliveries().every(({ state }) => ['sent', 'failed'].includes(state))

t.test('a webhook gets the documented body; its address never stands in the delivery', async (t) => {
  const { url, calls } = await receiver(t, [200])
  const s = await station(t, {
    config: withDestination({ type: 'webhook', webhook_url: url, webhook_headers: { 'x-key': 'k' } })
  })
  await s.post({ id: 'a', summary: 'smoke', severity: 'critical' })
  await until(s, ended(s))
  t.match(s.deliveries(), [{ transport: 'webhook', channel: 'destination:ops', state: 'sent' }])
  t.match(JSON.parse(calls[0]?.body ?? '{}'), {
    schema_version: '1.0',
    message: 'smoke',
    severity: 'critical',
    event_type: 'fire',
    region: 'North',
    source_event: { id: 'a' }
  })
  t.equal(calls[0]?.headers['x-key'], 'k')
  t.notMatch(JSON.stringify(s.deliveries()), /127\.0\.0\.1/)
})

t.test(
  'a server in trouble is tried again, a refusal is final, and the cooldown is armed by a success only',
  async (t) => {
    const { url, calls } = await receiver(t, [503, 200, 404])
    const s = await station(t, { config: withDestination({ type: 'webhook', webhook_url: url }) })
    await s.post({ id: 'a', severity: 'critical' })
    await until(s, ended(s))
    t.match(s.deliveries(), [{ state: 'sent', attempts: 2 }])
    await s.post({ id: 'b', severity: 'critical' })
    await until(s, ended(s))
    t.match(s.deliveries()[1], { state: 'failed', reason: 'server_refused', attempts: 1 })
    t.equal(calls.length, 3)
  }
)

t.test('nobody there: below critical tried with growing pauses, then failed with the reason', async (t) => {
  const s = await station(t, { config: withDestination({ type: 'webhook', webhook_url: 'http://127.0.0.1:1/' }) })
  await s.post({ id: 'a', severity: 'priority' })
  await until(s, ended(s))
  t.match(s.deliveries(), [{ state: 'failed', reason: 'server_refused', attempts: 6 }])
  t.match(inWords(s.core.deliveries.steps(1).at(-1)?.step), /fetch failed|refused|bad port/)
})

t.test('ntfy gets plain text with a title and a priority', async (t) => {
  const { url, calls } = await receiver(t, [200])
  const s = await station(t, { config: withDestination({ type: 'ntfy', webhook_url: url }) })
  await s.post({ id: 'a', title: 'Feuer über Zürich', severity: 'immediate' })
  await until(s, ended(s))
  t.match(calls[0]?.headers, { title: 'Feuer uber Zurich (North)', priority: '5' })
})

t.test('e-mail goes through a real SMTP server', async (t) => {
  const { port, mails } = await mailServer(t)
  const email = {
    type: 'email',
    smtp_host: '127.0.0.1',
    smtp_port: port,
    smtp_tls: false,
    from_address: 'lookout@station.local',
    recipients: ['ops@station.local']
  }
  const s = await station(t, { config: withDestination(email) })
  await s.post({ id: 'a', title: 'Fire on the ridge', body: 'Leave by the north road.' })
  await until(s, ended(s))
  t.match(s.deliveries(), [{ transport: 'email', state: 'sent' }])
  t.match(mails[0], /Subject: Fire on the ridge \(North\)[\s\S]*Leave by the north road/)
})

t.test(
  'critical is tried over the internet as long as its event is in force, never more than two minutes apart',
  async (t) => {
    const statuses = Array.from({ length: 12 }, () => 503)
    const { url, calls } = await receiver(t, statuses)
    const s = await station(t, { config: withDestination({ type: 'webhook', webhook_url: url }) })
    await s.post({ id: 'a', severity: 'critical', expires: new Date(s.clock.now() + 7_200_000).toISOString() })
    let [tries, at, longest] = [0, s.clock.now(), 0]
    await until(
      s,
      () => {
        if (calls.length > tries) {
          longest = Math.max(longest, s.clock.now() - at)
          ;[tries, at] = [calls.length, s.clock.now()]
        }
        return ended(s)() || s.clock.now() > START + 7_000_000
      },
      2500
    )
    t.match(s.deliveries(), [{ state: 'sent', attempts: 13 }])
    t.ok(longest > 30_000 && longest < 130_000, `${longest} ms`)
  }
)
