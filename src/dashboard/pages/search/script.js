// Answers in sentences, for a station that has a language model; searching works without this.
import { pageData } from '/static/lib/api.js'

/** @type {{ q: string, canAsk: boolean }} */
const { q, canAsk } = pageData()
const root = document.getElementById('ask')

if (root !== null && canAsk && q !== '') {
  const { showAsk } = await import('./ask.js')
  showAsk(root, q)
}
