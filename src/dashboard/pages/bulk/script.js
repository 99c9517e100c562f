// Lists and folders are followed while they are taken in; a list may come from a text file, and be longer than a form may.

import '/static/lib/shell.js'
import { ApiError, noAnswer } from '/static/lib/api.js'
import { follow } from '/static/lib/follow.js'
import { t } from '/static/lib/i18n.js'
import { stayOnPage } from '/static/library/forms.js'
import { watchMoving } from '/static/library/moving.js'

const PARTS = ['content', 'as-of']

stayOnPage(PARTS)
watchMoving('content')
follow({ path: location.pathname + location.search, parts: PARTS, topics: ['knowledge', 'reset'] })
takeOver()

/** The form of addresses is sent as what the API takes. */
function takeOver() {
  const form = document.getElementById('addresses')
  const text = document.getElementById('text')
  const file = document.getElementById('list-file')
  if (!(form instanceof HTMLFormElement && text instanceof HTMLTextAreaElement && file instanceof HTMLInputElement))
    return
  document.getElementById('from-file')?.removeAttribute('hidden')
  file.addEventListener('change', () => {
    void readFile(file, text)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    event.stopPropagation()
    void send(form)
  })
}

/** @param {HTMLInputElement} file @param {HTMLTextAreaElement} text */
async function readFile(file, text) {
  const [chosen] = file.files ?? []
  if (chosen === undefined) return
  const read = await chosen.text().catch(() => null)
  if (read === null) say(t('The file cannot be read: it was moved or changed since it was chosen. Choose it again.'))
  else {
    text.value = [text.value.trim(), read.trim()].filter((part) => part !== '').join('\n')
    say('')
  }
  file.value = ''
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const button = form.querySelector('button')
  if (button === null || button.disabled) return
  const words = button.textContent
  const fields = new FormData(form)
  button.disabled = true
  button.textContent = form.dataset['busy'] ?? words
  say('')
  try {
    const body = JSON.stringify({ text: fields.get('text'), category: fields.get('category') })
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const answer = await fetch('/api/ingest/bulk', { method: 'POST', headers, body }).catch(() => {
      throw noAnswer()
    })
    const told = await answer.json()
    if (!answer.ok) throw new ApiError(told)
    location.href = `/knowledge/bulk/${told.id}?done=started`
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    button.disabled = false
    button.textContent = words
  }
}

/** @param {string} words */
function say(words) {
  const place = document.querySelector('#addresses .outcome')
  if (place !== null) place.textContent = words
}
