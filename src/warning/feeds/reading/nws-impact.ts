import { failingDam, floodOf, gradeOf, IMPACT_TAGS, type Impact } from '../../../model/impact.ts'
import { leadingVtec, type Vtec } from './vtec.ts'

/**
 * The marks that raise an alert of JSON or CAP: its parameters, and the words of its text. `sent` is epoch
 * milliseconds.
 */
export function impactOf(parameter: (name: string) => readonly string[], text: string, sent: number): Impact {
  const tags = IMPACT_TAGS.flatMap((name): [string, string][] => {
    const value = parameter(name).join(' ').trim()
    return value === '' ? [] : [[name, value]]
  })
  const flood = floodOf(text, sent)
  const named = Object.fromEntries(tags)
  return { tags: named, grade: gradeOf(text, flood, named), flood, dam: failingDam(text, flood) }
}

/** Phenomenon and significance of the VTEC that speaks for a message, `FF.W`; '' without. */
export function kindOf(vtec: readonly Vtec[]): string {
  const leading = leadingVtec(vtec)
  return leading === null ? '' : `${leading.phenomenon}.${leading.significance}`
}

/** Kept with the facts of an alert: the stage of its flood and the word that raises it. */
export function impactFacts({ grade, flood }: Impact): Record<string, string> {
  return { ...(grade === '' ? {} : { grade }), ...(flood === null ? {} : { flood_stage: flood.stage }) }
}
