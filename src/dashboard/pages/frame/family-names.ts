import { listFamilies } from '../../../model/families.ts'
import type { Config } from '../../../settings/schema.ts'
import type { Translate } from '../../words/language.ts'

/** The name of each family, in the language of the reader; one that the configuration gives is the operator's own word. */
export function familyNames(given: Config['families'], t: Translate): Map<string, string> {
  return new Map(
    listFamilies(given).map(({ key, label, dynamic }) => {
      const isOwn = dynamic || given[key]?.label?.trim() === label
      return [key, isOwn ? label : t.term(label)]
    })
  )
}
