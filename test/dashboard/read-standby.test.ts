import t from 'tap'
import { PeerSums } from '../../src/warning/outbox/peer-question.ts'
import { PeerTags } from '../../src/warning/outbox/peer-tags.ts'
import { FROM_AFAR, NOW, station } from './harness.ts'

t.test(
  'GET /api/standby tells the place in the order and the texts of others that were heard, the newest first',
  async (t) => {
    const { ask, db } = await station(t)
    const tags = new PeerTags(db)
    for (const [n, code] of ['K7QF', 'M2XA'].entries())
      tags.add({ channelKey: 'mt:3', code, alert: 'AAAA', revision: 'A', peer: '!00000001', heardAt: n * 1000 })
    const { status, body } = await ask({ path: '/api/standby', method: 'GET' })
    t.equal(status, 200)
    t.same(body, {
      enabled: false,
      order: 1,
      stations: 2,
      turns: 'slots',
      heard: [
        { channel: 'mt:3', code: 'M2XA', station: '!00000001', heard_at: '1970-01-01T00:00:01.000Z' },
        { channel: 'mt:3', code: 'K7QF', station: '!00000001', heard_at: '1970-01-01T00:00:00.000Z' }
      ],
      addresses: []
    })
  }
)

const URL = 'http://192.0.2.77:8080'
const config = {
  notifications: { standby: { secret: 'a shared secret of two', addresses: [{ order: 1, address: URL }] } }
}
const known = { order: 1, address: URL, state: 'answers' as const, askedAt: NOW, answeredAt: NOW }

t.test('the operator sees whether another station answers, and asks it now; no guest learns its address', async (t) => {
  let asked = 0
  const byIp = {
    answer: () => null,
    states: () => [asked === 0 ? { ...known, state: 'unknown' as const, askedAt: null, answeredAt: null } : known],
    tryAll: async () => {
      asked++
      return [known]
    }
  }
  const { ask } = await station(t, { config, context: { byIp } })
  const before = await ask({ path: '/api/standby', method: 'GET' })
  t.match(before.body.addresses, [{ order: 1, address: URL, state: 'unknown', asked_at: null, answered_at: null }])
  const tried = await ask({ path: '/api/standby/try', method: 'POST', body: {} })
  const at = new Date(NOW).toISOString()
  t.same(tried.body, { addresses: [{ order: 1, address: URL, state: 'answers', asked_at: at, answered_at: at }] })
  const page = await ask('/settings/notifications')
  t.match(page.text, /Other stations over the network[\s\S]*192\.0\.2\.77[\s\S]*answers/)
  const guest = await ask({ path: '/settings/notifications', headers: FROM_AFAR })
  t.notMatch(guest.text, /192\.0\.2\.77/)
  t.equal((await ask({ path: '/api/standby', headers: FROM_AFAR })).status, 401)
  t.equal((await ask({ path: '/api/standby/try', method: 'POST', body: {}, headers: FROM_AFAR })).status, 401)
})

t.test('whoever asks without the secret hears nothing, and no more often than other guests', async (t) => {
  const { ask } = await station(t)
  const body = new PeerSums('not the secret of it', 1).question([])
  const question = { path: '/api/standby/question', method: 'POST', body, headers: FROM_AFAR }
  t.equal((await ask(question)).status, 404)
  t.equal((await ask({ ...question, body: { ...body, nonce: 'x' } })).status, 422)
  const statuses = new Set<number>()
  for (let n = 0; n < 80; n++) statuses.add((await ask(question)).status)
  t.same([...statuses].sort(), [404, 429])
})
