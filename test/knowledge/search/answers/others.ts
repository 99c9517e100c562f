import { readFileSync } from 'node:fs'
import type { Labelled } from './questions.ts'

/** The library that a question is asked of. */
export type Group = 'articles' | 'cards' | 'manuals' | 'handbooks' | 'field' | 'agencies' | 'crews' | 'coast' | 'county'

/** The questions of one writer: the answer stands in the texts; a figure that none of them holds; nonsense. */
interface Asked {
  questions: [question: string, article: string, fact: string, group: Group][]
  near: [question: string, group: Group][]
  nonsense: string[]
}

/**
 * Questions by others: nine writers, each of whom saw the texts alone, neither the search nor the questions of anybody else, and asked as people would
 * who have not read them. `open`: eight of them, which rules and weights were made with, four of whom wrote the texts too (`field/`, `agencies/`,
 * `crews/`, `coast/`). `held`: one more who did (`county/`).
 */
export const OPEN_WRITERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
/** Whose questions the weights of `likelihood.ts` are fitted on: more of them changed nothing on those left out. */
export const FITTED_WRITERS = ['a', 'b', 'c', 'd'] as const
export const HELD_WRITERS = ['i'] as const

const read = (writer: string): Asked =>
  JSON.parse(readFileSync(new URL(`others/${writer}.json`, import.meta.url), 'utf8')) as Asked

/** All that some writers ask of one library. */
export function askedBy(
  writers: readonly string[],
  group: Group
): { questions: Labelled[]; near: string[]; nonsense: string[] } {
  const all = writers.map(read)
  return {
    questions: all.flatMap(({ questions }) =>
      questions.flatMap(([question, article, fact, of]) => (of === group ? [[question, article, fact] as const] : []))
    ),
    near: all.flatMap(({ near }) => near.flatMap(([question, of]) => (of === group ? [question] : []))),
    nonsense: all.flatMap(({ questions, nonsense }) => (questions.some(([, , , of]) => of === group) ? nonsense : []))
  }
}
