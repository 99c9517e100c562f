import { isNamedAgain } from '../../../model/named-again.ts'
import { oneLine } from './prose.ts'

/** That something was issued, or is in effect, is what the head of the message says already; what a product is nobody asks. */
const RESTATED = [
  /^The (?:U\.?S\.? )?National Weather Service\b.{0,60}\b(?:has|have) (?:issued|extended|updated|cancel+ed|expanded)\b/i,
  /^The NWS Storm Prediction Center has issued\b/i,
  /^(?:An? |The )?(?:[\w-]+ ){1,5}(?:watch|warning|advisory|statement)(?: (?:number )?\d{1,4})? (?:is|are|remains?|continues|will be|has been|means)\b/i,
  /^[\w ]+ issued .{0,80}\bby NWS\b/i,
  /^In [\w ]{3,30} this (?:watch|warning|advisory) includes\b/i,
  /^This (?:(?:watch|warning|advisory) )?includes\b/i,
  /^This product covers\b/i,
  /^(?:The )?(?:areas?|locations?|following (?:areas?|locations?|counties))(?: \w+)? (?:affected|impacted|include)\b/i,
  /^(?:Some )?locations (?:impacted|affected|that)\b/i,
  /^(?:For )?(?:more|further|additional) (?:information|details)\b/i,
  /^(?:Wind|Seas?) forecasts? (?:reflects?|represents?)\b/i,
  /^On [\d/]+ [\d:]+ [AP]M, an earthquake occurred in\b/,
  /^The earthquake had magnitude\b/i,
  /^The following message is transmitted at the request of\b/i,
  /^Dies ist eine (?:amtliche )?(?:Warnung|Gefahrendurchsage|Gefahreninformation|Information) (?:der|des|vom)\b[^.]{0,80}\.?$/i,
  /^[A-Z0-9>-]{6,}-\d{6}-/
]

/** True for a sentence that only repeats what, until when and by whom. */
export function isRestated(sentence: string): boolean {
  return isNamedAgain(sentence) || restates(sentence)
}

const restates = (sentence: string): boolean => RESTATED.some((pattern) => pattern.test(sentence))

/** A headline on one line, of several the first that says something; '' when all only repeat the head of the message. */
export function headlineOf(text: string): string {
  const line = oneLine(text)
  const telling = line.split(/\.{3}\s+\.{3}/).find((one) => !isRestated(one.replace(/^\.{3}|\.{3}$/g, '').trim()))
  return telling ?? (restates(line) ? '' : line)
}
