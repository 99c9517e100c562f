import t from 'tap'
import { station } from './harness.ts'

t.test('the page tide-tables says how many radios are configured, in both languages', async (t) => {
  const { ask } = await station(t)
  const english = await ask('/tide-tables')
  t.equal(english.status, 200)
  t.match(english.text, /<h1>Tide tables<\/h1>[\s\S]*\d radios are configured\./)
  const german = await ask({ path: '/tide-tables', headers: { 'accept-language': 'de' } })
  t.match(german.text, /\d Funkgeräte sind eingerichtet\./)
})
