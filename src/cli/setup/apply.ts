import { isDeepStrictEqual } from 'node:util'
import { because, type Reason } from '../../model/reason.ts'
import { asJson, type JsonValue } from '../../platform/config/json.ts'
import { AppError } from '../../platform/errors.ts'
import type { ConfigStore } from '../../settings/store.ts'
import type { SetupPart } from './parts.ts'
import type { Taken } from './taken.ts'

/** In the audit log, whoever holds the card. */
const CARD = 'lookout-setup.txt'

/**
 * Puts the parts into the configuration, each on its own: one that is refused keeps none of the others away. A part that somebody has
 * set otherwise meanwhile stays as it is. Answers what became of each, and notes in `taken` what was taken.
 */
export async function applyParts(parts: readonly SetupPart[], store: ConfigStore, taken: Taken): Promise<Reason[]> {
  const notes: Reason[] = []
  for (const part of parts) {
    if (taken[part.key]?.asked === part.asked) continue
    try {
      notes.push(await applyPart(part, store, taken))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      notes.push(because('setup_not_used', { key: part.key, why: error.reason }))
    }
  }
  return notes
}

async function applyPart(part: SetupPart, store: ConfigStore, taken: Taken): Promise<Reason> {
  let made: JsonValue | undefined
  let kept = false
  await store.update(
    (raw) => {
      const now = part.now(raw)
      const wanted = part.put(asJson(raw), store.current())
      made = part.now(wanted)
      const isOurs = now === undefined || isDeepStrictEqual(now, taken[part.key]?.made)
      kept = !isOurs && !isDeepStrictEqual(now, made)
      return kept ? raw : wanted
    },
    { by: CARD }
  )
  if (kept || made === undefined) return because('setup_kept', { key: part.key })
  taken[part.key] = { asked: part.asked, made }
  return because('setup_taken', { key: part.key, value: part.said })
}
