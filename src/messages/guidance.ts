import { splitSentences, withoutStop } from './sentences.ts'

/** What a phone text says before its guidance: the hazard, `this area` and the end. */
const HEADLINE = /\bthis area\b|\b(?:til|until)\b|^(?:NWS|National Weather Service)\b|\b(?:warning|watch|alert)\b/i
const SIGNATURE = /\s*[-/]\s*[A-Z][A-Za-z ]{1,24}$/

/**
 * The guidance sentences of a source's phone text (CMAMtext: `NWS: FLASH FLOOD WARNING this area til 7:00 PM CDT. Avoid
 * flooded areas.`): what follows the headline, with `this area` told as `place`, because a mesh channel is not a cell.
 */
export function phoneGuidance(shortText: string, place: string): string[] {
  if (shortText === '') return []
  const [first = '', ...rest] = splitSentences(shortText.replace(SIGNATURE, ''))
  const guidance = HEADLINE.test(first) ? rest : [first, ...rest]
  const where = place === '' ? 'the warned area' : place
  return guidance
    .map((sentence) => withoutStop(sentence.replace(/\b(?:in )?this area\b/gi, (all) => withCase(all, where))))
    .filter((sentence) => sentence !== '')
}

function withCase(matched: string, where: string): string {
  return /^in /i.test(matched) ? `in ${where}` : where
}

/** The sentences of an event's own instruction. */
export function instructionSentences(instruction: string): string[] {
  return splitSentences(instruction)
    .map(withoutStop)
    .filter((sentence) => sentence !== '')
}
