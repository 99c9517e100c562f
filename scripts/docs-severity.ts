/** docs/severity.md: what each category weighs, what a sleeper must hear of it, and why. The levels are those of the program. */
import { listFamilies } from '../src/model/families.ts'
import { CODE_FLOORS } from '../src/model/floors.ts'
import { BEFORE_THE_TABLE, BEHIND_THE_TABLE, SAME_NAMES, WHY } from './docs-severity-words.ts'
import { table } from './docs-table.ts'

/** Throws for a category without a reason, and for a reason without a category. */
export function severityPage(): string {
  const families = listFamilies()
  const known = new Set(families.flatMap(({ categories }) => categories.map(({ id }) => id)))
  const stray = Object.keys(WHY).filter((id) => !known.has(id))
  if (stray.length > 0) throw new Error(`docs-severity-words.ts explains ${stray.join(', ')}, which is no category`)
  const parts = families
    .filter(({ categories }) => categories.length > 0)
    .map(
      ({ key, label, categories }) =>
        `### ${label} (\`${key}\`)\n\n${table(
          ['Category', 'Default', 'What', 'At night, and why'],
          categories.map(({ id, default_severity, description }) => [
            `\`${id}\``,
            `\`${default_severity}\``,
            description,
            whyOf(id)
          ])
        )}`
    )
  const codes = [...SAME_NAMES].map(([code, name]) => [`\`${code}\``, name, floorText(code)])
  return `${BEFORE_THE_TABLE}
${parts.join('\n')}
## Codes of SAME

The floor is the least that a message with the code weighs, whatever severity its sender gave; the same for its name. Without one the message weighs
what it says. Ends and all-clears have no floor.

${table(['Code', 'Name', 'Floor'], codes)}
${BEHIND_THE_TABLE}`
}

function whyOf(id: string): string {
  const why = WHY[id]
  if (why === undefined) throw new Error(`docs-severity-words.ts does not say why ${id} weighs what it does`)
  return why
}

function floorText(code: string): string {
  const floor = CODE_FLOORS.get(code)
  return floor === undefined ? 'as it says' : `\`${floor}\``
}
