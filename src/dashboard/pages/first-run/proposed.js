// Which sources the first steps show for a country, and which of them are ticked beforehand.

/** @import { OfferedKind } from '../../../warning/feeds/settings.ts' */

/**
 * @param {readonly OfferedKind[]} offered
 * @param {string} country two letters; empty while nobody has chosen
 * @param {ReadonlySet<string>} [chosen] kinds that are shown wherever they are from
 */
export function proposedFor(offered, country, chosen = new Set()) {
  const here = offered.filter(({ countries }) => countries === undefined || countries.includes(country))
  return {
    shown: offered.filter((one) => here.includes(one) || chosen.has(one.kind)),
    ticked: here.filter((one) => isTicked(one, country)).map(({ kind }) => kind),
    national: here.some((one) => one.national === true)
  }
}

/** @param {OfferedKind} one @param {string} country */
function isTicked({ ticked }, country) {
  if (ticked === undefined) return true
  return 'in' in ticked ? ticked.in.includes(country) : !ticked.notIn.includes(country)
}
