import type { UsedCommand } from '../../../warning/commands/usages.ts'
import { HAZARDS, LEVELS } from '../../../warning/messages/abbreviations.ts'
import type { Translate } from '../../words/language.ts'

/** A mark of a text, and what it says. */
export type Meaning = readonly [mark: string, means: string]

/** Marks that stand in texts beside the words of the hazard: docs/operator.md, "How a text reads". */
export const textMarks = (t: Translate): readonly Meaning[] => [
  ['UPD', t('something changed')],
  ['CANCEL', t('it ended early')],
  ['(was WATCH)', t('it takes the place of what was told before')],
  ['Still on: …', t('only a part ended, this goes on')],
  ['til further notice', t('nobody knows the end yet')],
  ['since …', t('told late: it began then')],
  ['ALSO: …; …', t('several in one text, the gravest first')],
  ['In force: …', t('what is in force, after the station was away')],
  ['+6', t('six more, which found no room')],
  ['1/2', t('first of two texts')],
  ['RPT', t('the same again')],
  ['VIA MT, VIA MC', t('told here because the other network failed')],
  ['#K7QF', t('the code of the alert, for !why and !ack')],
  ['DRILL, DEMO', t('an exercise, invented: nothing happens')]
]

/** The short words of our texts: levels, then hazards whose usual name is another one. */
export function shortWords(t: Translate): Meaning[] {
  const short = (table: ReadonlyMap<string, string>): Meaning[] =>
    [...table].flatMap(([name, mark]) => (mark.toLowerCase() === name ? [] : [[mark, t.term(name)] as const]))
  return [...short(LEVELS), ...short(HAZARDS)]
}

/** The answer to each command. */
export const commandWords = (t: Translate): Readonly<Record<UsedCommand, string>> => ({
  alerts: t('what is in force, worst first, each with its code'),
  catchup: t('the whole texts of what is in force, if you were off'),
  status: t('how the station is'),
  why: t('what became of an alert'),
  ask: t('what the library says'),
  ack: t('you have it in hand: nobody else is woken'),
  silence: t('nothing of this family, region or alert for so long'),
  hotspot: t('the Wi-Fi of the station is switched'),
  who: t('which nodes told a position inside of an alert')
})
