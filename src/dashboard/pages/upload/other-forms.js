// The forms for web pages and transcripts stay on the page: several can be added one after another, and a wait is seen.
import { ApiError, noAnswer } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { toast } from '/static/shared/parts.js'
import { html, render } from '/static/vendor/ui.js'

/** Takes over every form that names a route of the API. */
export function takeOverForms() {
  for (const form of document.querySelectorAll('form[data-api]'))
    if (form instanceof HTMLFormElement) form.addEventListener('submit', (event) => submitted(event, form))
}

/** @param {SubmitEvent} event @param {HTMLFormElement} form */
function submitted(event, form) {
  event.preventDefault()
  const button = form.querySelector('button')
  if (button === null || button.disabled) return
  const words = button.textContent
  button.disabled = true
  button.textContent = form.dataset['busy'] ?? words
  show(form, null)
  void add(form)
    .then((outcome) => {
      form.reset()
      show(form, outcome)
    })
    .catch((error) => show(form, error))
    .finally(() => {
      button.disabled = false
      button.textContent = words
    })
}

/** @param {HTMLFormElement} form @returns {Promise<{ hash: string, filename: string, title?: string }>} */
async function add(form) {
  const isFile = form.enctype === 'multipart/form-data'
  const fields = new FormData(form)
  const body = isFile ? fields : JSON.stringify(Object.fromEntries(fields))
  /** @type {Record<string, string>} */
  const headers = { accept: 'application/json', ...(isFile ? {} : { 'content-type': 'application/json' }) }
  /** @type {Response} */
  let answer
  try {
    answer = await fetch(form.dataset['api'] ?? '', { method: 'POST', headers, body })
  } catch {
    throw noAnswer()
  }
  const said = await answer.json()
  if (!answer.ok) throw new ApiError(said)
  return said
}

/** @param {HTMLFormElement} form @param {unknown} outcome */
function show(form, outcome) {
  const place = form.querySelector('.outcome')
  if (place !== null) render(html`<${Outcome} outcome=${outcome} />`, place)
}

/** @param {{ outcome: any }} props */
function Outcome({ outcome }) {
  if (outcome === null) return toast({ html }, '')
  if (!(outcome instanceof Error))
    return toast(
      { html },
      html`${t('Added:')} <a href=${`/documents/${outcome.hash}`}>${outcome.title || outcome.filename}</a>`,
      'good'
    )
  const problem = outcome instanceof ApiError ? outcome.problem : null
  const back = encodeURIComponent(location.pathname)
  return html`<p class="refusal" role="alert">${outcome.message}
    ${problem?.status === 401 || problem?.status === 403 ? html` <a href=${`/sign-in?back=${back}`}>${t('Sign in')}</a>` : null}
    ${problem?.existing ? html` <a href=${`/documents/${problem.existing.hash}`}>${t('The document that is here already')}</a>` : null}</p>`
}
