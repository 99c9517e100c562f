import t from 'tap'
import type { HotspotSwitch } from '../../../src/warning/commands/ask.ts'
import { asks } from '../../helpers/asks.ts'
import { type Station, type StationOptions, station, withMatrix } from '../../helpers/station.ts'

/** `!hotspot`: docs/commands.md. */

const NODE = '!a1b2c3d4'
const KEY = 'aabbccddeeff'
const PROOF = '11'.repeat(32)
const config = { ...withMatrix({ fire: { North: { mt: 3, mc: 'north-fire' } } }), commands: { admins: [NODE, KEY] } }

type State = NonNullable<ReturnType<HotspotSwitch['state']>>
const off: State = { state: 'off', changing: false, reason: null, ssid: 'Hill station' }

interface Wished {
  s: Station
  wishes: boolean[]
  say: (text: string, more?: object) => Promise<string>
}

async function withHotspot(t: Parameters<typeof station>[0], hotspot: Partial<HotspotSwitch> = {}): Promise<Wished> {
  const wishes: boolean[] = []
  const port: HotspotSwitch = {
    state: () => off,
    turn: async (on) => {
      wishes.push(on)
      return true
    },
    ...hotspot
  }
  const s = await station(t, { config, hotspot: port } satisfies StationOptions)
  const say = async (text: string, more: object = {}): Promise<string> =>
    (await asks(s, s.mt, { from: NODE, publicKey: PROOF, text, ...more })).join(' | ')
  return { s, wishes, say }
}

t.test('an admin switches it on and off, and asks how it went', async (t) => {
  let told = off
  const { wishes, say } = await withHotspot(t, { state: () => told })
  t.equal(await say('!hotspot'), `${NODE} Hotspot Hill station off.`)
  t.equal(await say('!HOTSPOT On'), `${NODE} Hotspot: switching on. !hotspot tells how it went.`)
  told = { ...off, changing: true }
  t.equal(await say('!hotspot'), `${NODE} Hotspot Hill station off, being changed.`)
  told = { ...off, state: 'failed', reason: 'no Wi-Fi device' }
  t.equal(await say('!hotspot'), `${NODE} Hotspot Hill station failed: no Wi-Fi device.`)
  await say('!hotspot off')
  t.same(wishes, [true, false])
  t.match(await say('!hotspot please'), /Use: !hotspot on/)
  t.same(wishes, [true, false])
})

t.test('nobody else does, whatever they write, and the owner cannot let them', async (t) => {
  const who = { ack: 'anyone', silence: 'anyone', ask: 'anyone', hotspot: 'anyone' }
  const { s, wishes, say } = await withHotspot(t)
  s.setConfig({ ...config, commands: { ...config.commands, who } })
  await say('!hotspot')
  t.match(await say('!hotspot on', { from: '!00000001' }), /Only admin nodes may switch the hotspot/)
  t.match(await say('!hotspot on', { proven: false }), /Refused: this text was not encrypted/)
  t.match(await say('!hotspot on', { publicKey: '22'.repeat(32) }), /Refused/)
  t.match(await say('!hotspot on', { channel: 3 }), /as a direct message/)
  const [channel] = await asks(s, s.mc, { from: '', fromName: 'Ann', channel: 'north-fire', text: '!hotspot on' })
  t.match(channel, /as a direct message: on a channel a name proves nothing/)
  t.same(wishes, [])
})

t.test('over MeshCore the key of the contact is the proof', async (t) => {
  const { s, wishes } = await withHotspot(t)
  t.match(await asks(s, s.mc, { from: KEY, text: '!hotspot on' }), [/switching on/])
  t.same(wishes, [true])
})

t.test('what cannot be switched is told', async (t) => {
  const never = await withHotspot(t, { turn: async () => false })
  t.match(await never.say('!hotspot on'), /no name and pass phrase yet: choose them on its page/)
  const none = await withHotspot(t, { state: () => null })
  t.match(await none.say('!hotspot on'), /Nothing on this machine switches a hotspot/)
  const bare = await station(t, { config })
  t.match(await asks(bare, bare.mt, { from: NODE, publicKey: PROOF, text: '!hotspot' }), [/Nothing on this machine/])
})

t.test('!help names it to an admin where there is a hotspot', async (t) => {
  const { say } = await withHotspot(t)
  t.match(await say('!help'), /, !hotspot on\|off$/)
  t.notMatch(await say('!help', { from: '!00000001' }), /hotspot/)
  const none = await withHotspot(t, { state: () => null })
  t.notMatch(await none.say('!help'), /hotspot/)
})
