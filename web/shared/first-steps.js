// The first steps: their names, what the station has of each, and the list that leads from one to the next.

import { stepper } from './parts.js'
import { linkName, networkName } from './words.js'

/** @typedef {import('../../src/dashboard/editing/first-run-document.ts').FirstRunDocument} FirstRunDocument */
/** @typedef {import('./words.js').Say} Say */

export const STEPS = /** @type {const} */ (['place', 'area', 'radios', 'sources', 'matrix', 'test'])
/** @typedef {(typeof STEPS)[number]} Step */
/** @typedef {{ document: FirstRunDocument, blocking: readonly { code: string }[], proven: boolean }} Standing */

/** @param {Say} t @returns {Record<Step, string>} */
export const stepNames = (t) => ({
  place: t('Name and place'),
  area: t('Areas'),
  radios: t('Radios'),
  sources: t('Sources'),
  matrix: t('Matrix'),
  test: t('Test message')
})

/** At which step a problem that keeps everything from being sent is mended. @type {Record<string, Step>} */
const STEP_OF = {
  no_named_area: 'area',
  tagging_off: 'matrix',
  matrix_off: 'matrix',
  matrix_empty: 'matrix',
  no_radio: 'radios',
  all_radios_down: 'radios'
}

/**
 * True when the station has what the step is about, and nothing that the step mends keeps it from sending.
 * @param {Standing} standing
 * @param {Step} step
 */
export function isDone(standing, step) {
  return has(standing, step) && !standing.blocking.some(({ code }) => (STEP_OF[code] ?? 'test') === step)
}

/**
 * @param {Standing} standing `proven`: a made-up event was seen to reach a channel
 * @param {Step} step
 */
export function has({ document, blocking, proven }, step) {
  const { station, place, areas, radios, sources, matrix } = document
  if (step === 'place') return station.named || place !== null
  if (step === 'area') return areas.some(({ name }) => name !== null)
  if (step === 'radios') return radios.length > 0
  if (step === 'sources') return sources.kinds.length > 0
  if (step === 'matrix') return matrix.enabled && matrix.tagging && matrix.columns.length > 0
  return blocking.length === 0 && proven
}

/**
 * The values of a step as the station has them; empty for one that stores nothing.
 * @param {Say} t
 * @param {FirstRunDocument} document
 * @param {Step} step
 */
function standsAs(t, { station, place, areas, radios, sources, matrix }, step) {
  /** @param {readonly (string | null)[]} list */
  const names = (list) => list.map((name) => name ?? '–').join(', ') || t('not yet')
  if (step === 'place') return place === null ? station.name : `${station.name}, ${place.name}`
  if (step === 'area') return names(areas.map(({ name }) => name))
  if (step === 'radios')
    return names(radios.map(({ network, link }) => `${networkName(network)} (${linkName(link, t)})`))
  if (step === 'sources') return names(sources.kinds)
  return step === 'matrix' ? names(matrix.columns.map(({ region }) => region)) : ''
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {{ canWrite: boolean }} reader
 */
export function firstStepsHead({ html, t }, { canWrite }) {
  return html`<p class="about">${t('Five steps lead to a first test message. Each is saved by itself, each can be skipped, and everything can be changed later.')}</p>
${canWrite ? null : html`<p class="banner note">${t('You may look at this; saving needs the operator.')} <a href="/sign-in?back=/first-run">${t('Sign in')}</a></p>`}`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Standing} standing
 * @param {(step: Step, content: T) => unknown} [lead] what an editor makes of a step: a button
 */
export function stepList(pen, standing, lead) {
  const { html, t } = pen
  const names = stepNames(t)
  const steps = STEPS.map((step, index) => {
    const done = isDone(standing, step)
    const value = standsAs(t, standing.document, step)
    const content = html`<span>${step === 'test' ? '' : `${index + 1}. `}<strong>${names[step]}</strong>${done ? html`<span class="hidden"> (${t('done')})</span>` : null}</span>${value === '' ? null : html` <small>${value}</small>`}`
    /** @type {import('./parts.js').StepState} */
    const state = done ? 'done' : 'next'
    return { state, content: lead === undefined ? html`<div class="step">${content}</div>` : lead(step, content) }
  })
  return stepper(pen, { label: t('Steps'), kind: 'boxes', steps })
}
