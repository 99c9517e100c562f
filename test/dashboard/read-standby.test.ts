import t from 'tap'
import { PeerTags } from '../../src/warning/outbox/peer-tags.ts'
import { station } from './harness.ts'

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
