import type * as v from 'valibot'
import { revisionOf } from '../../platform/bytes/canonical-json.ts'
import { strictObject } from '../../platform/config/object.ts'
import { firstRunBody, probeBody } from '../editing/first-run-body.ts'
import { applyFirstRun } from '../editing/first-run-change.ts'
import { type FirstRunDocument, firstRunDocument, isEmpty } from '../editing/first-run-document.ts'
import { askerOf } from '../server/asker.ts'
import type { HttpContext } from '../server/context.ts'
import { canWrite, type Identity } from '../server/identity.ts'
import { json, type Reply } from '../server/reply.ts'
import { get, type Handler, post, type Route, type Told } from '../server/route.ts'
import { said } from '../server/said-status.ts'
import { nameOf } from './acks.ts'
import { firstRunAnswer } from './answers/station.ts'
import { candidatesAnswer, probeAnswer, probeStoppedAnswer } from './answers/warnings.ts'
import type { Services } from './services.ts'

/** `GET /api/first-run`: what the five steps are about; its revision is the ETag. */
function readFirstRun({ context }: Services): Handler<unknown, undefined, Told<typeof firstRunAnswer>> {
  return async ({ identity }) => {
    await context.config.refresh()
    return answer(context, identity)
  }
}

/** `POST /api/first-run`: saves what one step says and touches nothing else. `If-Match` is optional. */
function writeFirstRun({
  context
}: Services): Handler<unknown, v.InferOutput<typeof firstRunBody>, Told<typeof firstRunAnswer>> {
  return async ({ body, headers, identity }) => {
    const ifMatch = headers['if-match']
    await context.config.update((raw) => applyFirstRun(raw, body, context.config.current()), {
      ...(ifMatch === undefined ? {} : { ifMatch }),
      revisionOf: firstRunDocument,
      by: nameOf(identity)
    })
    return answer(context, identity)
  }
}

/** `GET /api/radios/candidates`: ports of this machine a radio may hang on, by name; nothing is opened. */
function listCandidates({ context }: Services): Handler<unknown, undefined, Told<typeof candidatesAnswer>> {
  return async ({ identity }) => {
    const { radios, http } = context.config.current()
    // The name of a port holds the maker's number of the radio.
    if (!canWrite(identity, http)) return json({ serial: [] })
    const devices = await context.serialDevices()
    return json({
      serial: devices.map((device) => ({
        ...device,
        used_by: radios.find(({ path }) => path === device.path)?.id ?? null
      }))
    })
  }
}

/** `POST /api/radios/probe`: asks one port or address which radio is there. Nothing goes on the air. */
function probeRadio({
  context
}: Services): Handler<unknown, v.InferOutput<typeof probeBody>, Told<typeof probeAnswer>> {
  return async ({ body, headers, identity }) => {
    const { problem, ...found } = await context.probe.ask(body)
    return json(
      said({ ...found, channels: [...found.channels], reason: problem }, askerOf(context, { headers, identity }))
    )
  }
}

/** `POST /api/radios/probe/stop`: ends the question that is under way. */
function stopProbe({ context }: Services): Handler<unknown, unknown, Told<typeof probeStoppedAnswer>> {
  return () => {
    context.probe.stop()
    return json({ ok: true as const })
  }
}

function answer({ config }: HttpContext, identity: Identity): Reply<Told<typeof firstRunAnswer>> {
  const served = servedFirstRun(config, identity)
  return json(served, { headers: { ETag: `"${served.revision}"` } })
}

/** As the API and the page show it: a guest sees neither the contact nor where a radio is. */
export function servedFirstRun(
  config: HttpContext['config'],
  identity: Identity
): FirstRunDocument & { empty: boolean; revision: string } {
  const whole = firstRunDocument(config.current(), config.raw())
  const document = canWrite(identity, config.current().http) ? whole : withoutAddresses(whole)
  return { ...document, empty: isEmpty(config.current()), revision: revisionOf(document) }
}

function withoutAddresses({ station, radios, ...rest }: FirstRunDocument): FirstRunDocument {
  return {
    ...rest,
    station: { ...station, contact: '' },
    radios: radios.map((radio) => ({ ...radio, path: '', host: '' }))
  }
}

export const firstRunRoutes = (services: Services): Route[] => [
  get('/api/radios/candidates', {
    summary: 'Serial ports a radio may hang on.',
    about:
      '`{serial: [{path, name, used_by}]}`: names below `/dev/serial/by-id`, and ttyACM and ttyUSB ports without one. No port is opened.',
    answer: candidatesAnswer,
    handle: listCandidates(services)
  }),
  post('/api/radios/probe', {
    summary: 'Which radio hangs on a port, or answers at an address.',
    about:
      '`{network, node, firmware, model, channels, reason}`; `reason`: why it would send nothing as it is set, or null. Takes at most 25 s, sends nothing on the air and sets nothing. One at a time; 503 when neither firmware answers.',
    body: probeBody,
    refuses: { 409: 'A configured radio hangs there, another question is under way, or this one was stopped' },
    answer: probeAnswer,
    handle: probeRadio(services)
  }),
  post('/api/radios/probe/stop', {
    summary: 'Ends the question to a port.',
    about: '`{ok}`, also when there is none. Body: `{}`.',
    body: strictObject({}),
    answer: probeStoppedAnswer,
    handle: stopProbe(services)
  }),
  get('/api/first-run', {
    summary: 'What the first steps are about.',
    about:
      '`{station: {name, contact, country, timezone}, place, areas, radios, sources: {kinds, states}, matrix: {enabled, columns}, empty, revision}`. The revision is the `ETag`; `empty`: no area, no radio, no cell of the matrix. `contact`, and `path` and `host` of a radio, are empty for whoever may not change them.',
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
