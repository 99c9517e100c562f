import { because } from '../../../model/reason.ts'
import { keepConnected } from '../brokers/keep-connected.ts'
import { readRecorded } from '../brokers/recorded.ts'
import type { PushKind } from '../source.ts'
import { MqttConnection, type MqttState } from './connection.ts'
import { MqttInbox } from './inbox.ts'
import type { MqttSettings } from './settings.ts'
import { topicFor } from './topics.ts'

/** Messages of an MQTT broker (QoS 1, a session the broker keeps while we are away). */
export const mqttSource: PushKind<MqttSettings> = {
  mode: 'push',
  kind: 'mqtt',
  about: 'Events that an MQTT broker hands on: Events of this program, or any JSON with a mapping.',
  missing: ({ url, topics }) => {
    if (url === '') return because('mqtt_needs_broker')
    return topics.length === 0 ? because('mqtt_needs_topics') : null
  },
  async open(settings, tools) {
    const inbox = new MqttInbox(settings, tools)
    const state: MqttState = { version: 5 }
    return keepConnected(() => new MqttConnection(settings, tools, { inbox, state }), tools)
  },
  read: (body, { topics, keep_source: keepSource }, tools) =>
    readRecorded(body, tools, 'mqtt', (topic) => {
      const found = topic === null ? topics[0] : topicFor(topics, topic)
      return found === undefined ? null : { mapping: found.mapping, family: found.family, keepSource }
    })
}
