import { textLength, visibleText } from './block.ts'
import { docxTextLength } from './docx.ts'
import { readEpub } from './epub.ts'
import { chapterBlocks } from './from-epub.ts'
import type { OwnResult } from './own-result.ts'
import { SafeZip } from './safe-zip.ts'

/** Measures the text of an EPUB or DOCX; also the check that it may be handed to another program. @throws AppError */
export async function measure(input: string): Promise<OwnResult> {
  const zip = await SafeZip.open(input)
  try {
    if (!zip.has('META-INF/container.xml')) return { textLength: await docxTextLength(zip), warnings: [] }
    const book = await readEpub(zip)
    let length = 0
    for (const chapter of book.chapters) {
      for await (const block of chapterBlocks(zip, chapter)) {
        if ('text' in block) length += textLength(visibleText(block.text))
        else if (block.kind === 'row') for (const cell of block.cells) length += textLength(visibleText(cell))
      }
    }
    return { textLength: length, warnings: book.warnings }
  } finally {
    zip.close()
  }
}
