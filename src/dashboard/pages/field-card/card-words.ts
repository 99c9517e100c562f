import type { AirLanguage } from '../../../model/air-languages.ts'
import type { UsedCommand } from '../../../warning/commands/usages.ts'
import { HAZARDS, LEVELS } from '../../../warning/messages/abbreviations.ts'
import { put } from '../../../warning/messages/catalogue/words.ts'
import { timed } from '../../../warning/messages/moments.ts'
import { termsOf, wordsOf } from '../../../warning/messages/wording.ts'
import type { Translate } from '../../words/language.ts'

/** A mark of a text, and what it says. */
export type Meaning = readonly [mark: string, means: string]

/** Marks that stand in texts beside the words of the hazard: docs/operator.md, "How a text reads". */
export function textMarks(t: Translate, language: AirLanguage): readonly Meaning[] {
  const { fixed, marks, ...words } = wordsOf({ language })
  const watch = termsOf({ language })?.levelWords.WATCH ?? 'WATCH'
  const bare = (form: string): string =>
    put(form, '')
      .replace(/[: ]+$/, '')
      .trim()
  const drills = new Set([words.drill, words.exercise].map((said) => said.split(/[,、]/)[0]))
  return [
    [bare(words.update), t('something changed')],
    [bare(words.cancel), t('it ended early')],
    [put(words.was, watch), t('it takes the place of what was told before')],
    [put(words.stillOn, '…'), t('only a part ended, this goes on')],
    [fixed.furtherNotice, t('nobody knows the end yet')],
    [timed(fixed.since, '…'), t('told late: it began then')],
    [`${words.also}: …; …`, t('several in one text, the gravest first')],
    [`${words.inForce}: …`, t('what is in force, after the station was away')],
    ['+6', t('six more, which found no room')],
    ['1/2', t('first of two texts')],
    [marks.RPT, t('the same again')],
    [`${put(words.via, 'MT')}, ${put(words.via, 'MC')}`, t('told here because the other network failed')],
    ['#K7QF', t('the code of the alert, for !why and !ack')],
    [[...drills, marks.DEMO].join(', '), t('an exercise, invented: nothing happens')]
  ]
}

/** The short words of our texts: levels, then hazards whose usual name is another one. */
export function shortWords(t: Translate, language: AirLanguage): Meaning[] {
  const terms = termsOf({ language })
  if (terms !== null)
    return (['warning', 'watch', 'advisory', 'statement'] as const).map((level) => [
      put(terms.levels[level].replace('%', '$'), '…'),
      t.term(level)
    ])
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
  who: t('which nodes told a position inside of an alert'),
  claim: t('a code for a new passphrase of the station')
})
