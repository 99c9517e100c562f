import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { errorLine, type OwnResult, resultLine } from './own-result.ts'

type Convert = (input: string, output: string) => Promise<OwnResult>

/** Loaded when they are asked for; each brings heavy packages. */
export const CONVERTERS: Record<string, () => Promise<Convert>> = {
  'convert:epub': async () => (await import('./from-epub.ts')).epubToPdf,
  'convert:docx': async () => (await import('./from-docx.ts')).docxToPdf,
  'convert:html': async () => (await import('./from-html.ts')).htmlToPdf,
  'convert:page': async () => (await import('./page-role.ts')).pageToJson,
  'convert:ttml': async () => (await import('./ttml-role.ts')).ttmlToVtt,
  'convert:text': async () => (await import('./from-text.ts')).textToPdf,
  // Writes nothing: only tells how much text there is.
  'convert:measure': async () => (await import('./measure.ts')).measure
}

/**
 * The work of `lookout work ROLE IN OUT` in a bounded process of its own: parsers of files from strangers. One JSON
 * line on standard output tells the result.
 */
export const convertRoles: Record<string, () => Promise<(args: string[]) => Promise<void>>> = Object.fromEntries(
  Object.entries(CONVERTERS).map(([name, load]) => [name, async () => printing(await load())])
)

function printing(convert: Convert): (args: string[]) => Promise<void> {
  return async ([input, output]) => {
    if (input === undefined || output === undefined) throw new AppError('usage', because('work_convert_needs'))
    const line = await convert(input, output).then(resultLine, errorLine)
    // The process ends after us: the line must be out by then.
    await new Promise<void>((resolve) => process.stdout.write(line, () => resolve()))
  }
}
