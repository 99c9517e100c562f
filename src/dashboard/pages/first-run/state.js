// The common state of all steps: the document as the station has it, the step one is at, and saving.
import { get, pageData, send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { has, STEPS, stepNames } from '/static/shared/first-steps.js'
import { batch, signal } from '/static/vendor/ui.js'

/** @import { FirstRunData } from './page.ts' */
/** @import { FirstRunBody } from '../../editing/first-run-body.ts' */

/** @typedef {import('/static/shared/first-steps.js').Step} Step */

/** @type {FirstRunData} */
const given = pageData()

export const { families, mode, offered, canWrite, simulatedByProfile } = given
export const doc = signal(given.document)
export const radios = signal(given.radios)
/** Problems that keep everything from being sent (contract §13). */
export const blocking = signal(given.problems.filter((problem) => problem.blocking))
/** Problems for which something would be missed: no source that tells of hazards, a radio that is down. */
export const lacking = signal(given.problems.filter((problem) => !problem.blocking))
/** Regions for which a made-up event was seen to reach a channel. */
export const proven = signal(/** @type {ReadonlySet<string>} */ (new Set()))

export const NAMES = stepNames(t)

/** The steps are judged by this. */
export const standing = () => ({ document: doc.value, blocking: blocking.value, proven: proven.value.size > 0 })

function stepOfAddress() {
  return STEPS.find((name) => `#${name}` === location.hash)
}

export const step = signal(stepOfAddress() ?? STEPS.find((name) => !has(standing(), name)) ?? 'test')
// The way back of the browser leads here: without a step in its address it would change nothing.
if (location.hash === '') history.replaceState({ step: step.value }, '')
/** Grows with every change of the document from outside: the forms begin anew. */
export const edition = signal(0)
export const busy = signal(false)
/** @type {import('/static/vendor/ui.js').Signal<{ status: number, text: string, more: string[] } | null>} */
export const failure = signal(null)
export const notice = signal('')

addEventListener('hashchange', () => {
  const asked = stepOfAddress() ?? STEPS.find((name) => location.hash === '' && name === history.state?.step)
  if (asked !== undefined && asked !== step.value) show(asked)
})

/** @param {Step} next */
function show(next) {
  batch(() => {
    step.value = next
    failure.value = null
  })
  // The heading is read out, and the form begins where the eye is.
  requestAnimationFrame(() => document.getElementById('step')?.focus())
}

/** @param {Step} next */
export function goTo(next) {
  show(next)
  if (location.hash !== `#${next}`) history.pushState(null, '', `#${next}`)
}

export function goOn() {
  goTo(STEPS[STEPS.indexOf(step.value) + 1] ?? 'test')
}

/** Says in the page why something failed. @param {unknown} error */
export function tell(error) {
  if (!(error instanceof Error)) throw error
  const { status = -1, problem } = /** @type {Partial<import('/static/lib/api.js').ApiError>} */ (error)
  const more = (problem?.errors ?? [])
    .map(({ message }) => message)
    .filter((message) => !error.message.includes(message))
  failure.value = { status, text: error.message, more: [...new Set(more)] }
}

/**
 * Runs what takes a while; the buttons wait, and a failure is told. @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T | null>}
 */
export async function during(work) {
  if (busy.value) return null
  batch(() => {
    busy.value = true
    failure.value = null
    notice.value = ''
  })
  try {
    return await work()
  } catch (error) {
    tell(error)
    return null
  } finally {
    busy.value = false
  }
}

export async function load() {
  const [{ body }, found, status] = await Promise.all([get('/api/first-run'), get('/api/radios'), get('/api/status')])
  batch(() => {
    doc.value = body
    radios.value = found.body.radios
    judge(status.body)
  })
}

/** @param {{ readiness: { problems: typeof given.problems } }} status */
function judge({ readiness }) {
  blocking.value = readiness.problems.filter((problem) => problem.blocking)
  lacking.value = readiness.problems.filter((problem) => !problem.blocking)
}

/**
 * Saves the parts of one step and goes on. When somebody else changed the same in between, nothing is saved: the form
 * begins anew with what is there now.
 * @param {FirstRunBody} part
 */
export function save(part) {
  return during(async () => {
    try {
      const { body } = await send('/api/first-run', part, { revision: doc.value.revision })
      doc.value = body
      // A route that was shown to work may work no more.
      proven.value = new Set()
      judge((await get('/api/status')).body)
      goOn()
      notice.value = t('Saved.')
    } catch (error) {
      if (/** @type {Partial<import('/static/lib/api.js').ApiError>} */ (error).status !== 412) throw error
      await load()
      edition.value++
      throw new Error(
        t('Somebody else has changed this in the meantime. This is how it is now: look it over and save again.')
      )
    }
  })
}
