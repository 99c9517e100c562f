import { splitSentences, withoutStop } from './sentences.ts'

/** Recognises what a phone text says before its guidance: the hazard, `this area` and the end. */
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

/** The calls to action that the same services write again and again, as an editor would. */
const CALLS: readonly (readonly [RegExp, string])[] = [
  [/^use caution while traveling outside\b.*/i, 'Dress warmly outside'],
  [/^turn around,? don'?t drown\b.*/i, "Turn around, don't drown"],
  [
    /^(?:slow down and )?use (?:extra )?caution (?:while|when|if) (?:traveling|driving|you must drive)\b.*/i,
    'Drive with care'
  ],
  [/^slow down and use caution\b.*/i, 'Drive with care'],
  [/^if driving, slow down\b.*/i, 'Slow down, use low beams'],
  [/^if driving in\b.{0,40}\b(?:visibility|fog)\b.*/i, 'Slow down, use low beams'],
  [/^remain in the lower levels of your home\b.*/i, 'Stay on lower floors, away from windows'],
  [/^if you must travel, keep\b.*/i, 'If you must travel, take light, food and water'],
  [/^(?:secure|fasten) (?:loose|outdoor) objects?\b.*/i, 'Secure loose objects'],
  [
    /^(?:mariners should )?(?:consider altering|alter) (?:their )?(?:plans|course) to avoid\b.*/i,
    'Mariners: alter plans'
  ],
  [/^remain in port\b.*/i, 'Stay in port'],
  [
    /^(?:inexperienced (?:mariners|boaters)\b.*|avoid (?:navigating|operating) in (?:these |hazardous )?conditions)/i,
    'Small boats stay in port'
  ],
  [/^recreational boaters should remain in port\b.*/i, 'Stay in port'],
  [/^if caught in a rip current\b.*/i, 'If caught in a rip current, relax and float'],
  [/^move to safe harbor\b.*/i, 'Move to safe harbor'],
  [/^take steps now to protect tender plants\b.*/i, 'Protect tender plants from the cold'],
  [/^motorists should not attempt to drive\b.*/i, "Don't drive through flooded areas"],
  [
    /^do not (?:attempt to )?(?:drive (?:your vehicle )?(?:through|into|across)|cross) (?:flooded|water)\b.*/i,
    "Don't drive through flooded roads"
  ],
  [/^even 6 inches of\b.*/i, 'Never walk or drive through flood water'],
  [/^remain out of the water\b.*/i, 'Stay out of the water'],
  [/^(?:inexperienced )?swimmers should remain out of the water\b.*/i, 'Stay out of the water'],
  [
    /^seek (?:a )?(?:safe )?shelter inside a (?:sturdy )?building or (?:vehicle|a vehicle)\b.*/i,
    'Seek shelter indoors'
  ],
  [/^do not delay[.,! ]+(?=seek shelter)/i, ''],
  [/^people outdoors should seek shelter immediately\b.*/i, 'Seek shelter immediately'],
  [/^comply with burn bans\b.*/i, 'Comply with burn bans'],
  [/^if you see .{0,80}\bcall 911\b.*/i, 'Call 911'],
  [/^if caught in one, pull off the road\b.*/i, 'If caught in it, pull off the road, lights off'],
  [/^if (?:dense )?(?:dust|smoke)(?: or smoke)? is observed\b.*/i, 'Pull off the road, lights off'],
  [/^begeben sie sich (?=(?:sofort |umgehend |unverzüglich )?(?:ins?|zu[rm]?) )/i, 'Gehen Sie '],
  [/^drink plenty of fluids\b.*/i, 'Drink plenty of fluids'],
  [/^(?:persons|people) should (?:consider delaying|delay) (?:all )?travel\b.*/i, 'Delay travel if possible'],
  [
    /^(?:active )?children and (?:active )?adults\b.{0,80}\bshould reduce (prolonged or heavy )?outdoor exertion.*/i,
    'Reduce outdoor exertion'
  ],
  [/^consider (?:avoiding or )?delaying travel\b.*/i, 'Delay travel'],
  [/^move to an interior room on the lowest floor\b.*/i, 'Go to an inner room on the lowest floor'],
  [/^move to (?:an interior room|a basement)\b.{0,120}/i, 'Go to a basement or an inner room of a sturdy building']
]

/** Calls longer than this end at their first clause. Characters. */
const LONG_CALL = 64
/** `Dress in layers` still says what to do. Characters. */
const LEAST_CALL = 14
const FURTHER =
  /(?:,? (?:especially|particularly|such as|including|in case|so that|because|due to|as well as|until)\b|, (?:and|or|as|which)\b| - |;).*$/i

/** A common call in its short form; a long one without what only explains it. */
export function shortCall(call: string): string {
  const found = CALLS.find(([pattern]) => pattern.test(call))
  if (found !== undefined) return call.replace(found[0], found[1]).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  if (call.length <= LONG_CALL) return call
  const short = call.replace(FURTHER, '')
  return short.length < LEAST_CALL ? call : short
}
