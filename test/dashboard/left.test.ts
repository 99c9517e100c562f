import { request } from 'node:http'
import t from 'tap'
import { fire, station } from './harness.ts'

/** Whoever has left costs nothing any more: docs/interface.md §6, *Warnings before work*. */

t.test('a list is not read on once its client has left', async (t) => {
  const s = await station(t)
  const events = Array.from({ length: 400 }, (_, n) => ({ ...fire, id: `f${n}` }))
  t.equal((await s.ask({ path: '/api/events', body: events })).status, 202)
  const { search } = s.context.ledger
  let read = 0
  let leave: () => void = () => undefined
  s.context.ledger.search = (query) => {
    read++
    leave()
    // However fast the machine is, a slice has no room for half of them.
    for (const until = performance.now() + 0.2; performance.now() < until; );
    return search.call(s.context.ledger, { ...query, limit: 1 })
  }
  t.equal((await s.ask('/api/events?limit=400')).status, 200)
  t.ok(read >= 400, 'who stays gets it whole')
  read = 0
  // Whoever asks in the same moment is given what is made already.
  await s.clock.runTo(s.clock.now() + 1000)
  const req = request({ port: s.service.port, path: '/api/events?limit=400', agent: false })
  req.on('error', () => undefined)
  leave = () => req.destroy()
  req.end()
  for (let before = -1; before !== read || read === 0; ) {
    before = read
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  // A slice of work ends before anybody sees that the client is gone.
  t.ok(read < 200, `${read} of 400 goes`)
})
