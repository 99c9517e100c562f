import t from 'tap'
import { NOW, radio, station } from './harness.ts'

/** The mesh as a radio hears it: only what the radio tells, and a line where it tells nothing. */

const details = {
  ...{ firmware: '2.7', battery_percent: null, battery_millivolts: null, channel_utilization: null },
  ...{ air_utilization: null, queue_length: 0 }
}
const node = (patch: object) => ({
  ...{ id: '!a1b2c3d4', name: '', last_heard: new Date(NOW - 60_000).toISOString(), battery_percent: null, snr: null },
  ...patch
})
const plain = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

t.test('each node stands with when it was heard, how well, and its battery', async (t) => {
  const nodes = [
    node({ name: 'Ridge', snr: 6.25, battery_percent: 87 }),
    node({ id: '!00000002', name: 'Far', snr: -12.5 }),
    node({ id: '!00000003', last_heard: null })
  ]
  const { ask } = await station(t, { radios: [radio({ details: { ...details, nodes_known: 3, nodes } })] })
  const said = plain((await ask('/radios')).text)
  t.match(said, /Nodes \(3\)\s+Node Last heard Signal Battery/)
  t.match(said, /Ridge !a1b2c3d4.*clear 6\.3 dB 87 %/)
  t.match(said, /Far !00000002.*faint -12\.5 dB –/)
  t.match(said, /!00000003 never heard – –/)
  const german = plain((await ask({ path: '/radios', headers: { 'accept-language': 'de' } })).text)
  t.match(german, /Knoten \(3\)\s+Knoten Zuletzt gehört Signal Batterie.*klar.*schwach/)
})

t.test('what no node tells has no column', async (t) => {
  const nodes = [node({ name: 'Ridge', snr: 6.25 }), node({ id: '!00000002', snr: null })]
  const { ask } = await station(t, { radios: [radio({ details: { ...details, nodes_known: 2, nodes } })] })
  const { text } = await ask('/radios')
  const [table = ''] = /<section class="mesh">[\s\S]*?<\/section>/.exec(text) ?? []
  t.match(plain(table), /Node Last heard Signal/)
  t.notMatch(table, 'Battery')
  t.equal(table.match(/<td/g)?.length, 4, 'two cells in each row')
})

t.test('many nodes are folded away until somebody asks', async (t) => {
  const nodes = Array.from({ length: 20 }, (_, n) => node({ id: `!0000000${n}` }))
  const { ask } = await station(t, { radios: [radio({ details: { ...details, nodes_known: 44, nodes } })] })
  t.match((await ask('/radios')).text, /<details class="mesh"><summary>Nodes \(44\)/)
})

t.test('a radio that is not heard shows its last words as such, and none of them green', async (t) => {
  const nodes = [node({ name: 'Ridge', snr: 6.25 })]
  const facts = { ...details, battery_percent: 91, nodes_known: 1, nodes }
  for (const [state, isLive] of [
    ['ready', true],
    ['suspect', true],
    ['down', false],
    ['connecting', false]
  ] as const) {
    const { ask } = await station(t, { radios: [radio({ state, details: facts })] })
    const { text } = await ask('/radios')
    t.equal(/As it told last<\/h3><dl class="facts quiet">[\s\S]*Battery/.test(text), !isLive, state)
    t.equal(/class="state good">clear/.test(text), isLive, state)
    t.match(text, /91 %/, 'known all the same')
  }
})

t.test('a radio that was never heard has no last words', async (t) => {
  const { ask } = await station(t, {
    radios: [radio({ state: 'down', details: { ...details, firmware: null, nodes_known: 0, nodes: [] } })]
  })
  t.notMatch((await ask('/radios')).text, /As it told last/)
})
