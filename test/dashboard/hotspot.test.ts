import t from 'tap'
import type { HotspotPort, HotspotState } from '../../src/dashboard/server/hotspot.ts'
import type { HotspotWish } from '../../src/settings/hotspot-wish.ts'
import { type Answer, FROM_AFAR, station } from './harness.ts'

/** The page and the API of the station's Wi-Fi: only the operator switches it, and what root told is said in words. */

const ON: HotspotState = {
  state: 'on',
  changing: false,
  reason: null,
  ssid: 'Hill',
  device: 'wlan0',
  address: '10.42.0.1'
}

class Fake implements HotspotPort {
  told: HotspotState | null
  wanted: HotspotWish | null = null

  constructor(told: HotspotState | null) {
    this.told = told
  }

  state = (): HotspotState | null => this.told
  wish = (): HotspotWish | null => this.wanted
  ask = async (wish: Omit<HotspotWish, 'asked'>): Promise<void> => {
    this.wanted = { ...wish, asked: (this.wanted?.asked ?? 0) + 1 }
  }
}

const put = (body: object): { method: string; path: string; body: object } => ({
  method: 'PUT',
  path: '/api/hotspot',
  body
})
const GOOD = { on: true, ssid: 'Hill', passphrase: 'quiet owl at noon', country: 'US' }

t.test('the operator switches it; what was said before stays', async (t) => {
  const hotspot = new Fake({ ...ON, state: 'off' })
  const { ask } = await station(t, { context: { hotspot } })
  t.equal((await ask(put(GOOD))).status, 200)
  t.same(hotspot.wanted, { ...GOOD, channel: 6, asked: 1 })
  const answer = await ask(put({ on: false }))
  t.same(answer.body.wanted, { on: false, ssid: 'Hill', country: 'US', channel: 6 })
  t.equal(hotspot.wanted?.passphrase, 'quiet owl at noon')
  t.notMatch(answer.text, 'quiet owl', 'the API does not give it out')
})

t.test('a guest neither switches it nor sees the pass phrase', async (t) => {
  const hotspot = new Fake(ON)
  hotspot.wanted = { ...GOOD, channel: 6, asked: 1 }
  const { ask } = await station(t, { context: { hotspot } })
  const guest = (question: object): Promise<Answer> => ask({ path: '/hotspot', headers: FROM_AFAR, ...question })
  t.equal((await guest(put({ on: false }))).status, 401)
  t.equal((await guest({ path: '/api/hotspot' })).status, 401)
  const page = await guest({})
  t.equal(page.status, 200)
  t.match(page.text, 'The hotspot is on.')
  t.notMatch(page.text, /<form method="post" action="\/hotspot"|quiet owl/)
  const form = await guest({
    method: 'POST',
    headers: { ...FROM_AFAR, 'content-type': 'application/x-www-form-urlencoded' },
    raw: 'do=off'
  })
  t.equal(form.status, 401)
  t.equal(hotspot.wanted.on, true)
})

t.test('the form of the page does the same; an empty pass phrase is the one there is', async (t) => {
  const hotspot = new Fake(ON)
  hotspot.wanted = { ...GOOD, channel: 6, asked: 1 }
  const { ask } = await station(t, { context: { hotspot } })
  const { status, headers } = await ask({
    method: 'POST',
    path: '/hotspot',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: 'do=on&ssid=Valley+station&passphrase=&country=de&channel=11'
  })
  t.same([status, headers.location], [303, '/hotspot'])
  t.same(hotspot.wanted, {
    on: true,
    ssid: 'Valley station',
    passphrase: GOOD.passphrase,
    country: 'DE',
    channel: 11,
    asked: 2
  })
})

t.test('a name or pass phrase of another form is refused before root would', async (t) => {
  const hotspot = new Fake({ ...ON, state: 'off' })
  const { ask } = await station(t, { context: { hotspot } })
  for (const wrong of [
    { ssid: 'Hill\npsk=x' },
    { ssid: '' },
    { passphrase: 'short' },
    { passphrase: 'semi;colon here' },
    { country: 'usa' },
    { channel: 14 }
  ])
    t.equal((await ask(put({ ...GOOD, ...wrong }))).status, 422, JSON.stringify(wrong))
  t.equal(hotspot.wanted, null)
})

t.test('a failure is told with what to do', async (t) => {
  const hotspot = new Fake({ ...ON, state: 'failed', reason: 'no_dnsmasq' })
  const { ask } = await station(t, { context: { hotspot } })
  t.match((await ask('/hotspot')).text, 'sudo apt-get install dnsmasq-base')
  t.match((await ask('/api/hotspot')).body.reason, /dnsmasq/)
  hotspot.told = { ...ON, state: 'failed', reason: 'of_tomorrow' }
  t.match((await ask('/hotspot')).text, 'it failed: of_tomorrow')
})

t.test('while it changes the page loads itself again', async (t) => {
  const { ask } = await station(t, { context: { hotspot: new Fake({ ...ON, changing: true }) } })
  t.match((await ask('/hotspot')).text, /http-equiv="refresh"/)
})

t.test('where nothing switches a hotspot, no menu names it and no wish is taken', async (t) => {
  const { ask } = await station(t, { context: { hotspot: new Fake(null) } })
  t.equal((await ask(put(GOOD))).status, 503)
  t.notMatch((await ask('/')).text, 'href="/hotspot"')
  t.match((await ask('/hotspot')).text, 'Nothing on this machine switches a hotspot.')
})
