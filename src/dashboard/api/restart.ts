import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { json } from '../server/reply.ts'
import { type Handler, order, type Route, type Told } from '../server/route.ts'
import { nameOf } from './acks.ts'
import { restartAnswer } from './answers/station.ts'
import type { Services } from './services.ts'

/** `POST /api/restart`: ends the program as SIGTERM does; whatever watches over it starts it again. */
function restart({ context }: Services): Handler<unknown, undefined, Told<typeof restartAnswer>> {
  return ({ identity }) => {
    if (context.mode === 'preview') throw new AppError('unavailable', because('preview_transmits_nothing'))
    const { by, ask } = context.restart
    // A station that warns must not be ended from afar for good.
    if (by === null) throw new AppError('conflict', because('nothing_restarts'))
    context.audit?.add({ by: nameOf(identity), what: because('audit_restart_asked') })
    ask()
    return json({ ok: true, by, started_at: new Date(context.startedAt).toISOString() }, { status: 202 })
  }
}

export const restartRoutes = (services: Services): Route[] => [
  order('/api/restart', {
    summary: 'Restarts the program.',
    about:
      'No body. Answers `{ok, by, started_at}`, then ends as after SIGTERM; `by` (`LOOKOUT_RESTARTED_BY`) starts it again. It is up when `/api/status` says another `started_at`. 409 where nothing would start it again, 503 in preview.',
    done: [202, 'Done'],
    withoutFolder: true,
    refuses: { 409: 'Nothing would start it again' },
    answer: restartAnswer,
    handle: restart(services)
  })
]
