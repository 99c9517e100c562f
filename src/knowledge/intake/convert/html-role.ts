import { readFile, writeFile } from 'node:fs/promises'
import { factsOf, type PageFacts } from './html-facts.ts'
import { textOf } from './html-text.ts'
import { readTree } from './html-tree.ts'
import { mainPart } from './main-text.ts'
import type { OwnResult } from './own-result.ts'

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

/** Role `convert:page`: reads the page in the file `input` (HTML in UTF-8) and writes a `ReadablePage` as JSON. */
export async function pageToJson(input: string, output: string): Promise<OwnResult> {
  const page = readPage(await readFile(input, 'utf8'))
  await writeFile(output, JSON.stringify(page))
  return { textLength: page.text.replace(/\s/g, '').length, warnings: [] }
}
