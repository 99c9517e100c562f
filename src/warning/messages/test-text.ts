import type { StationConfig } from '../station-settings.ts'
import { budgetFor, cutToBytes } from './budget.ts'
import { foldText } from './fold.ts'
import { sanitise } from './sanitise.ts'
import type { MessagesConfig } from './settings.ts'
import { type Place, spokenOn } from './spoken-on.ts'
import { hourText, wordsOf } from './wording.ts'

/** `TEST Ridge 18:45`: the text that proves a channel, in the language of that channel, within the budget of its network. */
export function testText(
  config: { station: StationConfig; messages: MessagesConfig },
  place: Place & { transport: 'mt' | 'mc' },
  { nodeName, nowMs }: { nodeName: string; nowMs: number }
): string {
  const spoken = spokenOn(config, place)
  const { station, messages } = config
  const text = `${wordsOf(spoken).test} ${station.name} ${hourText({ ...spoken, station, nowMs }, nowMs)}`
  const written = spoken.ascii ? foldText(text, spoken.language) : text
  return cutToBytes(sanitise(written), budgetFor(place.transport, messages, nodeName))
}
