// Suggestions while typing (WAI-ARIA combobox with a listbox), and coordinates that copy themselves. Everything else is there without this.
import '/static/lib/shell.js'
import { pageData } from '/static/lib/api.js'

/** @type {{ words: { copy: string, copyCoordinates: string, copied: string, suggestions: string, one: string, some: string } }} */
const { words } = pageData()

const PAUSE_MS = 150
const FEWEST_LETTERS = 2

const input = /** @type {HTMLInputElement | null} */ (document.getElementById('q'))
if (input !== null) suggestFor(input)
for (const place of document.querySelectorAll('.place')) addCopy(/** @type {HTMLElement} */ (place))

/** @param {HTMLInputElement} input */
function suggestFor(input) {
  const list = document.createElement('ul')
  const status = document.getElementById('suggested')
  list.id = 'suggestions'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', words.suggestions)
  list.hidden = true
  input.after(list)
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-expanded', 'false')

  let chosen = -1
  let timer = 0
  let asked = new AbortController()
  let typed = input.value

  const close = () => {
    clearTimeout(timer)
    asked.abort()
    list.hidden = true
    chosen = -1
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
    if (status !== null) status.textContent = ''
  }

  /** @param {{ text: string, kind: string }[]} suggestions */
  const show = (suggestions) => {
    chosen = -1
    input.removeAttribute('aria-activedescendant')
    list.replaceChildren(...suggestions.map(({ text }, at) => optionOf(text, at)))
    list.hidden = suggestions.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
    if (status === null) return
    const count = suggestions.length
    status.textContent = count === 0 ? '' : count === 1 ? words.one : words.some.replace('{count}', String(count))
  }

  const ask = async () => {
    asked.abort()
    asked = new AbortController()
    try {
      const answer = await fetch(`/api/address-db/suggest?q=${encodeURIComponent(typed)}`, { signal: asked.signal })
      // Suggestions are a help: without them the form does the same.
      if (!answer.ok) return close()
      const { suggestions } = await answer.json()
      if (document.activeElement === input) show(suggestions)
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) close()
    }
  }

  /** @param {number} at */
  const choose = (at) => {
    const options = [...list.children]
    chosen = at
    for (const [index, option] of options.entries()) option.setAttribute('aria-selected', String(index === at))
    const option = options[at]
    if (option === undefined) {
      input.removeAttribute('aria-activedescendant')
      input.value = typed
      return
    }
    input.setAttribute('aria-activedescendant', option.id)
    input.value = option.textContent ?? ''
    option.scrollIntoView({ block: 'nearest' })
  }

  /** @param {number} step */
  const move = (step) => {
    const count = list.children.length
    // One more than the options: the text as it was typed.
    const next = chosen + step
    choose(next < -1 ? count - 1 : next >= count ? -1 : next)
  }

  input.addEventListener('input', () => {
    typed = input.value
    clearTimeout(timer)
    if (typed.trim().length < FEWEST_LETTERS) close()
    else timer = window.setTimeout(ask, PAUSE_MS)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      input.value = typed
      close()
    } else if (event.key === 'ArrowDown' && list.hidden && list.children.length > 0) {
      event.preventDefault()
      typed = input.value
      void ask()
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !list.hidden) {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    }
  })
  input.addEventListener('blur', close)
  // Before the field loses the focus, which would close the list under the pointer.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    const option = event.target instanceof Element ? event.target.closest('[role="option"]') : null
    if (option === null) return
    input.value = option.textContent ?? ''
    input.form?.requestSubmit()
  })
}

/**
 * @param {string} text
 * @param {number} at
 */
function optionOf(text, at) {
  const option = document.createElement('li')
  option.id = `suggestion-${at}`
  option.setAttribute('role', 'option')
  option.setAttribute('aria-selected', 'false')
  option.textContent = text
  return option
}

/** @param {HTMLElement} place */
function addCopy(place) {
  const code = place.querySelector('code')
  if (code === null) return
  const button = document.createElement('button')
  const name = place.parentElement?.querySelector('strong')?.textContent ?? ''
  button.type = 'button'
  button.textContent = words.copy
  button.setAttribute('aria-label', `${words.copyCoordinates}: ${name}`)
  button.addEventListener('click', async () => {
    await copy(code)
    button.textContent = words.copied
    button.setAttribute('aria-label', `${words.copied}: ${name}`)
  })
  place.append(' ', button)
}

/** The clipboard is closed to pages without TLS: there the text is marked and copied as by hand. @param {HTMLElement} code */
async function copy(code) {
  const text = code.textContent ?? ''
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text)
      return
    } catch (error) {
      // Not allowed by whoever sits there.
      if (!(error instanceof DOMException)) throw error
    }
  }
  const range = document.createRange()
  range.selectNodeContents(code)
  const selection = window.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
  document.execCommand('copy')
}
