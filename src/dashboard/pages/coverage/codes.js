// Counties, states and zones of a part: found by name or code, listed, taken out.
import { ApiError, get, noAnswer } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { html, useSignal } from '/static/vendor/ui.js'

/** @typedef {import('./state.js').Editor} Editor */
/** @typedef {{ code: string, name: string, state: string, kind: string }} Found */

/** As the station takes them. */
const CODE = /^(?:[A-Z]{2}|[A-Z]{2}[CZ](?:\d{3}|ALL)|\d{5,6}|[A-Z][A-Z0-9_.:\- ]{0,60}:[A-Z0-9_.-]{1,40})$/
const PAUSE_MS = 250

/**
 * @param {{ codes: readonly string[], names: import('/static/vendor/ui.js').Signal<Map<string, string>>, onChange: (codes: string[]) => void }} props
 */
export function CodesForm({ codes, names, onChange }) {
  /** @type {import('/static/vendor/ui.js').Signal<Found[] | null>} */
  const found = useSignal(null)
  const query = useSignal('')
  const problem = useSignal('')
  /** @type {import('/static/vendor/ui.js').Signal<ReturnType<typeof setTimeout> | undefined>} */
  const timer = useSignal(undefined)

  const search = async () => {
    const q = query.peek().trim()
    if (q.length < 2) {
      found.value = null
      return
    }
    try {
      const { body } = await get(`/api/atlas/search?limit=12&q=${encodeURIComponent(q)}`)
      if (q === query.peek().trim()) found.value = body.results
      problem.value = ''
    } catch (error) {
      problem.value = error instanceof ApiError ? error.message : noAnswer().message
    }
  }
  /** @param {Found} one */
  const add = ({ code, name }) => {
    if (name) names.value = new Map([...names.peek(), [code, name]])
    if (!codes.includes(code)) onChange([...codes, code])
    // The list stays, for more of the same; the field is free for the next search.
    query.value = ''
  }
  /** @param {Event} event */
  const typed = (event) => {
    query.value = /** @type {HTMLInputElement} */ (event.target).value
    clearTimeout(timer.peek())
    timer.value = setTimeout(() => void search(), PAUSE_MS)
  }
  /** Several codes at once, or the first that was found. @param {Event} event */
  const enter = (event) => {
    event.preventDefault()
    const written = query
      .peek()
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((code) => CODE.test(code))
    const all = query
      .peek()
      .trim()
      .split(/[\s,;]+/).length
    if (written.length > 0 && written.length === all) onChange([...new Set([...codes, ...written])])
    else if (found.peek()?.[0] !== undefined) add(/** @type {Found} */ (found.peek()?.[0]))
    query.value = ''
    found.value = null
  }

  return html`<form class="codes" role="search" onSubmit=${enter}>
    <label>${t('Find a county, a state or a zone')}
      <input type="search" value=${query.value} onInput=${typed} placeholder=${t('Ada, Idaho or IDZ014')} autocomplete="off" /></label>
    ${problem.value && html`<p class="warning" role="alert">${problem.value}</p>`}
    <${Results} found=${found.value} codes=${codes} add=${add} />
    <p class="hint">${t('Enter adds the first one; codes may also be typed, with blanks between.')}</p>
    ${
      codes.length === 0
        ? html`<p>${t('Nothing is picked yet.')}</p>`
        : html`<ul class="chips" aria-label=${t('Picked')}>${codes.map(
            (code) => html`<li key=${code}><span>${names.value.get(code) ?? ''} <small>${code}</small></span>
              <button type="button" aria-label=${t('Take out {name}', { name: names.value.get(code) ?? code })} onClick=${() => onChange(codes.filter((one) => one !== code))}>×</button></li>`
          )}</ul>`
    }
  </form>`
}

/** @param {{ found: Found[] | null, codes: readonly string[], add: (one: Found) => void }} props */
function Results({ found, codes, add }) {
  if (found === null) return html`<div role="status"></div>`
  if (found.length === 0) return html`<div role="status"><p>${t('Nothing has this name or code.')}</p></div>`
  return html`<div role="status"><span class="hidden">${t('{count} found.', { count: found.length })}</span></div>
    <ul class="found">${found.map(
      (
        one
      ) => html`<li key=${one.code}><button type="button" disabled=${codes.includes(one.code)} onClick=${() => add(one)}>
        ${one.name || one.code}${one.state ? html`, ${one.state}` : null} <small>${one.code}</small></button></li>`
    )}</ul>`
}
