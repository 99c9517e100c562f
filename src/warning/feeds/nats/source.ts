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
    if (servers.length === 0) return 'It has no server. Name the hub under servers, such as nats://hub.example:4222.'
    if (stream === '') return 'It has no stream. Set stream to the name the hub gives it.'
    if (durable === '')
      return 'It has no consumer. Set durable to a name of your own: the hub remembers by it what you have.'
    if (subjects.length === 0)
      return 'It takes nothing: no subject is named. Name under subjects what to take, such as hub.fire.>.'
    return allow.families.length > 0
      ? null
      : 'It takes nothing: no family is allowed. Name under allow.families those to take, such as weather.'
  },
  open: async (settings, tools) => keepConnected(() => new NatsHubConnection(settings, tools), tools),
  read: (body, { mapping, keep_source: keepSource, allow }, tools) =>
    readRecorded(body, tools, 'nats', () => ({ mapping, keepSource, unwanted: unwantedReason.bind(null, allow) }))
}
