import { changeYear, dateYear, noticeYear } from '../stated-year.ts'
import { factsOf, type PageFacts } from './html-facts.ts'
import { textOf } from './html-text.ts'
import { readTree } from './html-tree.ts'
import { mainPart } from './main-text.ts'

/** Lines at the top and at the foot of a page that may be about the page; and those beside its title. */
const [EDGE, HEAD] = [40, 8]

/** A web page as it is kept. */
export interface ReadablePage extends PageFacts {
  text: string
  /** The year of its date, else the one that its notice of copyright or its last change gives; empty when it gives none. */
  year: string
}

/** The readable text of a page and what the page says about itself. Pure. */
export function readPage(html: string): ReadablePage {
  const { root, head } = readTree(html)
  // Facts first: what is looked for may stand in a part that is left out of the text.
  const facts = factsOf(head, root)
  const year = facts.date.slice(0, 4) || yearOnPage(textOf(root))
  return { ...facts, year, text: textOf(mainPart(root)) }
}

/** Notices stand at the top of a page or at its foot, outside of what is read. */
function yearOnPage(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [top, foot] = [lines.slice(0, EDGE), lines.slice(EDGE).slice(-EDGE)]
  return noticeYear([...top, ...foot]) || changeYear([...foot, ...top]) || dateYear(top.slice(0, HEAD))
}
