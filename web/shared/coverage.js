// The coverage in words: what the areas do, each area in its order, and what looks like a mistake.

/** @typedef {import('./words.js').Say} Say */
/** @typedef {{ path: string, message: string }} Warning */

/**
 * The effect of the two switches as they stand.
 * @param {Say} t
 * @param {{ enabled: boolean, region_tagging: boolean }} coverage
 */
export function switchWords(t, { enabled, region_tagging }) {
  return {
    enabled: enabled
      ? t('Coverage is on: events outside of every area are dropped.')
      : t('Coverage is off: events from everywhere pass.'),
    region_tagging: region_tagging
      ? t('Events are tagged with the names of the areas they touch.')
      : t('Region tagging is off: no event gets a region, and no cell of the matrix matches.')
  }
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {{ enabled: boolean, region_tagging: boolean }} coverage
 * @param {((name: 'enabled' | 'region_tagging', label: string, words: string) => unknown) | null} [switchOf] draws the switch of an editor
 * @param {unknown} [more]
 */
export function coverageSwitches({ html, t }, coverage, switchOf = null, more = null) {
  const words = switchWords(t, coverage)
  const draw = switchOf ?? ((_name, _label, said) => html`<p>${said}</p>`)
  return html`<fieldset class="switches"><legend>${t('What the areas do')}</legend>
${draw('enabled', t('Coverage on'), words.enabled)}
${draw('region_tagging', t('Region tagging'), words.region_tagging)}
${more}</fieldset>`
}

/**
 * The areas with their heading; `items` are rows of `areaText`.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {readonly unknown[]} items
 * @param {unknown} [controls]
 */
export function areaSection({ html, t }, items, controls = null) {
  return html`<section aria-labelledby="areas"><h2 id="areas">${t('Areas')}</h2>
<p class="hint">${t('In order: of several areas an event touches, the first names it.')}</p>
${
  items.length === 0
    ? html`<p>${t('There are no areas yet: events from everywhere pass, and there are no regions.')}</p>`
    : html`<ol class="areas">${items}</ol>`
}
${controls}</section>`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {{ index: number, name: string | null | undefined, parts: readonly string[], events?: string | null }} area parts in words
 */
export function areaText({ html, t }, { index, name, parts, events = null }) {
  const named = name !== null && name !== undefined && name !== ''
  return html`<strong class="${named ? '' : 'nameless'}">${index + 1}. ${named ? name : t('no name: covered, but not a region')}</strong>
<small>${parts.length === 0 ? t('no shape yet') : parts.join('; ')}</small>
${events === null ? null : html`<small class="events">${events}</small>`}`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {readonly Warning[]} warnings
 * @param {(index: number) => string} nameOf an area by its place; empty for one without a name
 */
export function coverageWarningList({ html, t }, warnings, nameOf) {
  if (warnings.length === 0) return null
  const items = warnings.map(({ path, message }) => {
    const index = /^\/areas\/(\d+)/.exec(path)?.[1]
    if (index === undefined) return html`<li>${message}</li>`
    const name = nameOf(Number(index)) || t('Area {number}', { number: Number(index) + 1 })
    return html`<li><strong>${name}:</strong> ${message}</li>`
  })
  return html`<div class="problems"><h3>${t('Worth a look')}</h3><ul>${items}</ul></div>`
}
