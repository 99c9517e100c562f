import type { StartOptions } from '../cli/verb.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Log } from '../platform/log/log.ts'
import type { Profile } from '../settings/profile.ts'
import type { Config } from '../settings/schema.ts'
import type { Core } from './core.ts'
import type { OpenKnowledge } from './late-knowledge.ts'
import type { SideParts } from './side-processes.ts'

interface Parts {
  options: StartOptions
  profile: Profile
  current: () => Config
  /** False in preview: what is there is shown, and nothing is worked on. */
  works: boolean
  /** See `SideParts`. */
  shedFor: SideParts['shedFor']
  observers: Core['observers']
  clock: Clock
  log: Log
}

/** Documents, archives and the archiving of sites. Null, and nothing of it loaded, where the profile has them off. */
export async function openKnowledgeParts(parts: Parts): Promise<OpenKnowledge | null> {
  const { options, profile, current, observers, clock } = parts
  const { subsystems } = profile
  if (!subsystems.knowledge) return null
  const { openKnowledge } = await import('./knowledge.ts')
  const knowledge = await openKnowledge({ ...parts, tell: (news) => observers.tell('knowledge', news) })
  try {
    const library = subsystems.library
      ? (await import('./library.ts')).openLibrary({
          ...parts,
          knowledge,
          onNews: (listener) => void observers.on('knowledge', listener)
        })
      : null
    const scraper = subsystems.scraper
      ? (await import('./scraper.ts')).openScraper({
          dataFolder: options.dataFolder,
          current,
          knowledge,
          library,
          clock
        })
      : null
    return { knowledge, library, scraper }
  } catch (error) {
    await knowledge.stop()
    throw error
  }
}
