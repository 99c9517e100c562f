import t from 'tap'
import { Lan } from '../helpers/lan.ts'
import { BURN, type Config, SECRET, standbyConfigs, told, type World, world } from './world.ts'

/** Two stations that share a network too, with the drivers of both radio networks. Docs: docs/interface.md §6, *Two stations*. */

const URL = 'http://192.168.1.1:8080'

/** Alpha, and Bravo that knows its address; `kind`: what becomes of answers. */
async function sharing(t: Parameters<typeof world>[0], first: object, kind: 'true' | 'dead'): Promise<World> {
  const [one, two] = standbyConfigs()
  const standby = { ...(two.notifications['standby'] as object), addresses: [{ order: 1, address: URL }] }
  const configs: [Config, Config] = [
    { ...one, notifications: { ...one.notifications, ...first } },
    { ...two, notifications: { ...two.notifications, standby } }
  ]
  const place: { lan: Lan | null } = { lan: null }
  const askPeer: Lan['ask'] = async (url, question) => place.lan?.ask(url, question)
  const made = await world(t, { configs, more: { askPeer } })
  place.lan = new Lan({ clock: made.field.clock, secret: SECRET, kind: () => kind })
  place.lan.add(URL, { order: 1, station: () => made.one })
  return made
}

const endedEarly = ({ two }: World): number =>
  two.deliveries().filter(({ id }) => two.core.deliveries.steps(id).some(({ step }) => step.code === 'not_of_peers'))
    .length

t.test('what the first says by IP it will not say the second says in its next slot, on both networks', async (t) => {
  const w = await sharing(t, { enabled: false }, 'true')
  const from = w.field.clock.now()
  await Promise.all([w.one.post(BURN), w.two.post(BURN)])
  await w.field.run(600)
  t.same(told(w.ann, /^STBY .*Pine Fire/).sort(), ['mc:north Bravo', 'mt:1 Bravo'])
  t.equal(endedEarly(w), 2)
  // A period of LongFast, and the way through the field.
  for (const { at } of w.ann.shown) t.ok(at - from < 85_000, `${(at - from) / 1000} s`)
})

t.test(
  'where both can speak, or nobody answers, each alert is said once and the second counts it as told',
  async (t) => {
    for (const kind of ['true', 'dead'] as const) {
      const w = await sharing(t, {}, kind)
      await Promise.all([w.one.post(BURN), w.two.post(BURN)])
      await w.field.run(600)
      t.same(told(w.ann, /Pine Fire/).sort(), ['mc:north Alpha', 'mt:1 Alpha'], kind)
      t.same(
        w.two.deliveries().map(({ state }) => state),
        ['stood_down', 'stood_down'],
        kind
      )
    }
  }
)
