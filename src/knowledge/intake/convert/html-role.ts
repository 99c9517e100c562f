import { factsOf, type PageFacts } from './html-facts.ts'
import { textOf } from './html-text.ts'
import { readTree } from './html-tree.ts'
import { mainPart } from './main-text.ts'

/** A web page as it is kept. */
export interface ReadablePage extends PageFacts {
  text: string
}

/** The readable text of a page and what the page says about itself. Pure. */
export function readPage(html: string): ReadablePage {
  const { root, head } = readTree(html)
  // Facts first: what is looked for may stand in a part that is left out of the text.
  const facts = factsOf(head, root)
  return { ...facts, text: textOf(mainPart(root)) }
}
