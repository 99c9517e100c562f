import { readFile, writeFile } from 'node:fs/promises'
import { recordingOf } from './caption-tracks.ts'
import { readPage } from './html-role.ts'
import type { OwnResult } from './own-result.ts'

/**
 * Role `convert:page`: reads the page in the file `input` (HTML in UTF-8) and writes as JSON its readable text, what it says about itself,
 * and which captions it names.
 */
export async function pageToJson(input: string, output: string): Promise<OwnResult> {
  const html = await readFile(input, 'utf8')
  const page = readPage(html)
  await writeFile(output, JSON.stringify({ ...page, recording: recordingOf(html) }))
  return { textLength: page.text.replace(/\s/g, '').length, warnings: [] }
}
