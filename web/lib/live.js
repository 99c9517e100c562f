// The live stream of the station, one per page. The browser resumes by itself with the last id it saw; when too much was
// missed the station says `reset`, and whoever listens loads anew.
import { signal } from '../vendor/ui.js'

/** `connecting`, `live` or `lost`. @type {import('../vendor/ui.js').Signal<'connecting' | 'live' | 'lost'>} */
export const connection = signal('connecting')

/** @type {EventSource | null} */
let stream = null

function open() {
  if (stream !== null) return stream
  stream = new EventSource('/api/stream')
  stream.onopen = () => {
    connection.value = 'live'
  }
  stream.onerror = () => {
    connection.value = 'lost'
  }
  return stream
}

/**
 * Calls `listener` with the data of every message of these topics (`decided`, `delivery`, `radio`, `source`, `config`, `reset`).
 * @param {string[]} topics
 * @param {(data: any, topic: string) => void} listener
 * @returns {() => void} ends it
 */
export function onLive(topics, listener) {
  const source = open()
  const heard = topics.map((topic) => {
    /** @param {MessageEvent<string>} message */
    const hear = (message) => listener(JSON.parse(message.data), topic)
    source.addEventListener(topic, hear)
    return { topic, hear }
  })
  return () => {
    for (const { topic, hear } of heard) source.removeEventListener(topic, hear)
  }
}
