import { wordsOf } from './sentences.ts'

/** Words that say nothing about a subject: English, with the commonest of German, French and Spanish. */
const STOP = new Set(
  (
    'a about above after again against all also although always am among an and another any are as at be because been ' +
    'before being below between both but by can cannot could did do does doing done down during each either else etc even ' +
    'ever every few first for from further get gets give given go goes had has have having he her here hers him his how ' +
    'however i if in into is it its itself just keep last least less let like made make makes many may me might more most ' +
    'much must my near never next no nor not nothing now of off often on once one only onto or other others our out over ' +
    'own part per perhaps put quite rather same see several shall she should since so some such take than that the their ' +
    'them then there these they thing things this those though three through thus to too toward two under until up upon us ' +
    'use used uses using very was way we well were what when where whether which while who whom whose why will with within ' +
    'without would yet you your figure fig page pages chapter section table see ' +
    'aber als am an auch auf aus bei bis das dass dem den der des die durch ein eine einem einen einer eines er es für hat ' +
    'ihr im in ist kann man mit nach nicht nur oder sich sie sind so über um und von vor war wenn werden wie wird zu zum zur ' +
    'au aux avec ce ces cette dans de du elle en est et il ils la le les leur mais ne nous on ou par pas plus pour qu que qui ' +
    'sa se ses si son sont sur un une vous al como con del el ella en es esta este la las lo los más muy no para pero por que ' +
    'se ser sin sobre su sus un una y ya'
  ).split(' ')
)

/** In how many of these texts a word stands. */
export interface WordStatistics {
  texts: number
  count: ReadonlyMap<string, number>
}

/** The count of words among these texts: a rare one tells one of them apart. */
export function statisticsOf(texts: readonly string[]): WordStatistics {
  const count = new Map<string, number>()
  for (const text of texts) for (const word of new Set(tellingWords(text))) count.set(word, (count.get(word) ?? 0) + 1)
  return { texts: texts.length, count }
}

/** Words that may say what a text is about. */
export function tellingWords(text: string): string[] {
  return wordsOf(text).filter((word) => isTelling(word))
}

function isTelling(word: string): boolean {
  if (STOP.has(word) || !/\p{L}{2}/u.test(word)) return false
  // Of scripts without blanks a word is a whole phrase.
  return word.length <= 30 && (word.length >= 3 || /[^\p{sc=Latin}\p{N}]/u.test(word))
}

/** The weight of each word in this text: often here, rare elsewhere (tf–idf). */
export function weightsOf(text: string, { texts, count }: WordStatistics): Map<string, number> {
  const here = new Map<string, number>()
  for (const word of tellingWords(text)) here.set(word, (here.get(word) ?? 0) + 1)
  return new Map(
    [...here].map(([word, times]) => {
      const rare = Math.log(1 + texts / (count.get(word) ?? 1))
      return [word, (1 + Math.log(times)) * rare]
    })
  )
}

/** The words that say most about a text, best first; of equal ones the one that comes first. */
export function keywordsOf(weights: ReadonlyMap<string, number>, most = 10): string[] {
  return [...weights]
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([word]) => word)
}
