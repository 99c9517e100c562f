import { byteLength, cutToBytes } from '../messages/budget.ts'
import { ANSWERS } from '../messages/catalogue/answers.ts'
import { put } from '../messages/catalogue/words.ts'
import { told } from '../messages/replying.ts'
import type { StoredEvent } from '../outbox/stored-event.ts'
import type { WarningConfig } from '../settings.ts'
import type { Ask } from './ask.ts'

const NAME_BYTES = 40
const ROOM_FOR_REST = 6

/** Regions of this station: of its named areas and of its matrix, each once. */
export function regionsOf({ coverage, notifications }: WarningConfig): string[] {
  const areas = coverage.areas.flatMap(({ name }) => name ?? [])
  return [
    ...new Set([...areas, ...Object.values(notifications.region_routes.cells).flatMap((row) => Object.keys(row))])
  ]
}

/** The name as it is written in a text: people may write anything. */
export const shownName = (words: readonly string[]): string => cutToBytes(words.join(' '), NAME_BYTES)

/** Those that touch the region which the words name, in any case. */
export function inRegion(alerts: readonly StoredEvent[], words: readonly string[]): StoredEvent[] {
  const wanted = words.join(' ').toLowerCase()
  return alerts.filter(({ event }) => event.regions.some((name) => name.toLowerCase() === wanted))
}

/** The answer to whoever asks for a region that this station does not have; null when it has it. Nothing is known of such a place. */
export function unknownRegion({ words, config, spoken, limitBytes }: Ask): string | null {
  const said = ANSWERS[spoken.language]
  const wanted = words.join(' ').toLowerCase()
  const names = regionsOf(config)
  if (names.some((name) => name.toLowerCase() === wanted)) return null
  const text = put(said.noRegion, shownName(words))
  const around = byteLength(put(said.regions, '')) + 1
  return names.length === 0
    ? text
    : told(spoken.language, [text, put(said.regions, listed(names, limitBytes - byteLength(text) - around))])
}

/** As many names as fit; the rest is a number. */
function listed(names: readonly string[], bytes: number): string {
  let text = ''
  for (const [index, name] of names.entries()) {
    const next = text === '' ? name : `${text}, ${name}`
    const reserve = index + 1 < names.length ? ROOM_FOR_REST : 0
    if (byteLength(next) + reserve > bytes) return text === '' ? `${names.length}` : `${text}, +${names.length - index}`
    text = next
  }
  return text
}
