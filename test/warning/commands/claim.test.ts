import t from 'tap'
import { asks } from '../../helpers/asks.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** `!claim`: docs/commands.md. */

const NODE = '!a1b2c3d4'
const KEY = 'aabbccddeeff'
const PROOF = '11'.repeat(32)
const DAY = 86_400
const config = {
  ...withMatrix({ fire: { North: { mt: 3, mc: 'north-fire' } } }),
  commands: { admins: [NODE, KEY], who: { ack: 'anyone', silence: 'anyone', ask: 'anyone' } }
}

interface Offered {
  s: Station
  /** For whom codes were made. */
  offers: string[]
  say: (text: string, more?: object) => Promise<string>
}

async function offered(t: Parameters<typeof station>[0]): Promise<Offered> {
  const offers: string[] = []
  const claim = async (by: string): Promise<{ code: string; minutes: number }> => {
    offers.push(by)
    return { code: '7KQM-3FXB', minutes: 15 }
  }
  const s = await station(t, { config, claim })
  const say = async (text: string, more: object = {}): Promise<string> =>
    (await asks(s, s.mt, { from: NODE, publicKey: PROOF, text, ...more })).join(' | ')
  return { s, offers, say }
}

t.test('an admin whose key is known for a day gets a code, by direct text', async (t) => {
  const { s, offers, say } = await offered(t)
  t.match(await say('!claim'), /known here for less than a day/, 'the first text pins the key, and proves nothing yet')
  await s.run(DAY)
  t.match(await say('!claim'), /^!a1b2c3d4 Code 7KQM-3FXB, for one use in 15 min/)
  t.same(offers, ['mt !a1b2c3d4'])
})

t.test(
  'nobody else does: another key, no proof, another node, a channel; nor where a key is not required',
  async (t) => {
    const { s, offers, say } = await offered(t)
    await say('!status')
    await s.run(2 * DAY)
    t.match(await say('!claim', { publicKey: '22'.repeat(32) }), /another key before/)
    t.match(await say('!claim', { proven: false }), /Refused/)
    t.match(await say('!claim', { from: '!00000001' }), /Only admin nodes/)
    t.match(await say('!claim', { channel: 3 }), /as a direct message/)
    const [{ description } = s.mt] = s.radios
    s.setConfig({
      ...config,
      radios: [{ id: description.id, network: 'mt', link: 'simulated', admin_key_required: false }]
    })
    t.match(await say('!claim', { proven: false, publicKey: null }), /known here for less than a day/)
    const [channel] = await asks(s, s.mc, { from: '', fromName: 'Ann', channel: 'north-fire', text: '!claim' })
    t.match(channel, /a name proves nothing/)
    t.same(offers, [])
  }
)

t.test('over MeshCore the key of the contact is the proof', async (t) => {
  const { s, offers } = await offered(t)
  t.match(await asks(s, s.mc, { from: KEY, text: '!claim' }), [/Code 7KQM-3FXB/])
  t.same(offers, ['mc aabbccddeeff'])
})
