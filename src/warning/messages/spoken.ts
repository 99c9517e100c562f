import type { LookoutEvent } from '../../model/event.ts'
import { textFact } from './facts.ts'

/** Words that stand in nearly every text of one language, and in few of another. */
const WORDS: readonly (readonly [language: string, words: RegExp])[] = Object.entries({
  en: /(?<!\p{L})(?:the|and|of|is|are|at|to|for|with|by|until|from|near|warning|watch|advisory|expected|possible|road|fire|closed|seen|high|river|not|heard|since|out|battery|channel)(?!\p{L})/giu,
  de: /(?<!\p{L})(?:der|die|das|und|ist|sind|im|am|zu|für|mit|von|bis|bei|auf|nicht|wegen|gesperrt|warnung|brand|straße)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:le|la|les|et|est|du|des|au|aux|pour|avec|sur|dans|en|risque|route|fermée|vigilance|une?)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:el|la|los|las|y|es|del|al|para|con|por|en|hasta|una?|carretera|cortada|aviso|riesgo)(?!\p{L})/giu,
  it: /(?<!\p{L})(?:il|lo|gli|e|è|del|della|dei|per|con|sulla?|nel(?:la)?|fino|una?|strada|chiusa|allerta|rischio)(?!\p{L})/giu,
  pt: /(?<!\p{L})(?:os|as|e|é|do|da|dos|das|para|com|por|em|no|na|até|uma?|estrada|cortada|aviso|risco|não)(?!\p{L})/giu,
  nl: /(?<!\p{L})(?:de|het|een|en|is|zijn|van|voor|met|op|bij|tot|niet|door|afgesloten|waarschuwing|brand)(?!\p{L})/giu,
  pl: /(?<!\p{L})(?:i(?!-)|w(?![-/])|na|z|do|od|się|jest|nie|dla|przez|oraz|droga|zamknięta|ostrzeżenie|możliwe)(?!\p{L})/giu,
  // Texts are not composed in these: whatever is in one of them is in none of those above.
  no: /(?<!\p{L})(?:og|på|fra|med|ikke|kuling|snø|østlig|vestlig|nordlig|sørlig|sørøst|sørvest|stengt|veien)(?!\p{L})/giu,
  sv: /(?<!\p{L})(?:och|på|är|från|med|inte|för|vid|mycket|östlig|västlig|nordlig|sydlig|snöfall|vägen|avstängd)(?!\p{L})/giu,
  fi: /(?<!\p{L})(?:sekä|noin|suuntaan|liikenneonnettomuus|onnettomuus|ajokeli|varoitus|lumisade|myrsky|voimassa|tiellä)(?!\p{L})/giu,
  cs: /(?<!\p{L})(?:při|není|silnice|uzavřena|výstraha|vítr|bouřky|může|sněžení|očekává)(?!\p{L})/giu
})

/** The language that an event's source names for it, in two letters; '' where it names none. */
export function declaredBy({ data }: LookoutEvent): string {
  const cap = data['cap']
  const said = typeof cap === 'object' && cap !== null && 'language' in cap ? cap.language : data['language']
  const two = (typeof said === 'string' ? said : textFact(data, 'language')).slice(0, 2).toLowerCase()
  // Both ways of writing Norwegian are one language here.
  return two === 'nb' || two === 'nn' ? 'no' : two
}

/**
 * The language of an event's own words: the one its source names, else the one that most of its common words belong to; null where
 * nothing tells. Two letters of BCP 47, also of a language that texts are not composed in.
 */
export function spokenBy(event: LookoutEvent): string | null {
  return (
    declaredBy(event) ||
    byWords(
      `${event.title} ${event.summary.slice(0, 300)} ${textFact(event.data, 'detail')} ${textFact(event.data, 'instruction')}`
    )
  )
}

function byWords(text: string): string | null {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja'
  const counts = WORDS.map(([language, words]) => [language, text.match(words)?.length ?? 0] as const).sort(
    ([, one], [, other]) => other - one
  )
  const [first, second] = counts
  if (first === undefined || first[1] === 0) return null
  return second !== undefined && second[1] === first[1] ? null : first[0]
}
