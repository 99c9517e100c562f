import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { PdfFacts } from '../enrich/pdf-facts.ts'

/** The one sentence that every such page has, where its form was made in English. */
const WAIT = /if this message is not eventually replaced/i
/** In other languages it still names the only program that shows the form. */
const READER = /\badobe\b/i
/** Characters; the page says nothing else. */
const MOST = 2500

/**
 * A form made with Adobe LiveCycle keeps its pages as XML (XFA), which Adobe's own programs alone lay out; all others see the one page
 * that asks to wait for them. To be indexed, that page would stand for the form. @throws AppError `unsupported`
 */
export function refuseWaitingForm({ pages, form }: PdfFacts, text: string): void {
  if (pages !== 1 || text.length > MOST) return
  const line = text.replace(/\s+/g, ' ')
  if (WAIT.test(line) || (form === 'XFA' && READER.test(line))) throw new AppError('unsupported', because('xfa_form'))
}
