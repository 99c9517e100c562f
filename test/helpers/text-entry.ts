// Counts the pages of a text file and the longest of them, without the rest of the program: tests start it with a small heap.
import { pagesOfText } from '../../src/knowledge/enrich/read-text.ts'

const [, , path = ''] = process.argv
let pages = 0
let longest = 0
for await (const page of pagesOfText(path)) {
  pages++
  longest = Math.max(longest, page.length)
}
process.stdout.write(`${JSON.stringify({ pages, longest })}\n`)
