// Files, web pages and transcripts come in: several at once, resumable, followed to the end.

import '/static/lib/shell.js'
import { Uploader } from '/static/knowledge/uploader.js'
import { pageData } from '/static/lib/api.js'
import { follow } from '/static/lib/follow.js'
import { html, render } from '/static/vendor/ui.js'
import { takeOverForms } from './other-forms.js'
import { Standing } from './standing.js'

const root = document.getElementById('uploader')
if (root !== null) {
  /** @type {import('./standing.js').Words} */
  const words = pageData()
  /** @type {import('/static/knowledge/uploader.js').UploadTarget} */
  const target = {
    path: '/api/uploads',
    accept: '.pdf,.txt,.epub,.doc,.docx,.mobi',
    categories: true,
    over: words.over,
    standing: ({ one }) => html`<${Standing} one=${one} words=${words} />`
  }
  root.replaceChildren()
  render(html`<${Uploader} target=${target} />`, root)
}

takeOverForms()

follow({ path: location.pathname, parts: ['recent', 'as-of'], topics: ['knowledge', 'reset'] })
