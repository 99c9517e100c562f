import t from 'tap'
import { asking } from './asking.ts'

const MIRRORS = `Signalling in the hills

A signal mirror throws the light of the sun. It is seen as far as forty kilometres on a clear day. Sweep the horizon with it.

Smoke rises in still air. Green leaves make it white.`
const WANTED = 'what range in the hills does a signal mirror of polished brass give'

t.test(
  'where nothing may be said as an answer, the nearest passage is given to read: its sentences stand together',
  async (t) => {
    const ask = await asking(t, MIRRORS)
    const { answer, confidence, excerpt, nearest, passages, said } = await ask(WANTED)
    t.same([answer, confidence, excerpt], [null, 'not_found', undefined])
    t.match(said, /not found; nearest: Water Procurement/)
    t.equal(passages.find(({ n }) => n === nearest?.n)?.title, 'Water Procurement', 'that which the reason names')
    t.match(
      nearest?.text,
      /A signal mirror throws the light of the sun. It is seen as far as forty kilometres on a clear day./
    )
  }
)

t.test('an answer that was found stands alone: nothing is given beside it to read', async (t) => {
  const ask = await asking(t, MIRRORS)
  const { confidence, nearest } = await ask('what does a signal mirror throw')
  t.same([confidence, nearest], ['found', undefined])
})

t.test('a passage with next to nothing of the question is not shown for it', async (t) => {
  const ask = await asking(t, MIRRORS)
  const { confidence, nearest } = await ask('which tax form does a submarine captain from Portugal hand in by day')
  t.same([confidence, nearest], ['not_found', undefined])
})

t.test('what is shown stands under one heading and is short enough for a phone', async (t) => {
  const long = Array.from({ length: 40 }, (_, at) => `Point ${at + 1} of the old beacon rule is read aloud.`).join(' ')
  const ask = await asking(t, `# Beacons\n\n${long}\n\n# Kites\n\nA kite lifts a wire.`)
  const { nearest } = await ask('who painted the beacon rule of the lighthouse keeper')
  t.ok((nearest?.text.length ?? 0) > 100)
  t.ok((nearest?.text.length ?? 0) <= 600)
  t.notMatch(nearest?.text, /kite/i)
  t.match(nearest?.text, /^Point.*\.$/, 'whole sentences')
})
