import { because } from '../../../model/reason.ts'
import { keepConnected } from '../brokers/keep-connected.ts'
import { readRecorded } from '../brokers/recorded.ts'
import type { PushKind } from '../source.ts'
import { unwantedReason } from './allowed.ts'
import { NatsHubConnection } from './connection.ts'
import type { NatsSettings } from './settings.ts'

/** A regional hub: a stream of NATS JetStream, of which only is taken what the settings allow. */
export const natsSource: PushKind<NatsSettings> = {
  mode: 'push',
  kind: 'nats',
  about: 'Events of a regional hub (NATS JetStream). Nothing is taken but what you allow.',
  missing: ({ servers, stream, durable, subjects, allow }) => {
    if (servers.length === 0) return because('nats_needs_server')
    if (stream === '') return because('nats_needs_stream')
    if (durable === '') return because('nats_needs_durable')
    if (subjects.length === 0) return because('nats_needs_subjects')
    return allow.families.length > 0 ? null : because('nats_needs_families')
  },
  open: async (settings, tools) => keepConnected(() => new NatsHubConnection(settings, tools), tools),
  read: (body, { mapping, keep_source: keepSource, allow }, tools) =>
    readRecorded(body, tools, 'nats', () => ({ mapping, keepSource, unwanted: unwantedReason.bind(null, allow) }))
}
