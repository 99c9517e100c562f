// A file becomes the text of the form; the text is sent as it is, so that a refusal names its place.
import '/static/lib/shell.js'
import { ApiError, send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'

/** @param {string} place @param {unknown} error */
function refuse(place, error) {
  const said = document.querySelector(place)
  if (said === null) return
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : []
  const lines = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  said.textContent = lines.length > 0 ? lines.join('; ') : error instanceof Error ? error.message : String(error)
}

/** @type {HTMLFormElement | null} */
const form = document.querySelector('form[data-begin]')
if (form !== null) {
  const text = /** @type {HTMLTextAreaElement} */ (form.querySelector('textarea'))
  const file = /** @type {HTMLInputElement} */ (form.querySelector('input[type=file]'))
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'))
  button.disabled = false
  file.addEventListener('change', async () => {
    const [chosen] = file.files ?? []
    if (chosen !== undefined) text.value = await chosen.text()
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    try {
      await send('/api/exercise', read(text.value))
      location.reload()
    } catch (error) {
      refuse('[data-refusal]', error)
      button.disabled = false
    }
  })
}

/** @param {string} script */
function read(script) {
  try {
    return JSON.parse(script)
  } catch (error) {
    throw new Error(`${t('The script is no JSON:')} ${error instanceof Error ? error.message : ''}`)
  }
}

/** @type {HTMLButtonElement | null} */
const stop = document.querySelector('button[data-stop]')
if (stop !== null) {
  stop.disabled = false
  stop.addEventListener('click', async () => {
    stop.disabled = true
    try {
      await send('/api/exercise/stop', {})
      location.reload()
    } catch (error) {
      refuse('[data-stop-refusal]', error)
      stop.disabled = false
    }
  })
}
