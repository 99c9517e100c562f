import t from 'tap'
import { station } from './harness.ts'

t.test('GET /api/radios/:id/tides answers', async (t) => {
  const { ask } = await station(t)
  const { status, body } = await ask({ path: '/api/radios/some/tides', method: 'GET' })
  t.equal(status, 200)
  t.same(body, { id: 'some', ok: true })
})
