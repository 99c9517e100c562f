// The live stream of the station, one per page. The browser resumes by itself with the last id it saw; when too much was
// missed the station says `reset`, and whoever listens loads anew.
import { signal } from '../vendor/ui.js'

/** The station beats every 15 s: after two and a half the connection is dead, whatever the browser believes. */
const SILENCE_MS = 40_000
/** We do not give up where the browser does so by itself (an answer that is no stream). */
const AGAIN_MS = 5000

/** `connecting`, `live` or `lost`. @type {import('../vendor/ui.js').Signal<'connecting' | 'live' | 'lost'>} */
export const connection = signal('connecting')

/** The time at which the station was heard last: what a page shows was true then. Epoch milliseconds. */
export const lastHeard = () => lastSign

/** @typedef {{ topic: string, hear: (message: MessageEvent<string>) => void, listener: (data: any, topic: string) => void }} Heard */
/** @type {Set<Heard>} */
const heard = new Set()
/** @type {EventSource | null} */
let stream = null
let lastSign = 0
/** A stream of its own begins without the id of the last message: what was missed between is not known. */
let isAnew = false

/** Opens the stream, once; listening does so too. */
export function connect() {
  if (stream === null) open()
}

function open() {
  const opened = new EventSource('/api/stream')
  stream = opened
  lastSign = Date.now()
  opened.onopen = () => {
    sign()
    if (isAnew) for (const one of heard) if (one.topic === 'reset') one.listener({}, 'reset')
    isAnew = false
  }
  opened.onerror = () => {
    connection.value = 'lost'
    if (opened.readyState === EventSource.CLOSED) reopenLater(opened)
  }
  opened.addEventListener('beat', sign)
  for (const one of heard) opened.addEventListener(one.topic, one.hear)
}

function sign() {
  lastSign = Date.now()
  connection.value = 'live'
}

/** @param {EventSource} given */
function reopenLater(given) {
  given.close()
  setTimeout(() => {
    if (stream === given) reopen()
  }, AGAIN_MS)
}

function reopen() {
  stream?.close()
  connection.value = 'lost'
  isAnew = true
  open()
}

// A phone that left the hotspot hears no end of the connection; one that slept catches up when it is looked at again.
function lookAfter() {
  if (stream !== null && stream.readyState !== EventSource.CONNECTING && Date.now() - lastSign > SILENCE_MS) reopen()
}
setInterval(lookAfter, 10_000)
document.addEventListener('visibilitychange', lookAfter)

/**
 * Calls `listener` with the data of every message of these topics (`decided`, `delivery`, `radio`, `source`, `config`, `reset`).
 * @param {string[]} topics
 * @param {(data: any, topic: string) => void} listener
 * @returns {() => void} ends it
 */
export function onLive(topics, listener) {
  const added = topics.map((topic) => {
    /** @type {Heard} */
    const one = {
      topic,
      listener,
      hear: (message) => {
        sign()
        listener(JSON.parse(message.data), topic)
      }
    }
    heard.add(one)
    stream?.addEventListener(topic, one.hear)
    return one
  })
  connect()
  return () => {
    for (const one of added) {
      heard.delete(one)
      stream?.removeEventListener(one.topic, one.hear)
    }
  }
}
