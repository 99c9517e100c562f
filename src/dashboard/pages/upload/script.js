// Files, web pages and transcripts come in: several at once, resumable, followed to the end.

import '/static/lib/shell.js'
import { mountUploader } from '/static/knowledge/uploader.js'
import { pageData } from '/static/lib/api.js'
import { follow } from '/static/lib/follow.js'
import { html } from '/static/vendor/ui.js'
import { takeOverForms } from './other-forms.js'
import { Standing } from './standing.js'

/** @type {import('./standing.js').Words} */
const words = pageData()

mountUploader({
  path: '/api/uploads',
  accept: '.pdf,.txt,.epub,.doc,.docx,.mobi',
  categories: true,
  over: words.over,
  standing: ({ one }) => html`<${Standing} one=${one} words=${words} />`
})

takeOverForms()

follow({ path: location.pathname, parts: ['recent', 'as-of'], topics: ['knowledge', 'reset'] })
