import type * as v from 'valibot'
import { revisionOf } from '../../platform/bytes/canonical-json.ts'
import { firstRunBody } from '../editing/first-run-body.ts'
import { applyFirstRun } from '../editing/first-run-change.ts'
import { type FirstRunDocument, firstRunDocument, isEmpty } from '../editing/first-run-document.ts'
import type { HttpContext } from '../server/context.ts'
import { json, type Reply } from '../server/reply.ts'
import { get, type Handler, post, type Route, type Told } from '../server/route.ts'
import { firstRunAnswer } from './answers/station.ts'
import { candidatesAnswer } from './answers/warnings.ts'
import type { Services } from './services.ts'

/** `GET /api/first-run`: what the five steps are about; its revision is the ETag. */
function readFirstRun({ context }: Services): Handler<unknown, undefined, Told<typeof firstRunAnswer>> {
  return async () => {
    await context.config.refresh()
    return answer(context)
  }
}

/** `POST /api/first-run`: saves what one step says and touches nothing else. `If-Match` is optional. */
function writeFirstRun({
  context
}: Services): Handler<unknown, v.InferOutput<typeof firstRunBody>, Told<typeof firstRunAnswer>> {
  return async ({ body, headers }) => {
    const ifMatch = headers['if-match']
    await context.config.update((raw) => applyFirstRun(raw, body, context.config.current()), {
      ...(ifMatch === undefined ? {} : { ifMatch }),
      revisionOf: firstRunDocument
    })
    return answer(context)
  }
}

/** `GET /api/radios/candidates`: ports of this machine a radio may hang on, by name; nothing is opened. */
function listCandidates({ context }: Services): Handler<unknown, undefined, Told<typeof candidatesAnswer>> {
  return async () => {
    const { radios } = context.config.current()
    const devices = await context.serialDevices()
    return json({
      serial: devices.map((device) => ({
        ...device,
        used_by: radios.find(({ path }) => path === device.path)?.id ?? null
      }))
    })
  }
}

function answer({ config }: HttpContext): Reply<Told<typeof firstRunAnswer>> {
  const served = servedFirstRun(config)
  return json(served, { headers: { ETag: `"${served.revision}"` } })
}

/** As the API and the page show it. */
export function servedFirstRun(config: HttpContext['config']): FirstRunDocument & { empty: boolean; revision: string } {
  const document = firstRunDocument(config.current(), config.raw())
  return { ...document, empty: isEmpty(config.current()), revision: revisionOf(document) }
}

export const firstRunRoutes = (services: Services): Route[] => [
  get('/api/radios/candidates', {
    summary: 'Serial ports a radio may hang on.',
    about:
      '`{serial: [{path, name, used_by}]}`: names below `/dev/serial/by-id`, and ttyACM and ttyUSB ports without one. No port is opened.',
    answer: candidatesAnswer,
    handle: listCandidates(services)
  }),
  get('/api/first-run', {
    summary: 'What the first steps are about.',
    about:
      '`{station: {name, contact, timezone}, place, areas, radios, sources: {kinds, states}, matrix: {enabled, columns}, empty, revision}`. The revision is the `ETag`; `empty`: no area, no radio, no cell of the matrix.',
    answer: firstRunAnswer,
    handle: readFirstRun(services)
  }),
  post('/api/first-run', {
    summary: 'Saves one of the first steps.',
    about:
      'Body: at least one of `station`, `place`, `area`, `radios`, `sources`, `matrix`; only what is given is touched. `If-Match` is optional. Answers what `GET` answers.',
    body: firstRunBody,
    refuses: { 409: 'The configuration file is not valid', 412: 'Changed in between' },
    answer: firstRunAnswer,
    handle: writeFirstRun(services)
  })
]
