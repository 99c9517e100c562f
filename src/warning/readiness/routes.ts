import { familyOf, listFamilies } from '../../model/families.ts'
import { hasNoRegion, SEVERITIES } from '../../model/vocabulary.ts'
import { openCell } from '../routing/network-switches.ts'
import { askRules } from '../routing/rules.ts'
import type { Cell } from '../routing/settings.ts'
import type { WarningConfig } from '../settings.ts'

/**
 * Cells on whose channels something would be sent: enabled, for a named area, of a family whose events have regions, with the
 * channels of the networks that are switched on. The matrix itself may be off.
 */
export function sendingCells({
  coverage,
  notifications
}: WarningConfig): { family: string; region: string; cell: Cell }[] {
  const named = new Set(coverage.areas.map(({ name }) => name))
  return Object.entries(notifications.region_routes.cells).flatMap(([family, row]) =>
    Object.entries(hasNoRegion(family) ? {} : row).flatMap(([region, stored]) => {
      const cell = openCell(stored, notifications.region_routes)
      const sends = cell.enabled && named.has(region) && (cell.mt !== null || cell.mc !== null)
      return sends ? [{ family, region, cell }] : []
    })
  )
}

/** The configuration is frozen and replaced as a whole: what was found for one object stays true of it. */
const found = new WeakMap<WarningConfig, readonly string[]>()

/** Families of which a policy or a rule would send something, asked as the live path asks (contract §5). */
export function familiesOfPolicies(config: WarningConfig): readonly string[] {
  const known = found.get(config)
  if (known !== undefined) return known
  const { coverage, families, notifications } = config
  const regions = coverage.areas.flatMap(({ name }) => name ?? [])
  const named = notifications.rules.flatMap(({ categories }) => categories)
  const sending = listFamilies(families)
    .filter(({ key, categories }) => {
      // A category nobody knows may come with any family.
      const own = named.filter((category) => (familyOf(category, Object.keys(families)) ?? key) === key)
      return [...categories.map(({ id }) => id), ...own].some((category) =>
        SEVERITIES.some(
          (severity) => askRules({ family: key, category, severity, regions }, notifications).targets.length > 0
        )
      )
    })
    .map(({ key }) => key)
  found.set(config, sending)
  return sending
}
