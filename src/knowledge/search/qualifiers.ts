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

/** A chapter about newborns is one about babies, too. */
const NEWBORN = /(?<!\p{L})newborns?(?!\p{L})/giu
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
    return isOther(text)
      ? !isException
      : isOther(under.replace(NEWBORN, asked.some((one) => one.test('baby')) ? 'baby' : '$&')) && !isSaid(under)
  })
}

const ASKS_DOSE =
  /\b(?:dos(?:e|es|age|is)|dosierung)\b|\bhow (?:much|many (?:tablets?|pills?|drops?|mg|ml|milligrams?|millilitres?|\p{L}*spoons?))\b|\bwie ?viele? (?:mg|ml|tropfen|tabletten|milligramm|\p{L}*löffel)\b/iu
/** Of the first two groups: whom it is given to. Adults are whoever is not named otherwise. */
const PATIENTS = GROUPS.slice(0, 2)

/** True when the question is for the dose of a child, a pregnant woman or an animal, and neither the text nor its headings name any of their kind. */
export function isOfNoPatient(question: string, { text, under }: { text: string; under: string }): boolean {
  if (!ASKS_DOSE.test(question)) return false
  return PATIENTS.some((group) => {
    const isOne = (where: string): boolean => group.some((member) => !member.test('adult') && member.test(where))
    return isOne(question) && !isOne(text) && !isOne(under)
  })
}

const PREGNANT = /(?<!\p{L})(?:pregnan|schwanger)/iu

/** True when the question is about a pregnancy, and neither the text nor its headings say a word of one. */
export function isOfNoPregnancy(question: string, { text, under }: { text: string; under: string }): boolean {
  return PREGNANT.test(question) && !PREGNANT.test(text) && !PREGNANT.test(under)
}

/** `No soap, …`, `without a filter`, `there is no signal`, `ran out of fuel`. */
const LACKED =
  /^\s*(?:no|kein\p{L}*)\s+(?<first>[^,.;:?!]+)|\b(?:without|ohne|(?:ran|run|running|am|are|were) out of|(?:is|are|has|have|had|got|haben?|gibt es) (?:no|kein\p{L}*))\s+(?:(?:an?|any|the|my|our|ein\p{L}*|mein\p{L}*|unser\p{L}*)\s+)?(?<other>[^,.;:?!]+)/iu
/** The thing that is lacking ends before such a word. */
const BEHIND =
  /\s+(?:left|available|here|there|around|at|in|on|for|to|of|and|or|but|what|how|where|when|which|who|can|do|does|is|are|any|anymore|mehr|da|im|in|und|oder|was|wie|wo|wann)(?!\p{L})/iu
/** Whoever writes so knows that it is lacking. */
const SAYS_LACK =
  /(?<!\p{L})(?:no|not|never|none|nothing|without|instead|lack\p{L}*|else|otherwise|missing|fail\p{L}*|gone|empty|outages?|off|ohne|kein\p{L}*|nicht|nie|statt|anstatt|sonst|fehl\p{L}*|ausf\p{L}*|leer|\p{L}+n't)(?!\p{L})/iu
const ENDING = /(?<=.{4})(?:es|s|en|n)$/
/** A second way is needed by nobody who has the first. */
const CHOICE = /(?<!\p{L})(?:or|oder)(?!\p{L})[^,.;]*/gu

/** True when the text needs what the question says is not there: the packet that none is left of. */
export function needsWhatIsLacking(question: string, { text, under }: { text: string; under: string }): boolean {
  const { first, other } = LACKED.exec(question)?.groups ?? {}
  const [thing = ''] = (first ?? other ?? '').split(BEHIND)
  const words = thing
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(ENDING, ''))
    .filter((word) => word.length > 2)
  if (words.length === 0 || words.length > 3 || SAYS_LACK.test(text) || SAYS_LACK.test(under)) return false
  const said = text.toLowerCase().replaceAll(CHOICE, ' ')
  return words.every((word) => said.includes(word))
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
  /\b(?:keep\p{L}*|kept|last(?:s|ing)?|stor(?:e|ed|es|age)|shelf|life|fresh|spoil\p{L}*|rancid|use[ds]?(?: up)?|eaten|throw\p{L}*|discard\p{L}*|good for|old|fridge|refrigerat\p{L}*|freezer|cellar|kühlschrank|gefriertruhe|keller|los\p{L}*|haltbar\p{L}*|hält|halten|verbrauch\p{L}*|frisch|ranzig)\b/iu

/** True when the question is how long something keeps, and the text says nothing of keeping. */
export function isOfOtherUse(question: string, { text, under }: { text: string; under: string }): boolean {
  return ASKS_KEEPING.test(question) && !SAYS_KEEPING.test(text) && !SAYS_KEEPING.test(under)
}

const EXCEPTION = /(?<=^|[.;:]\s)(?:not|never|nicht|nie)\s+(?:for|in|with|to|für|bei|mit)(?!\p{L})[^.;]*/giu

/** True when the word stands in an exception alone: `Not for pregnant goats` gives no figure of pregnant goats. */
export function isOnlyExcepted(word: string, text: string): boolean {
  const has = (where: string): boolean => where.toLowerCase().includes(word)
  return has(text) && !has(text.replaceAll(EXCEPTION, ' '))
}
