import { networkInterfaces } from 'node:os'
import t from 'tap'
import { checkTarget } from '../../../src/knowledge/scrape/target.ts'
import { AllowList, isAllowEntry, isNeverArchived } from '../../../src/platform/net/allow-list.ts'
import { httpGet } from '../../../src/platform/net/fetch.ts'
import { rulesFor, siteGuard } from '../../../src/platform/net/site-guard.ts'
import { serveSite } from '../../knowledge/scrape/site.ts'

const LISTED = ['wiki.station.lan', '*.field.example', '192.168.5.0/24', 'fd12:3456::/32']
const names: Readonly<Record<string, string>> = {
  'wiki.station.lan': '192.168.7.9',
  'printer.station.lan': '192.168.5.20',
  'nas.station.lan': '192.168.9.20',
  'docs.field.example': '10.1.2.3',
  'evil.example': '192.168.5.20',
  'sneaky.field.example': '127.0.0.1',
  'meta.field.example': '169.254.169.254',
  'public.example': '93.184.215.14'
}
const resolve = async (host: string) => [{ address: names[host] ?? '93.184.215.14', family: 4 }]
const check = (address: string) => checkTarget(address, { ...rulesFor(address, LISTED), resolve })

t.test("the operator's own hosts and networks are open, everything else private stays closed", async (t) => {
  for (const address of [
    'http://wiki.station.lan/',
    'http://WIKI.station.lan/',
    'http://printer.station.lan/',
    'http://192.168.5.7:8080/x',
    'https://docs.field.example/',
    'http://[fd12:3456::1]/',
    'https://public.example/'
  ])
    t.ok(await check(address), address)
  for (const [address, words] of [
    ['http://nas.station.lan/', /192\.168\.9\.20.*scraper\.allowed_hosts/],
    ['http://192.168.6.7/', /not a public address|public.*scraper\.allowed_hosts/s],
    ['http://10.1.2.3/', /scraper\.allowed_hosts/],
    ['https://evil.example/', /192\.168\.5\.20/],
    ['http://[fd13::1]/', /scraper\.allowed_hosts/]
  ] as const)
    await t.rejects(check(address), { code: 'invalid', message: words }, address)
})

t.test('this station, its link and groups are never opened, and nobody is told that they could be', async (t) => {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const everything = new AllowList([
    '*.example',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '224.0.0.0/8',
    'fe80::/10',
    'fc00::/7'
  ])
  for (const address of [
    ...['127.0.0.1', '127.1.2.3', '0.0.0.0', '169.254.169.254', '224.0.0.251', '255.255.255.255', '100.100.100.200'],
    ...['::1', '::', 'fe80::1', 'ff02::1', 'fd00:ec2::254', '::ffff:127.0.0.1', '::ffff:169.254.169.254'],
    ...own.map((one) => one.address)
  ]) {
    t.ok(isNeverArchived(address), address)
    t.notOk(everything.allows(address, 'wiki.example'), address)
    t.notOk(everything.allows(address, address), address)
  }
  for (const address of ['http://127.0.0.1/', 'http://localhost/', 'http://169.254.169.254/', 'http://x.localhost/']) {
    const error: unknown = await check(address).catch((thrown: unknown) => thrown)
    t.match(error, { code: 'invalid' }, address)
    t.notMatch(error, { message: /allowed_hosts/ }, address)
  }
  for (const address of ['https://sneaky.field.example/', 'https://meta.field.example/'])
    await t.rejects(check(address), { message: /leads to/ }, address)
})

t.test('redirects and names that change lead into no network that is not listed', async (t) => {
  const inner = await serveSite(t, { '/': 'inside' })
  const { port } = new URL(inner.origin)
  // Stands in for a public address that a test cannot have: everything of 127.0.0.0/8 but 127.0.0.1.
  const asPublic = (one: string): boolean => one.startsWith('127.') && one !== '127.0.0.1'
  const get = async (first: string, listed: readonly string[], to: string) => {
    const rules = rulesFor(first, listed)
    const guard = siteGuard({
      ...rules,
      resolve: async () => [{ address: to, family: 4 }],
      isAllowed: (one, host) => asPublic(one) || (rules.isAllowed?.(one, host) ?? false)
    })
    return httpGet({ url: first, userAgent: 'x', guard })
  }
  await t.rejects(get(`http://site.example:${port}/`, ['10.0.0.0/8'], '127.0.0.1'), { message: /127\.0\.0\.1/ })
  await t.rejects(get(`http://wiki.lan:${port}/`, ['wiki.lan'], '127.0.0.1'), { message: /127\.0\.0\.1/ })
  t.same(inner.asked, [])

  // A page of the public Internet that leads into a listed network: the job is not one of that network.
  const strict = siteGuard(rulesFor('https://public.example/', LISTED))
  t.throws(() => strict.check(new URL('http://192.168.5.7/')), { message: /192\.168\.5\.7/ })
  t.throws(() => strict.check(new URL('http://wiki.station.lan/')), { message: /local network/ })
  const open = siteGuard(rulesFor('http://wiki.station.lan/', LISTED))
  open.check(new URL('http://192.168.5.7/'))
  t.throws(() => open.check(new URL('http://192.168.6.7/')), { message: /192\.168\.6\.7/ })
})

t.test('an entry is a name, an address or a network that is not half of the Internet', async (t) => {
  for (const entry of [...LISTED, '10.0.0.0/8', '192.168.5.7', 'wiki', 'fd00::1', 'xn--kche-0ra.lan'])
    t.ok(isAllowEntry(entry), entry)
  for (const entry of [
    '',
    '*',
    '*.',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/4',
    '10.0.0.0/33',
    '1.2.3',
    'http://x/',
    'a b',
    '10.0.0.0/8/8',
    'x/24',
    '192.168.5.0/'
  ])
    t.notOk(isAllowEntry(entry), entry)
})
