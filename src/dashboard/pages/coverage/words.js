// Areas and their parts in words, as the page has them without a script.
import { t } from '/static/lib/i18n.js'
import { partInWords as inWords } from '/static/shared/area-words.js'

/** @typedef {import('../../../warning/coverage/settings.ts').AreaPart} AreaPart */

const NAMED_CODES = 6

/** @param {AreaPart} part @param {ReadonlyMap<string, string>} names of codes */
export function partInWords(part, names) {
  return inWords(t, part, { nameOf: (code) => names.get(code) ?? '', most: NAMED_CODES })
}

/** Kind of a part, as a heading. @param {AreaPart} part */
export function kindOf({ bbox, circle, geometry }) {
  if (bbox !== undefined) return t('Box')
  if (circle !== undefined) return t('Circle')
  return geometry !== undefined ? t('Polygon') : t('Counties and zones')
}
