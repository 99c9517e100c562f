import t from 'tap'
import { tableOfRoutes } from '../helpers/answer-check.ts'
import { guestRequests, unknownRows } from '../helpers/guest-requests.ts'
import type { GuestWorld } from '../helpers/guest-world.ts'

/** A route that anybody may ask stands in the list that is measured (`test/app/guest-costs.test.ts`): a new one cannot be forgotten there. */

const world = { eventId: 'e1', hash: 'a'.repeat(64) } as GuestWorld

t.test('every row that anybody may ask is asked in its costliest form, and no row that is gone', (t) => {
  const asked = new Set(guestRequests(world).map(({ row }) => row))
  for (const { method, path, access } of tableOfRoutes()) {
    const row = `${method} ${path}`
    if (access !== 'operator' && access !== 'events' && row !== 'GET /api/stream') t.ok(asked.has(row), row)
  }
  t.same(unknownRows(), [])
  t.end()
})
