// Uploads that survive a lost connection and a reload (tus 1.0): bytes go on where they ended, none is sent twice for long.
import { ApiError } from '../lib/api.js'
import { t } from '../lib/i18n.js'

const VERSION = '1.0.0'
/** One request at most: a proxy may keep all of it until it is whole. Bytes. */
const CHUNK = 16 * 1024 * 1024
const KEPT = 'lookout.upload.'
/** As long as the station keeps what has come. Milliseconds. */
const KEPT_MS = 24 * 3_600_000
const WAITS_MS = [1000, 2000, 4000, 8000, 15_000]
/** A request from which nothing is heard for so long is given up and begun again. */
const SILENCE_MS = 30_000

/**
 * @typedef {object} Hands
 * @property {string} path of the route that takes such files
 * @property {AbortSignal} signal ends it; what has come stays at the station
 * @property {(sent: number) => void} progress bytes that are there, or on their way
 * @property {(lost: boolean) => void} trouble the station is out of reach, or is back
 */
/** @typedef {{ key: string, url: string, name: string, size: number, at: number }} Kept */

/** The station was not reached; trying again may help. */
class Unreached extends Error {}

/** The same file again, as far as a page may see. @param {File} file */
const keyOf = ({ name, size, lastModified }) => `${KEPT}${name}|${size}|${lastModified}`

/** @param {string} key @returns {Kept | null} */
function kept(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (found !== null && Date.now() - found.at < KEPT_MS) return { ...found, key }
  } catch {
    // Not ours, or cut short: as good as nothing.
  }
  localStorage.removeItem(key)
  return null
}

/** Uploads this browser has begun at this route and not finished, newest first. @param {string} path */
export function unfinished(path) {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(KEPT))
  const open = keys.flatMap((key) => kept(key) ?? []).filter(({ url }) => url.startsWith(`${path}/`))
  return open.sort((a, b) => b.at - a.at)
}

/** Ends an upload for good. @param {Pick<Kept, 'key' | 'url'>} given */
export async function forget({ key, url }) {
  localStorage.removeItem(key)
  // The station forgets by itself what is not removed now.
  await request('DELETE', url, {}).catch(() => null)
}

/**
 * Sends a file to its end, however often the connection breaks; resolves with the last answer of the station. Rejects with
 * ApiError when it is refused, with AbortError when `signal` says so.
 * @param {File} file
 * @param {Record<string, string>} facts
 * @param {Hands} hands
 */
export async function sendFile(file, facts, hands) {
  const key = keyOf(file)
  const begun = kept(key)?.url ?? ''
  // The same file may have been begun elsewhere too: there it is another upload.
  let url = begun.startsWith(`${hands.path}/`) ? begun : ''
  try {
    for (;;) {
      const at = url === '' ? null : await stubborn(hands, () => offsetOf(url, hands))
      if (at === null) {
        url = await stubborn(hands, () => create(file, facts, hands))
        localStorage.setItem(key, JSON.stringify({ url, name: file.name, size: file.size, at: Date.now() }))
      }
      const answer = await stubborn(hands, (again) => sendRest(file, url, again ? null : (at ?? 0), hands))
      if (answer === null) url = ''
      else {
        localStorage.removeItem(key)
        return answer
      }
    }
  } catch (error) {
    if (error instanceof ApiError) localStorage.removeItem(key)
    throw error
  }
}

/**
 * Tries until the station is reached. `again` tells the work that something may have come through before.
 * @template Result
 * @param {Hands} hands
 * @param {(again: boolean) => Promise<Result>} work
 */
async function stubborn(hands, work) {
  for (let tries = 0; ; tries++) {
    try {
      const result = await work(tries > 0)
      hands.trouble(false)
      return result
    } catch (error) {
      if (!(error instanceof Unreached)) throw error
      hands.trouble(true)
      await pause(WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0, hands.signal)
    }
  }
}

/** Waits, but not past the moment at which the network is back. @param {number} ms @param {AbortSignal} signal */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      if (signal.aborted) reject(new DOMException('stopped', 'AbortError'))
      else resolve(undefined)
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}

/** @param {File} file @param {Record<string, string>} facts @param {Hands} hands */
async function create(file, facts, hands) {
  const said = Object.entries({ filename: file.name, ...facts }).filter(([, value]) => value !== '')
  const metadata = said.map(([name, value]) => `${name} ${base64(value)}`).join(',')
  const headers = { 'Upload-Length': String(file.size), 'Upload-Metadata': metadata }
  const answer = checked(await request('POST', hands.path, headers, { hands }))
  return answer.getResponseHeader('Location') ?? ''
}

/** UTF-8, as the metadata of tus wants it. @param {string} text */
function base64(text) {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}

/** The number of bytes that the station has; null when it knows nothing of this upload. @param {string} url @param {Hands} hands */
async function offsetOf(url, hands) {
  const answer = await request('HEAD', url, {}, { hands })
  if (answer.status === 404 || answer.status === 410) return null
  return Number(checked(answer).getResponseHeader('Upload-Offset') ?? 0)
}

/**
 * Sends what is missing, piece by piece. Null: the station has forgotten the upload meanwhile.
 * @param {File} file
 * @param {string} url
 * @param {number | null} known bytes it has; null = ask
 * @param {Hands} hands
 */
async function sendRest(file, url, known, hands) {
  let offset = known ?? (await offsetOf(url, hands))
  while (offset !== null) {
    hands.progress(offset)
    const at = offset
    const headers = { 'Upload-Offset': String(at), 'Content-Type': 'application/offset+octet-stream' }
    const piece = file.slice(at, at + CHUNK)
    const answer = await request('PATCH', url, headers, {
      hands,
      body: piece,
      progress: (sent) => hands.progress(at + sent)
    })
    if (answer.status === 404 || answer.status === 410) return null
    // Somebody else, another tab, has sent some of it; a duplicate is named and no such case.
    if (answer.status === 409 && problemOf(answer).existing === undefined) offset = await offsetOf(url, hands)
    else {
      checked(answer)
      offset = at + piece.size
      hands.progress(offset)
      if (offset >= file.size) return answer
    }
  }
  return null
}

/** @param {XMLHttpRequest} answer */
function checked(answer) {
  if (answer.status < 400) return answer
  throw new ApiError(problemOf(answer))
}

/** @param {XMLHttpRequest} answer @returns {any} */
function problemOf(answer) {
  const { status, statusText } = answer
  try {
    const body = JSON.parse(answer.responseText)
    if (typeof body?.detail === 'string') return body
  } catch {
    // A proxy in between speaks HTML.
  }
  return { status, title: statusText, detail: t('The station answered {status}.', { status }) }
}

/**
 * One request that tells of its progress: fetch cannot. Rejects with Unreached, or AbortError.
 * @param {string} method
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {{ hands?: Hands, body?: Blob, progress?: (sent: number) => void }} [options]
 * @returns {Promise<XMLHttpRequest>}
 */
function request(method, url, headers, { hands, body, progress } = {}) {
  return new Promise((resolve, reject) => {
    const ask = new XMLHttpRequest()
    ask.open(method, url)
    for (const [name, value] of Object.entries({ 'Tus-Resumable': VERSION, ...headers }))
      ask.setRequestHeader(name, value)
    let timer = setTimeout(() => ask.abort(), SILENCE_MS)
    const alive = () => {
      clearTimeout(timer)
      timer = setTimeout(() => ask.abort(), SILENCE_MS)
    }
    const stop = () => ask.abort()
    const end = () => {
      clearTimeout(timer)
      hands?.signal.removeEventListener('abort', stop)
    }
    const lost = () => {
      end()
      reject(hands?.signal.aborted ? new DOMException('stopped', 'AbortError') : new Unreached())
    }
    ask.upload.onprogress = ({ loaded }) => {
      alive()
      progress?.(loaded)
    }
    ask.upload.onload = () => {
      // Whole: a large file is hashed and looked at now, on a small board.
      clearTimeout(timer)
      timer = setTimeout(() => ask.abort(), 10 * SILENCE_MS)
    }
    ask.onload = () => {
      end()
      if ([408, 502, 504].includes(ask.status)) reject(new Unreached())
      else resolve(ask)
    }
    ask.onerror = lost
    ask.onabort = lost
    ask.ontimeout = lost
    hands?.signal.addEventListener('abort', stop)
    if (hands?.signal.aborted) lost()
    else ask.send(body ?? null)
  })
}
