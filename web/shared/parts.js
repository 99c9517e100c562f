// Parts of every page, drawn by the server and by scripts alike (docs/design.md): the stepper, the toast, the skeleton, the sparkline. The dialog,
// which only a script can open, is web/lib/dialog.js.

/** @typedef {'done' | 'now' | 'next' | 'left' | 'stopped'} StepState */
/** @typedef {{ state: StepState, content: unknown, word?: string }} StepShown `word` says the state to who sees no shape */

/**
 * How far something is, or where somebody is in it: steps in their order.
 * @template T
 * @param {Pick<import('./pen.js').Pen<T>, 'html'>} pen
 * @param {{ label: string, steps: readonly StepShown[], kind?: '' | 'boxes' | 'boxes wide', status?: string }} given `status` of the whole,
 *   for scripts
 */
export function stepper({ html }, { label, steps, kind = '', status = '' }) {
  const items = steps.map(
    ({ state, content, word = '' }) =>
      html`<li class="${state}" aria-current="${state === 'now' ? 'step' : 'false'}">${content}${word === '' ? null : html`<span class="hidden"> (${word})</span>`}</li>`
  )
  return html`<ol class="stepper ${kind}" aria-label="${label}" data-status="${status}">${items}</ol>`
}

/**
 * The good end of an order, in a sentence. It stays until the next one: what goes by itself is missed. Empty, it takes no room and
 * waits for what is told.
 * @template T
 * @param {Pick<import('./pen.js').Pen<T>, 'html'>} pen
 * @param {unknown} said
 * @param {'' | 'good'} [tone] `good` for what is proven
 */
export function toast({ html }, said, tone = '') {
  return html`<p class="toast ${tone}" role="status">${said}</p>`
}

/**
 * The place of what is being worked out, and a word for it; nothing while `said` is empty.
 * @template T
 * @param {Pick<import('./pen.js').Pen<T>, 'html'>} pen
 * @param {string} said
 */
export function skeleton({ html }, said) {
  return html`<p class="skeleton" role="status">${said}</p>`
}

const SPARK = { wide: 10, high: 30, least: 1.5 }

/**
 * Few numbers in the order of time, as columns beside one another; `said` is what they say, for who does not see them. A column that is none is not
 * drawn; one of which nobody knows (null) is pale and of full height.
 * @template T
 * @param {Pick<import('./pen.js').Pen<T>, 'html'>} pen
 * @param {{ values: readonly (number | null)[], said: string }} given
 */
export function sparkline({ html }, { values, said }) {
  const { wide, high, least } = SPARK
  const top = Math.max(1, ...values.map((value) => value ?? 0))
  const columns = values.map((value, at) => {
    if (value === null)
      return html`<rect class="unknown" x="${at * wide}" y="0" width="${wide}" height="${high}"></rect>`
    if (value === 0) return null
    const tall = Math.max(least, (value / top) * high)
    return html`<rect x="${at * wide + 1}" y="${(high - tall).toFixed(1)}" width="${wide - 2}" height="${tall.toFixed(1)}"></rect>`
  })
  return html`<svg class="sparkline" viewBox="0 0 ${values.length * wide} ${high}" preserveAspectRatio="none" role="img" aria-label="${said}">${columns}</svg>`
}
