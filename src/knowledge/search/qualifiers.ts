/**
 * Words that part one case from another, a group a line, its members between semicolons: what is said of one member is wrong of the others.
 * Commas part the words for one member, which are patterns.
 */
const GROUPS: readonly (readonly RegExp[])[] = [
  'newborns?,neugeborene\\w*;baby,babies,infants?,säugling\\w*;child(?:ren)?,kids?,toddlers?,kleinkind\\w*,schulkind\\w*,kind,kinder,kindes;adults?,grown[- ]ups?,grown,erwachsene\\w*;pregnant,schwanger\\w*',
  'dogs?,puppy,puppies,hund\\w*;cats?,katzen?;goats?,ziegen?;sheep,lambs?,schafe?;cows?,cattle,calf,calves,kuh,kühe,rinder;horses?,mules?,pferde?;pigs?,schweine?;hens?,chickens?,poultry,hühner;rabbits?,kaninchen;bees?,bienen?;ducks?,geese;adults?,child(?:ren)?,wom[ae]n;m[ae]n,people',
  'clear,klare[smnr]?;cloudy,muddy,turbid,trüb\\w*',
  'by day,daytime,tagsüber;night,nachts',
  'summer,sommer;winter',
  'full;empty',
  'light;heavy',
  'raw,roh\\w*;cooked,boiled,gekocht\\w*',
  'fridge,refrigerators?,kühlschrank;freezers?,gefriertruhe;cellars?,keller',
  'bleach,chlorbleichlauge;iodine,jod;permanganate;alum;chlorine tablets?,chlortabletten?;silver,silberionen'
].map((group) =>
  group.split(';').map((words) => new RegExp(`(?<![\\p{L}-])(?:${words.replaceAll(',', '|')})(?![\\p{L}])`, 'iu'))
)

const CLAUSE = /;\s/
const WITH_FIGURE = /\p{N}|\b(?:half|quarter|one|two|three|four|five|six|ten|never|none)\b/iu

/**
 * True when the question is about one case and the text about another one of its kind: infants and adults, goats and sheep, clear
 * and cloudy water. `under`: the headings of the text.
 */
export function isOfOtherCase(question: string, { text, under }: { text: string; under: string }): boolean {
  return GROUPS.some((group) => {
    const asked = group.filter((member) => member.test(question))
    if (asked.length === 0) return false
    const isSaid = (where: string): boolean => asked.some((member) => member.test(where))
    const isOther = (where: string): boolean => group.some((member) => !asked.includes(member) && member.test(where))
    if (isSaid(text)) return false
    // "20 mg; babies get 10": what stands before the exception is not of babies.
    const isException = text.split(CLAUSE).some((clause) => WITH_FIGURE.test(clause) && !isOther(clause))
    return isOther(text) ? !isException : isOther(under) && !isSaid(under)
  })
}

const ASKS_END = /\b(?:do|does|should|can|may|must) (?:i|we|you|they|one) stop\b|\bstop \p{L}+ing\b|\baufhören\b/iu
const SAYS_END = /\b(?:stop\w*|until|till|ends?|ended|no longer|enough|bis|aufhör\w*|beend\w*|genug|nicht mehr)\b/iu

/** True when the question is when to stop, and the text says nothing of an end: its figure is that of the beginning. */
export function isOfOtherEnd(question: string, text: string): boolean {
  return ASKS_END.test(question) && !SAYS_END.test(text)
}

const ASKS_KEEPING =
  /\b(?:keeps?|stored?)\b\s*(?:$|\?|in\b|at\b|for\b|without\b|once\b|after\b)|\b(?:shelf|storage) life\b|\bhaltbar\b|\bhält sich\b/iu
const SAYS_KEEPING =
  /\b(?:keep\p{L}*|kept|last(?:s|ing)?|stor(?:e|ed|es|age)|shelf|life|fresh|spoil\p{L}*|rancid|use[ds]?(?: up)?|eaten|throw\p{L}*|discard\p{L}*|good for|old|los\p{L}*|haltbar\p{L}*|hält|halten|verbrauch\p{L}*|frisch|ranzig)\b/iu

const SAYS_USE =
  /\b(?:cool|cook|boil|bake|roast|simmer|soak|smoke|heat|rins|press|box|burn|stir|wait|koch|back|brat|kühl|spül|wart)\p{L}*/iu

/** True when the question is how long something keeps, and the text says nothing of keeping: it was cooked or cooled so long. */
export function isOfOtherUse(question: string, { text, under }: { text: string; under: string }): boolean {
  return ASKS_KEEPING.test(question) && SAYS_USE.test(text) && !SAYS_KEEPING.test(text) && !SAYS_KEEPING.test(under)
}

const EXCEPTION = /(?<=^|[.;:]\s)(?:not|never|nicht|nie)\s+(?:for|in|with|to|für|bei|mit)(?!\p{L})[^.;]*/giu

/** True when the word stands in an exception alone: `Not for pregnant goats` gives no figure of pregnant goats. */
export function isOnlyExcepted(word: string, text: string): boolean {
  const has = (where: string): boolean => where.toLowerCase().includes(word)
  return has(text) && !has(text.replaceAll(EXCEPTION, ' '))
}
