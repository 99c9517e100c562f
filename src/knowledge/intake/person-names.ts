import { stem } from './stem.ts'
import { subjectWords } from './subject-words.ts'

const PARTICLES = new Set(
  "de van von der den dem la le di da dos do del della du bin ibn al el ten ter zu zum y e 't op".split(' ')
)
const SUFFIX = /^(?:jr|sr|ii|iii|iv|m\.?d|ph\.?d|esq)\.?$/i
/** `J.`, `J.A.M.`, `St.M.`, `B.P`. */
const INITIALS = /^(?:\p{Lu}\p{Ll}?\.){1,4}\p{Lu}?$/u
/** In the middle or at the end of a name an initial may stand without its dot. */
const BARE_INITIAL = /^\p{Lu}$/u
const WORD = /^(?:Mc|Mac|O['’]|D['’]|De|Di|La|Le|Van|St\.)?\p{Lu}[\p{Ll}\p{M}'’]+(?:-\p{Lu}?[\p{Ll}\p{M}]+)?$/u
const CAPITALS = /^\p{Lu}{4,}(?:-\p{Lu}{2,})?$/u
/** Words that stand in titles, on title pages and in addresses, and hardly ever in names. */
const NO_NAME = new Set(
  (
    'a abstract acknowledgments acknowledgements advanced agency aid all an analysis and annual appendix application applications applied are army article as association at basic basics beginner beginners book booklet building bulletin bureau business by cellaring center centre chapter circular city code cold college commands committee common company complete computer concepts conference consortium contents control cooking copyright corporation council course current data date debian department description design developer development dictionary division document documentation draft drive easy edition editor electronic electronics emergency encyclopedia engineering essential essentials examples experiments faculty farm farming features field figure figures file files final first food for foreword foundation framework free frequently from full fully functions fundamentals gallery gardening general getting global glossary guide guidebook guidelines guides handbook health help history home hospital how howto ideas illustrated implementation in inc index information initial installation institute instruction instructions interface internals international internet introduction is issue journal kernel key keys kit laboratory language last learning lesson lessons level library license linux list local ltd machine magazine main maintenance making management manual manuals map maps medicine member memory method methods ministry model models module modules national natural navy network new news no note notes number of office on online open operating operation operations operator or order organization original other our outline overview package packages page pages paper part parts performance plan planning plant plants pocket policy power practical practice preface preliminary press primer principles problems procedures processing professional program programmer programming programs project projects protocol public publication quality question questions quick radio reader recovery reference release repair report research resource resources review revised revision road safety sample school science second section security series service services set setup short simple skill skills society software solutions source special specification specifications standard standards started statement states statistical status storage street structure student studies study subject summary supplement support survey survival system systems table technical techniques technology test testing text the theory third time title to tool tools topics training tutorial types unclassified understanding unit united university update use user users using version vignette vol volume water web wild with work workbook working workshop world writing year your ' +
    'faq clinic change log known issues contact contributions ' +
    'january february march july september october november december monday tuesday wednesday thursday friday saturday sunday north south east west'
  ).split(' ')
)
/** Given names that are words of a subject as well. */
const GIVEN = new Set(
  'art basil bill carter cliff cooper daisy dale dawn drew fern fisher forest frank gene ginger glen grant hazel heath heather holly hunter iris ivy jack jasmine jay jerry lane lily mark mason miller olive page parker pat pearl ray reed rich rob robin rose rusty sandy scout sky sterling sue summer tanner taylor trace victor violet wade walker ward will woody'.split(
    ' '
  )
)
/** Several people who sign as one. */
const TEAM =
  /^(?:[Tt]he\s+)?(?:(?:[\p{Lu}\p{N}][\p{L}\p{N}'’./+-]*|development|core|documentation)\s+){1,5}(?:[Tt]eam|[Dd]evelopers|[Mm]aintainers|[Aa]uthors|[Cc]ontributors|[Ww]orkgroup|[Ww]orking [Gg]roup|[Tt]ask [Ff]orce|[Cc]ollective|[Cc]onsortium|[Pp]roject|[Mm]ailing [Ll]ist|[Cc]ommittee)$/u
const PLACE =
  /\b(?:universit|instit|departe?ment|laborator|college|school|faculty|foundation|inc\b|ltd\b|gmbh|corporation|company|consortium|hospital|clinic|agency|ministry|association|society|division|cent(?:er|re)\b|office\b|headquarters|academy|bureau|press\b|group\b|team\b|project\b)/i

const LEAD =
  /^(?:(?:originally\s+|original\s+)?(?:documentation\s+|version\s+|manual\s+|text\s+)?(?:written|compiled|created|prepared|developed|maintained|documentation|version|designed)?\s*(?:by|-|–|:)|authors?\s*:?|\(?original author\)?:?|with|and)\s+/i
const MAIL = /<?\{?[^\s<>{}]+\}?\s?(?:@|\(at\)|\sAT\s)\s?[\w.-]+\.\w{2,}>?/gi
const MARKS = /[∗*†‡§¶⋆]|(?<=\p{Ll})\d(?:,\d)*(?=\s|,|$)/gu

/** A word stands in it that is of titles and addresses. */
export function hasNoName(text: string): boolean {
  return text.split(/\s+/).some((token) => {
    const word = token
      .toLowerCase()
      .replace(/['’]s$/, '')
      .replace(/[.,]$/, '')
    return word.length > 1 && NO_NAME.has(word)
  })
}

/** `Cellaring`, `Cold`, but not `James`, whose stem is that of jam. */
function isSubject(word: string): boolean {
  const root = stem(word)
  if (GIVEN.has(word)) return false
  return /.{3}ing$/.test(word) || (root.length >= 4 && subjectWords().has(root))
}

/** The name of one person: how sure it is that it is one; 0 = it is none. */
function sureness(text: string): 0 | 1 | 2 {
  const tokens = text.split(/\s+/).filter((token) => token !== '')
  const bare = tokens.filter((token) => !SUFFIX.test(token.replace(/,/g, '')))
  if (bare.length < 2 || bare.length > 5 || hasNoName(text) || isPlace(text)) return 0
  const kinds = bare.map((token, at) =>
    kindOf(token, { isFirst: at === 0, isLast: at === bare.length - 1 || bare.length === 2 })
  )
  const count = (kind: TokenKind): number => kinds.filter((one) => one === kind).length
  if (count('none') > 0 || count('capitals') > 1 || kinds.at(-1) === 'particle') return 0
  if (count('word') === 0 && (count('capitals') === 0 || count('initial') === 0)) return 0
  const hasMark = /[^\p{ASCII}\p{P}]/u.test(text.normalize('NFC'))
  if (count('initial') + count('particle') > 0 || hasMark || tokens.length > bare.length) return 2
  // `Root Cellaring`: a first word that speaks of a subject is no given name.
  if (isSubject((bare[0] ?? '').toLowerCase())) return 0
  return bare.length === 2 || count('capitals') > 0 ? 1 : 0
}

type TokenKind = 'word' | 'initial' | 'particle' | 'capitals' | 'none'

function kindOf(token: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): TokenKind {
  if (INITIALS.test(token) || (!isFirst && BARE_INITIAL.test(token))) return 'initial'
  if (PARTICLES.has(token)) return 'particle'
  if (WORD.test(token)) return 'word'
  return isLast && CAPITALS.test(token) ? 'capitals' : 'none'
}

export interface People {
  names: string[]
  /** 2: initials, particles, several of them or a mail address say so; 1: two words that may be a name. */
  sure: 1 | 2
}

/** The people a line of a title page names, their places and addresses left out; null when it names none, or something else too. */
export function peopleIn(line: string): People | null {
  const told = line.replace(MARKS, '').replace(/\(c\)\s.*?(?=\p{Lu})/iu, '')
  const plain = told
    .replace(MAIL, ' ')
    .replace(/[(<][^()<>]*[)>]/g, ' ')
    .replace(LEAD, '')
    .replace(/\s+/g, ' ')
    .trim()
  const hasMail = plain.length < line.trim().length && MAIL.test(told)
  MAIL.lastIndex = 0
  const pieces = plain
    .replace(/\s*,\s*(?=(?:jr|sr|ii|iii|iv|m\.?d|ph\.?d)\b)/giu, ' ')
    .split(/\s*(?:[,;&•·/]|(?<![\p{L}\p{N}])and(?![\p{L}\p{N}]))\s*/iu)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '' && !/^(?:(?:many )?others?|et\.? al\.?|e\.a\.)$/i.test(piece))
  const names: string[] = []
  let sure = 0
  for (const [at, piece] of pieces.entries()) {
    const one = sureness(piece.replace(/\bet\.? al\.?$/i, '').trim())
    if (one > 0) {
      names.push(piece.replace(/\s+(Jr|Sr|II|III|IV)\.?$/, ', $1'))
      sure = Math.max(sure, one)
    } else if (TEAM.test(piece) && names.length > 0) names.push(piece)
    else if (at === 0 || !PLACE.test(piece)) return null
  }
  if (names.length === 0) return null
  return { names, sure: hasMail || names.length > 1 || sure === 2 ? 2 : 1 }
}

/** The body a line of a title page names as who wrote: `R Core Team`; '' when it names none. */
export function teamIn(line: string): string {
  const plain = line
    .replace(MAIL, ' ')
    .replace(/[<(][^<>()]*[)>]/g, ' ')
    .replace(LEAD, '')
    .replace(/\s+/g, ' ')
    .trim()
  MAIL.lastIndex = 0
  const [first = ''] = plain.split(/\s*,\s*/)
  return TEAM.test(first) && /^(?:the\s+)?\p{Lu}/iu.test(first) ? plain : ''
}

/** Where somebody works, not who wrote. */
export function isPlace(line: string): boolean {
  return PLACE.test(line)
}
