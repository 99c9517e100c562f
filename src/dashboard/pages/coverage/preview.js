// The matches of the areas in the last days: asked of the station while one edits, with its real tagging.
import { ApiError, get, send } from '/static/lib/api.js'
import { effect, signal } from '/static/vendor/ui.js'
import { isComplete, wire } from './state.js'

/** @typedef {import('../../editing/coverage-preview.ts').CoveragePreview & { warnings: import('../../editing/coverage-document.ts').SaidWarning[] }} Result */
/** @typedef {ReturnType<typeof createPreview>} Preview */

const DAYS = 7
const PAUSE_MS = 700
const RETRY_MS = 3000
const MOST_EVENTS = 200

/** @param {import('./state.js').Editor} editor */
export function createPreview(editor) {
  /** @type {import('/static/vendor/ui.js').Signal<Result | null>} */
  const result = signal(null)
  /** @type {import('/static/vendor/ui.js').Signal<'idle' | 'asking'>} */
  const state = signal('idle')
  /** @type {import('/static/vendor/ui.js').Signal<string>} */
  const problem = signal('')
  /** Newest revision of each, newest first. @type {import('/static/vendor/ui.js').Signal<any[]>} */
  const events = signal([])
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  let asked = 0

  const ask = async () => {
    if (!isComplete(editor.draft.peek())) return
    const number = ++asked
    state.value = 'asking'
    const answer = await send('/api/coverage/preview', { coverage: wire(editor.draft.peek()), days: DAYS }).catch(
      (error) => error
    )
    // An older answer says nothing about what is edited now.
    if (number !== asked) return
    state.value = 'idle'
    if (!(answer instanceof Error)) {
      result.value = answer.body
      problem.value = ''
    } else if (answer instanceof ApiError && (answer.status === 429 || answer.status === 503)) later(RETRY_MS)
    else problem.value = answer.message
  }
  /** @param {number} ms */
  const later = (ms) => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), ms)
  }
  const start = () => {
    loadEvents().then(
      (loaded) => {
        events.value = loaded
      },
      (error) => {
        problem.value = String(error?.message ?? error)
      }
    )
    return effect(() => {
      // Read, so that every edit asks anew.
      void editor.draft.value
      later(result.peek() === null ? 0 : PAUSE_MS)
    })
  }
  return { result, state, problem, events, start, days: DAYS }
}

async function loadEvents() {
  const since = new Date(Date.now() - DAYS * 86_400_000).toISOString()
  const { body } = await get(`/api/events?limit=${MOST_EVENTS}&since=${encodeURIComponent(since)}`)
  const seen = new Set()
  return body.events.filter((/** @type {any} */ { source, id, lifecycle }) => {
    const key = `${source}\n${id}`
    const first = !seen.has(key)
    seen.add(key)
    return first && lifecycle !== 'cancel' && lifecycle !== 'expire'
  })
}
