// Answers in sentences: those of the documents, or of a language model where there is one; searching works without this.
import '/static/lib/shell.js'
import { pageData } from '/static/lib/api.js'

/** @type {{ q: string }} */
const { q } = pageData()
const root = document.getElementById('ask')

if (root !== null && q !== '') {
  const { showAsk } = await import('./ask.js')
  showAsk(root, q)
}
