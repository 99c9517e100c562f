// The files somebody gave, each on its way from this device to the end of the station's work on it.
import { ApiError, get } from '../lib/api.js'
import { t } from '../lib/i18n.js'
import { onLive } from '../lib/live.js'
import { signal } from '../vendor/ui.js'
import { sendFile } from './tus.js'

/** A board reads a hotspot at its own pace: more at once only makes each slower. */
const AT_ONCE = 2
const FIRST_LOOK_MS = 1000
const LAST_LOOK_MS = 15_000
/** The pace is that of the last seconds, and none is told before there was time for one. */
const PACE_MS = 8000
const LEAST_MS = 1500
/** The route of documents: what is here already is told by its hash, before a byte is sent. */
const DOCUMENTS = '/api/uploads'
/** A larger file does not fit into the memory of a phone at once. Bytes. */
const MOST_HASHED = 64 * 1024 * 1024

/** @typedef {import('../../src/knowledge/catalogue/status.ts').UploadStatusView} Status */
/**
 * `waiting`: for its turn. `sending`, `lost`: the station is out of reach. `stopped`: by hand. `refused`: see `refusal`.
 * `here`: the station has it; `status` tells the rest.
 * @typedef {'waiting' | 'sending' | 'lost' | 'stopped' | 'refused' | 'here'} State
 */
/** `passing`: the same file may be taken another time. */
/** @typedef {{ detail: string, signIn: boolean, passing: boolean, existing: { hash: string, filename: string, status: string } | null }} Refusal */

let count = 0

/** SHA-256 of a file; empty where the browser has none to offer (over plain HTTP), or it is too large: the station finds it out then. @param {File} file */
async function hashOf(file) {
  if (globalThis.crypto?.subtle === undefined || file.size > MOST_HASHED) return ''
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** One file. */
export class Sending {
  id = ++count
  state = signal(/** @type {State} */ ('waiting'))
  sent = signal(0)
  /** Bytes a second of the last seconds; 0 while that is not known. */
  pace = signal(0)
  /** @type {{ at: number, sent: number }[]} */
  #seen = []
  refusal = signal(/** @type {Refusal | null} */ (null))
  status = signal(/** @type {Status | null} */ (null))
  hash = ''
  /** Where the station tells what becomes of it; empty where nothing more happens to it. */
  statusUrl = ''
  #stop = new AbortController()
  #file
  #category
  #path

  /** @param {File} file @param {string} category @param {string} path of the route that takes it */
  constructor(file, category, path) {
    this.#file = file
    this.#category = category
    this.#path = path
  }

  get name() {
    return this.#file.name
  }

  get size() {
    return this.#file.size
  }

  /** True while it still needs this page. */
  get busy() {
    return ['waiting', 'sending', 'lost'].includes(this.state.value)
  }

  stop() {
    this.#stop.abort()
    if (this.state.peek() === 'waiting') this.state.value = 'stopped'
  }

  /** Puts it back into the line. */
  again() {
    this.#stop = new AbortController()
    this.refusal.value = null
    this.state.value = 'waiting'
  }

  async send() {
    this.state.value = 'sending'
    try {
      const sha256 = this.#path === DOCUMENTS ? await hashOf(this.#file) : ''
      const answer = await sendFile(
        this.#file,
        { category: this.#category, sha256 },
        {
          path: this.#path,
          signal: this.#stop.signal,
          progress: (sent) => {
            this.sent.value = sent
            this.#measure(sent)
          },
          trouble: (lost) => {
            this.state.value = lost ? 'lost' : 'sending'
          }
        }
      )
      this.hash = answer.getResponseHeader('Upload-Hash') ?? ''
      this.statusUrl = answer.getResponseHeader('Upload-Status-Url') ?? ''
      this.state.value = 'here'
    } catch (error) {
      this.#failed(error)
    }
  }

  /** @param {number} sent */
  #measure(sent) {
    const at = performance.now()
    this.#seen = [...this.#seen.filter((one) => at - one.at < PACE_MS && one.sent <= sent), { at, sent }]
    const [first] = this.#seen
    const took = first === undefined ? 0 : at - first.at
    this.pace.value = first === undefined || took < LEAST_MS ? 0 : ((sent - first.sent) * 1000) / took
  }

  /** @param {unknown} error */
  #failed(error) {
    if (error instanceof DOMException && error.name === 'AbortError') {
      this.state.value = 'stopped'
      return
    }
    const known = error instanceof ApiError
    // A file that was moved or changed after it was chosen cannot be read.
    const detail = known
      ? error.message
      : t('The file cannot be read: it was moved or changed since it was chosen. Choose it again.')
    const existing = known ? /** @type {any} */ (error.problem.existing ?? null) : null
    const signIn = known && (error.status === 401 || error.status === 403)
    const passing = !known || signIn || error.status === 429 || error.status >= 500
    this.refusal.value = { detail, signIn, passing, existing }
    this.state.value = 'refused'
  }
}

/** All of them, in the order they were given. */
export class Sendings {
  list = signal(/** @type {Sending[]} */ ([]))
  #target
  #running = 0
  /** @type {Set<() => void>} */
  #impatient = new Set()

  /** @param {{ path: string, over?: readonly string[], onArrival?: () => void }} target `over`: statuses after which nothing more happens */
  constructor(target) {
    this.#target = target
    onLive(['knowledge', 'reset'], () => {
      for (const look of this.#impatient) look()
    })
  }

  /** @param {Iterable<File>} files @param {string} category */
  add(files, category) {
    this.list.value = [
      ...this.list.peek(),
      ...Array.from(files, (file) => new Sending(file, category, this.#target.path))
    ]
    this.#next()
  }

  /** @param {Sending} one */
  again(one) {
    one.again()
    this.#next()
  }

  /** @param {Sending} one */
  remove(one) {
    one.stop()
    this.list.value = this.list.peek().filter((other) => other !== one)
  }

  #next() {
    while (this.#running < AT_ONCE) {
      const one = this.list.peek().find(({ state }) => state.peek() === 'waiting')
      if (one === undefined) return
      this.#running++
      void one.send().then(() => {
        this.#running--
        if (one.state.peek() === 'here') {
          this.#target.onArrival?.()
          if (one.statusUrl !== '') void this.#watch(one)
        }
        this.#next()
      })
    }
  }

  /** Asks how far it is until nothing more happens: soon at first, then less often, and whenever the station has news. */
  async #watch(/** @type {Sending} */ one) {
    for (let wait = FIRST_LOOK_MS; this.list.peek().includes(one); wait = Math.min(wait * 1.5, LAST_LOOK_MS)) {
      try {
        const { body } = await get(one.statusUrl)
        one.status.value = body
        if (this.#target.over?.includes(body.status)) return
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        // Deleted meanwhile; anything else passes.
        if (error.status === 404) return
      }
      await this.#until(wait)
    }
  }

  /** @param {number} ms */
  #until(ms) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#impatient.delete(soon)
        resolve(undefined)
      }
      // News come in bursts.
      const soon = () => {
        this.#impatient.delete(soon)
        setTimeout(done, 300)
      }
      const timer = setTimeout(done, ms)
      this.#impatient.add(soon)
    })
  }
}
