import t, { type Test } from 'tap'
import type { JsonObject } from '../../src/platform/config/json.ts'
import { describeSettings } from '../../src/settings/describe.ts'
import { tableOfRoutes } from '../helpers/answer-check.ts'
import { canaryConfig } from '../helpers/canaries.ts'
import { FROM_AFAR, fire, queue, radio, type Station, station } from './harness.ts'

/** Whoever may not change the configuration reads of it only the texts that its schema calls public (contract §10). */

/** Every address that answers GET, with something for each of its parameters. */
const PATHS = tableOfRoutes()
  .filter(({ method, path }) => method === 'GET' && path !== '/api/stream')
  .flatMap(({ path }) => {
    if (path === '/settings/:section')
      return Object.keys(describeSettings().members ?? {}).map((one) => `/settings/${one}`)
    return [path.replace('/radios/:id', '/radios/a').replace(/:\w+/g, '1')]
  })

/** No proxy is named: then whoever sits at the machine is the operator. */
function canaryStation(t: Test, config: JsonObject): Promise<Station> {
  const { http } = config
  return station(t, { config: { ...config, http: { ...Object(http), trusted_proxies: [] } }, radios: [radio()] })
}

async function readAll(s: Station, headers: Record<string, string>): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const path of PATHS) texts.set(path, (await s.ask({ path, headers })).text)
  return texts
}

t.test('no text of the configuration is read by a guest but those that the schema calls public', async (t) => {
  const { config, canaries } = canaryConfig()
  const secret = canaries.filter(({ setting }) => setting.public !== true)
  t.ok(secret.length > 200, `${secret.length} texts that are the operator's alone`)
  t.ok(canaries.length - secret.length > 80, `${canaries.length - secret.length} that are public`)
  const s = await canaryStation(t, config)
  t.equal(s.context.config.status().stale, false, 'the configuration is in force')
  await s.ask({ path: '/api/events', body: fire })
  queue(s, 1)
  for (const [path, text] of await readAll(s, FROM_AFAR)) {
    const leaked = secret.filter(({ canary }) => text.includes(canary)).map((one) => one.path)
    if (leaked.length > 0) t.strictSame(leaked, [], path)
  }
  const settings = await s.ask({ path: '/api/settings', headers: FROM_AFAR })
  const lost = canaries.filter(({ canary, setting }) => setting.public === true && !settings.text.includes(canary))
  t.strictSame(
    lost.map(({ path }) => path),
    [],
    'a public text is shown'
  )
})

t.test('the operator goes on to see every text that is no secret', async (t) => {
  const { config, canaries } = canaryConfig()
  const s = await canaryStation(t, config)
  const { text } = await s.ask('/api/settings')
  const hidden = canaries.filter(({ canary }) => !text.includes(canary)).map(({ path }) => path)
  t.ok(hidden.length < 20)
  t.strictSame(
    hidden.filter((path) => !/(?:password|secret|token|key|webhook_headers\/\w+|trusted_proxies\/0)$/.test(path)),
    [],
    'only secrets are hidden'
  )
})

t.test('a guest sees scheme and host of an address, numbers and choices, and that something is set', async (t) => {
  const webhook = { type: 'ntfy', webhook_url: 'https://me:pw@ntfy.example:8443/topic-71?auth=x', smtp_port: 25 }
  const s = await station(t, {
    config: {
      notifications: {
        destinations: { ops: { ...webhook, recipients: ['a@example.org'], webhook_headers: { A: 'b' } } }
      },
      commands: { admins: ['!a1b2c3d4'] },
      later: { key: 'unknown-9' }
    }
  })
  const { body } = await s.ask({ path: '/api/settings', headers: FROM_AFAR })
  const at = '/notifications/destinations/ops'
  t.strictSame(body.settings, {
    notifications: {
      destinations: {
        ops: {
          type: 'ntfy',
          webhook_url: 'https://ntfy.example:8443',
          smtp_port: 25,
          recipients: { $kept: `${at}/recipients` },
          webhook_headers: { $kept: `${at}/webhook_headers` }
        }
      }
    },
    commands: { admins: { $kept: '/commands/admins' } }
  })
  const page = await s.ask({ path: '/settings/commands', headers: FROM_AFAR })
  t.match(page.text, /Admins<\/label>\s*<span class="text" id="set\/commands\/admins">set<\/span>/)
})

t.test('a guest hears that the file of the configuration is broken, not what stands there', async (t) => {
  const s = await station(t, { config: { station: { name: 'Ridge' } } })
  s.edit(
    '{\n  "station": { "name": "Ridge" },\n  "notifications": { "destinations": { "hook-551": { "smtp_port": "pw-552" } } }\n}'
  )
  await s.context.config.refresh()
  for (const [path, text] of await readAll(s, FROM_AFAR)) t.notMatch(text, /hook-551|pw-552/, path)
  const { body } = await s.ask({ path: '/api/settings', headers: FROM_AFAR })
  t.strictSame([body.stale_config, body.problem], [true, 'line 3'])
  t.match((await s.ask('/api/settings')).body.problem, /hook-551/, 'the operator reads which')
})
