// Files, web pages and transcripts come in: several at once, resumable, followed to the end.

import { takeOverForms } from '../knowledge/other-forms.js'
import { Standing } from '../knowledge/standing.js'
import { Uploader } from '../knowledge/uploader.js'
import { pageData } from '../lib/api.js'
import { follow } from '../overview/follow.js'
import { html, render } from '../vendor/ui.js'

const root = document.getElementById('uploader')
if (root !== null) {
  /** @type {import('../knowledge/standing.js').Words} */
  const words = pageData()
  /** @type {import('../knowledge/uploader.js').UploadTarget} */
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
