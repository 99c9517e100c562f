// Files, web pages and transcripts come in: several at once, resumable, followed to the end.

import { takeOverForms } from '../knowledge/other-forms.js'
import { Uploader } from '../knowledge/uploader.js'
import { pageData } from '../lib/api.js'
import { follow } from '../overview/follow.js'
import { html, render } from '../vendor/ui.js'

const root = document.getElementById('uploader')
if (root !== null) {
  root.replaceChildren()
  render(html`<${Uploader} words=${pageData()} />`, root)
}

takeOverForms()

follow({ path: location.pathname, parts: ['recent', 'as-of'], topics: ['knowledge', 'reset'] })
