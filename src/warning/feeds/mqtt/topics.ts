import type { MqttTopic } from './settings.ts'

/**
 * True when a filter fits a topic: MQTT 5 §4.7, with its rule that wildcards do not begin a topic of the broker's own
 * ($SYS).
 */
export function filterFits(filter: string, topic: string): boolean {
  const wanted = filter.split('/')
  const levels = topic.split('/')
  if (topic.startsWith('$') && (wanted[0] === '+' || wanted[0] === '#')) return false
  for (const [index, level] of wanted.entries()) {
    // `a/#` fits `a` too.
    if (level === '#') return true
    if (index >= levels.length || (level !== '+' && level !== levels[index])) return false
  }
  return wanted.length === levels.length || wanted[levels.length] === '#'
}

/** The first topic of the settings that fits; undefined for what was asked for once and is no more. */
export function topicFor(topics: readonly MqttTopic[], topic: string): MqttTopic | undefined {
  return topics.find(({ filter }) => filterFits(filter, topic))
}
