// The words of the page's language, which the server reads from the same catalogue. A built page has those that it needs in its script.
import { fetchWords } from './fetch-words.js'

/** @type {Record<string, string>} */
export const words = await fetchWords()
