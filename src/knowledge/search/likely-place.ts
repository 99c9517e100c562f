import { holdsAll, isOfKind, isThere, MARK, type Read, type Wanted } from './evidence.ts'
import { type Nearest, placeAt } from './nearest.ts'
import { substancesIn } from './quantities.ts'

/**
 * The least chance that the answer stands somewhere in it, and that with a word of the question which the library does not know and the place has
 * not: of ten such places eight or nine have it (docs/measurements.md).
 */
const LEAST = { known: 0.5, unknown: 0.6 }
/** Around less likely statements no likelier place stands. */
const MOST = 5

/** A statement, and the chance of it and of its cells. */
interface Weighed {
  one: Read
  chance: number
}

/**
 * The place in which the answer most likely stands, where no statement may be said alone: whoever reads it sees which of its figures is of what
 * was asked. The rarest word of the question stands in it or over it, and so do its figures, a figure of the kind asked for and each substance.
 * Null where no place is likely enough. `chances`: of each statement, 0…1.
 */
export function likeliestPlace(wanted: Wanted, read: readonly Read[], chances: readonly number[]): Nearest | null {
  const weighed = withoutCells(read, chances)
  const whole = weighed.map(({ one }) => one)
  const likely = [...weighed.keys()].sort((one, other) => chanceOf(weighed, other) - chanceOf(weighed, one))
  const places = likely.slice(0, MOST).map((at) => {
    const { from, to, nearest } = placeAt(whole, at, areProse)
    const chance = weighed.slice(from, to).reduce((sum, each) => sum + each.chance, 0)
    return { chance, nearest, said: whole.slice(from, to) }
  })
  const [first, ...others] = places
  if (first === undefined) return null
  const best = others.reduce((most, place) => (place.chance > most.chance ? place : most), first)
  const least = lacksUnknown(wanted, best.said) ? LEAST.unknown : LEAST.known
  return best.chance >= least && isOfQuestion(wanted, best.said) ? best.nearest : null
}

/** An item of a list and a row stand alone: the figures of its neighbours are of something else. */
const areProse = (one: Read, other: Read): boolean =>
  (one.n === other.n && one.paragraph === other.paragraph) || (isProse(one) && isProse(other))

const isProse = ({ kind, text, lead }: Read): boolean => kind !== 'row' && !MARK.test(text) && lead === ''

const chanceOf = (weighed: readonly Weighed[], at: number): number => weighed[at]?.chance ?? 0

/** A cell is read in its row, the statement before it. */
function withoutCells(read: readonly Read[], chances: readonly number[]): Weighed[] {
  return read.reduce<Weighed[]>((all, one, at) => {
    const [row, chance] = [all.at(-1), chances[at] ?? 0]
    if (one.kind !== 'cell') all.push({ one, chance })
    else if (row?.one.kind === 'row') row.chance += chance
    return all
  }, [])
}

const isSaid = (said: readonly Read[], concept: number): boolean => said.some((one) => isThere(one, concept))

const lacksUnknown = ({ concepts }: Wanted, said: readonly Read[]): boolean =>
  concepts.some(({ isGuessed, isUnknown }, at) => (isGuessed || isUnknown) && !isSaid(said, at))

function isOfQuestion(wanted: Wanted, said: readonly Read[]): boolean {
  const { quantity, substances } = wanted
  const named = said.flatMap(({ text, head }) => substancesIn(`${head}\n${text}`))
  return (
    isSaid(said, 0) &&
    said.some((one) => holdsAll(wanted, one)) &&
    (quantity === null || isOfKind(wanted, said, quantity)) &&
    substances.every((name) => named.includes(name))
  )
}
