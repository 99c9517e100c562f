// Saving, and following what others save: nothing edited here is ever lost or written over what somebody else saved.
import { ApiError, noAnswer, send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { connection, onLive } from '/static/lib/live.js'
import { cellsOf, compare, merged, mergedSwitches, switchesOf, turned } from '/static/shared/matrix-model.js'
import { effect, signal } from '/static/vendor/ui.js'

/** @typedef {import('./routing-view.ts').RoutingData} RoutingData */
/** @typedef {import('./state.js').Matrix} Matrix */
/** @typedef {import('/static/shared/matrix-model.js').MergeRow} MergeRow */
/**
 * @typedef {{ kind: 'idle' } | { kind: 'saving' }
 *   | { kind: 'saved', warnings: { code: string, message: string }[] }
 *   | { kind: 'waiting', detail: string }
 *   | { kind: 'refused', status: number, detail: string, errors: { path: string, message: string }[] }
 *   | { kind: 'conflict', theirs: RoutingData, rows: MergeRow[] }} Status
 */
/** @typedef {ReturnType<typeof createSaving>} Saving */

const ROUTE = '/api/notifications/region-routing'
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 15_000
/** Several changes at once are one look. */
const SOON_MS = 100
const SETTLED = new Set(['idle', 'saved', 'refused'])
/** No answer, or one of something in between: the station may be starting again. */
const PASSING = new Set([0, 502, 503, 504])

/** The data of this page as of now: what the station would draw it from. @returns {Promise<RoutingData>} */
async function fetchData() {
  /** @type {Response} */
  let answer
  let text = ''
  try {
    answer = await fetch(location.pathname, { headers: { accept: 'text/html' } })
    text = await answer.text()
  } catch {
    throw noAnswer()
  }
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  const data = fresh.getElementById('data')?.textContent
  if (!answer.ok || !data)
    throw new ApiError({ status: answer.status, title: answer.statusText, detail: answer.statusText })
  const banners = fresh.getElementById('banners')
  if (banners) document.getElementById('banners')?.replaceWith(banners)
  return JSON.parse(data)
}

/**
 * @param {Matrix} matrix
 * @param {{ busy: () => boolean, say: (text: string) => void }} page `busy`: a cell is being edited
 */
export function createSaving(matrix, { busy, say }) {
  /** @type {import('/static/vendor/ui.js').Signal<Status>} */
  const status = signal({ kind: 'idle' })
  /** The matrix that somebody else saved while there are edits here. @type {import('/static/vendor/ui.js').Signal<RoutingData | null>} */
  const elsewhere = signal(null)
  let pause = FIRST_PAUSE_MS
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  const save = async () => {
    clearTimeout(timer)
    if (status.peek().kind === 'saving' || matrix.data.peek().demo) return
    status.value = { kind: 'saving' }
    const { revision } = matrix.data.peek()
    const answer = await send(ROUTE, matrix.matrix(), { revision }).catch(failed)
    if (!answer) return
    matrix.accept(answer.body.saved, answer.body.revision)
    elsewhere.value = null
    done(answer.body.warnings)
  }

  /** @param {{ code: string, message: string }[]} warnings */
  const done = (warnings) => {
    pause = FIRST_PAUSE_MS
    status.value = { kind: 'saved', warnings }
  }

  /** @param {unknown} error @returns {Promise<void>} */
  const failed = async (error) => {
    // An answer that broke off is no answer.
    if (!(error instanceof ApiError)) return waitAndRetry(noAnswer().message)
    if (PASSING.has(error.status)) return waitAndRetry(error.message)
    if (error.status === 412) return meet()
    const { detail, errors = [] } = error.problem
    status.value = { kind: 'refused', status: error.status, detail, errors }
  }

  /** @param {string} detail */
  const waitAndRetry = (detail) => {
    status.value = { kind: 'waiting', detail }
    timer = setTimeout(() => void save(), pause)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }

  /** Somebody else saved first. Also when an answer got lost: then what is there is what was sent. */
  const meet = async () => {
    const theirs = await fetchData().catch(failed)
    if (theirs) show(theirs)
  }

  /** @param {RoutingData} theirs */
  const show = (theirs) => {
    const there = cellsOf(theirs.matrix)
    const rows = compare(matrix.saved.peek(), matrix.current.peek(), there)
    const alike =
      rows.every(({ kind }) => kind === 'same') &&
      turned(matrix.switches.peek(), switchesOf(theirs.matrix)).length === 0
    elsewhere.value = null
    if (alike) {
      matrix.load(theirs)
      done([])
    } else status.value = { kind: 'conflict', theirs, rows }
  }

  /** @param {Map<string, 'here' | 'there'>} choices */
  const merge = async (choices) => {
    const now = status.peek()
    if (now.kind !== 'conflict') return
    const { theirs, rows } = now
    const switches = mergedSwitches(matrix.savedSwitches.peek(), matrix.switches.peek(), switchesOf(theirs.matrix))
    matrix.load(theirs, { cells: merged(cellsOf(theirs.matrix), rows, choices), switches })
    status.value = { kind: 'idle' }
    if (matrix.dirty.peek() > 0) await save()
    else done([])
  }

  const loadTheirs = () => {
    const now = status.peek()
    if (now.kind !== 'conflict') return
    matrix.load(now.theirs)
    status.value = { kind: 'idle' }
  }

  const keepEditing = () => {
    const now = status.peek()
    clearTimeout(timer)
    if (now.kind === 'conflict') elsewhere.value = now.theirs
    status.value = { kind: 'idle' }
  }

  const settled = () => SETTLED.has(status.peek().kind)

  /** @param {RoutingData} next */
  const take = (next) => {
    const known = matrix.data.peek()
    if (next.revision === known.revision && next.demo === known.demo) {
      elsewhere.value = null
      matrix.loadAround(next)
    } else if (matrix.dirty.peek() > 0 || busy()) {
      matrix.loadAround(next)
      elsewhere.value = next
    } else {
      matrix.load(next)
      status.value = { kind: 'idle' }
      say(t('The matrix was changed elsewhere: this is the new version.'))
    }
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let looking
  /** There was news while a save was under way. */
  let due = false
  const lookSoon = () => {
    clearTimeout(looking)
    looking = setTimeout(() => {
      due = !settled()
      if (!due) fetchData().then(takeWhenSettled, notNow)
    }, SOON_MS)
  }
  /** @param {RoutingData} next */
  const takeWhenSettled = (next) => {
    due = !settled()
    if (!due) take(next)
  }
  /** The page is fetched again when the connection is back. @param {unknown} error */
  const notNow = (error) => {
    if (!(error instanceof ApiError)) throw error
  }

  const follow = () => {
    onLive(['config', 'reset'], lookSoon)
    onLive(['radio'], (radio) => {
      const data = matrix.data.peek()
      const { id, state, reason, simulated, channels } = radio
      const radios = { ...data.radios, [radio.network]: { id, state, reason, simulated, channels } }
      // A queue that got longer changes nothing here.
      if (JSON.stringify(radios) !== JSON.stringify(data.radios)) matrix.loadAround({ ...data, radios })
    })
    let lost = false
    effect(() => {
      const now = connection.value
      if (now === 'lost') lost = true
      if (now !== 'live' || !lost) return
      lost = false
      if (status.peek().kind === 'waiting') void save()
      else lookSoon()
    })
    effect(() => {
      if (SETTLED.has(status.value.kind) && due) lookSoon()
    })
    // Nothing is edited here any more: what somebody else saved is what is shown.
    effect(() => {
      const next = elsewhere.value
      if (next !== null && matrix.dirty.value === 0 && !busy() && settled()) {
        elsewhere.value = null
        matrix.load(next)
      }
    })
  }

  return { status, elsewhere, save, merge, loadTheirs, keepEditing, show, follow }
}
