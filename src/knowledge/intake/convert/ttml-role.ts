import { readFile, writeFile } from 'node:fs/promises'
import { vttOfTtml } from '../../enrich/ttml.ts'
import type { OwnResult } from './own-result.ts'

/** Role `convert:ttml`: captions in TTML as WebVTT. */
export async function ttmlToVtt(input: string, output: string): Promise<OwnResult> {
  const text = vttOfTtml(await readFile(input, 'utf8'))
  await writeFile(output, text)
  return { textLength: text.replace(/\s/g, '').length, warnings: [] }
}
