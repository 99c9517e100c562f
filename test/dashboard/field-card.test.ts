import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { HotspotPort } from '../../src/dashboard/server/hotspot.ts'
import { wordsOf } from '../../src/dashboard/words/language.ts'
import { HAZARDS, LEVELS } from '../../src/warning/messages/abbreviations.ts'
import { FROM_AFAR, radio, station } from './harness.ts'

/** The card that people take along: true for this station, and nothing on it that a stranger must not read. */

const areas = ['North', 'South', 'River'].map((name, n) => ({ name, bbox: [n, 0, n + 1, 1] }))
const plain = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

/** The text of one section as a guest reads it. */
async function card(t: Test, options: Parameters<typeof station>[1] = {}, headers: Record<string, string> = {}) {
  const s = await station(t, { radios: [radio(), radio({ id: 'b', network: 'mc', channels: [] })], ...options })
  const { status, text } = await s.ask({ path: '/field-card', headers: { ...FROM_AFAR, ...headers } })
  t.equal(status, 200)
  const part = (id: string): string =>
    plain(new RegExp(`<section aria-labelledby="${id}">.*?</section>`, 's').exec(text)?.[0] ?? '')
  return { s, text, part }
}

const matrix = (cells: object, enabled = true) => ({
  coverage: { region_tagging: true, areas },
  notifications: { region_routes: { enabled, cells } }
})

t.test('each region has its channels with what they carry; regions that are told alike are one', async (t) => {
  const { part } = await card(t, {
    config: matrix({
      fire: { North: { mt: 3, mc: 'n-fire' }, South: { mt: 3, mc: 'n-fire' }, River: { mt: 4 } },
      weather: { North: { mt: 3, min_severity: 'critical' }, South: { mt: 3, min_severity: 'critical' } }
    })
  })
  const said = part('channels')
  t.match(said, /North, South Meshtastic 3 north : Weather \(from critical on\), Fire MeshCore n-fire : Fire/)
  t.match(said, /River Meshtastic 4 : Fire/)
})

t.test('a muted cell is said, one that is off promises nothing, and a stand-in says so', async (t) => {
  const { part } = await card(t, {
    config: matrix({
      fire: { North: { mt: 1, enabled: false, mute: true }, South: { mt: 2, enabled: false } },
      emergency: { River: { mt: 0, mc: 'river', fallback: true } }
    })
  })
  const said = part('channels')
  t.match(said, /North no channel Never broadcast here: Fire\./)
  t.match(said, /South no channel(?! Never)/)
  t.match(said, /River Meshtastic 0 : Emergency MeshCore river : Emergency \(only when Meshtastic fails\)/)
})

t.test('a family without a region is told by its policy, whatever a cell of it says', async (t) => {
  const config = matrix({ rf_propagation: { North: { mt: 6 } } })
  const toggles = {
    rf_propagation: {
      enabled: true,
      min_severity: 'routine',
      broadcast_channel: 2,
      severity_channels: { critical: ['mesh_broadcast'] }
    },
    fire: { enabled: true, regions: ['River'], destinations: ['d'] },
    roads: { enabled: false, broadcast_channel: 5 }
  }
  const destinations = { d: { type: 'meshcore_broadcast', meshcore_channel: 'ops' } }
  const { part, text } = await card(t, {
    config: { ...config, notifications: { ...config.notifications, toggles, destinations } }
  })
  t.notMatch(part('channels'), /Meshtastic/)
  t.match(part('policy'), /everywhere Meshtastic 2 : Radio propagation \(from critical on\)/)
  t.match(part('policy'), /River MeshCore ops : Fire \(from priority on\)/)
  t.notMatch(text, /Roads|may send more/)
})

t.test('rules that broadcast are not forgotten', async (t) => {
  const rules = [{ name: 'r', delivery_type: 'mesh_broadcast', broadcast_channel: 1 }]
  const { part } = await card(t, { config: { notifications: { rules } } })
  t.match(part('policy'), /Rules of this station may send more/)
})

t.test('a matrix that is off, no region, and a station that is not ready promise nothing', async (t) => {
  const off = await card(t, { config: matrix({ fire: { North: { mt: 3 } } }, false) })
  t.match(off.part('channels'), /The matrix is off/)
  t.notMatch(off.part('channels'), /Meshtastic 3/)
  const empty = await card(t, { config: { notifications: { region_routes: { enabled: true } } } })
  t.match(empty.part('channels'), /no region yet/)
  const problem = { code: 'all_radios_down' as const, params: {}, blocking: true, link: '/radios' }
  const notReady = await card(t, { context: { readiness: () => ({ ready: false, problems: [problem] }) } })
  t.match(notReady.part('channels'), /At present the station would send nothing/)
})

t.test('a channel that the radio lacks, and a network without a radio, are named', async (t) => {
  const { part } = await card(t, {
    config: matrix({ fire: { North: { mt: 5, mc: 'n' } } }),
    radios: [radio({ missing_channels: [{ channel: 5, problem: 'no_channel' }] })]
  })
  t.match(part('channels'), /Meshtastic 5 \(the radio does not have it\) : Fire/)
  t.match(part('channels'), /no radio for MeshCore: nothing is sent there/)
})

t.test('the hotspot is named with the address there, and its pass phrase is written by hand', async (t) => {
  const on: HotspotPort = {
    state: () => ({ state: 'on', changing: false, reason: null, ssid: 'Hill', device: 'wlan0', address: '10.42.0.1' }),
    wish: () => ({ on: true, ssid: 'Hill', passphrase: 'quiet owl at noon', country: 'US', channel: 6, asked: 1 }),
    ask: async () => undefined
  }
  const { text, part } = await card(t, { context: { hotspot: on } })
  t.match(part('reach'), /Wi-Fi Hill Pass phrase Address http:\/\/lookout\.lan/)
  t.notOk(text.includes('quiet owl'))
  const without = await card(t)
  t.notMatch(without.part('reach'), /Wi-Fi|lookout\.lan/, 'no address is promised that may not lead here')
})

t.test('only what anybody may ask is offered', async (t) => {
  const asks = async (commands: object): Promise<string> => (await card(t, { config: { commands } })).part('commands')
  t.match(await asks({}), /!alerts \[region\].*!catchup.*!status.*!why CODE/)
  t.notMatch(await asks({ admins: ['!a1b2c3d4'] }), /!ack|!silence|!ask|a1b2c3d4/, 'no library, no admin')
  t.match(await asks({ who: { silence: 'channel', ack: 'anyone' } }), /!ack CODE.*On a channel only: !silence NAME/)
  const direct = await asks({ allow_channels: false, who: { silence: 'channel' } })
  t.match(direct, /as a direct message/)
  t.notMatch(direct, /!silence/)
  t.match(await asks({ enabled: false }), /answers no commands/)
})

t.test('it tells the clock and units of the texts, and every short word has its German', async (t) => {
  const config = { station: { timezone: 'Europe/Berlin', time_format: '24h', units: 'metric' } }
  const { part } = await card(t, { config }, { 'accept-language': 'de' })
  t.match(part('texts'), /Zeiten gelten für Europe\/Berlin, geschrieben 18:21\. Entfernungen in km/)
  t.match(part('texts'), /SVR schweres Gewitter/)
  const german = wordsOf('de')
  for (const [name, mark] of [...LEVELS, ...HAZARDS])
    t.ok(mark.toLowerCase() === name || Object.hasOwn(german, name), name)
})

t.test('it is a public page that prints by a button, from the folder it stands in', async (t) => {
  const { text } = await card(t)
  t.match(text, /data-print hidden/)
  t.match(text, new RegExp(`/static/${join('pages', 'field-card', 'style.css')}`))
})

t.test('the marks of texts are those that this station says, in the language of its texts', async (t) => {
  const { part } = await card(t, { config: { station: { language: 'de' } } })
  const said = part('texts')
  t.match(said, /WDH the same again/)
  t.match(said, /ÜBUNG, DEMO an exercise/)
  t.match(said, /WARNUNG vor …/)
  t.notMatch(said, /RPT|UPD|FLOOD WARN/)
})
