import type { AirLanguage } from '../../model/air-languages.ts'
import type { Replies } from '../messages/catalogue/replies/sentences.ts'
import { REPLIES } from '../messages/catalogue/replies.ts'
import type { Ask, Sender } from './ask.ts'
import { may } from './rights.ts'

type Usage = Replies['usage']

/** How each command is written, in the order people are told of them; `!help` itself is how they are found. */
const USAGES = {
  alerts: ({ region }) => `!alerts [${region}]`,
  catchup: ({ region }) => `!catchup [${region}]`,
  status: () => '!status',
  why: ({ code }) => `!why ${code}`,
  ask: ({ question }) => `!ask ${question}`,
  ack: ({ code, reason }) => `!ack ${code} [${reason}]`,
  silence: ({ name, reason }) => `!silence ${name} 2h [${reason}]`,
  who: ({ code }) => `!who ${code}`,
  hotspot: () => '!hotspot on|off',
  claim: () => '!claim'
} as const satisfies Record<string, (words: Usage) => string>
export type UsedCommand = keyof typeof USAGES

/** The command as it is written, in the words of a language for what a person puts in. */
export const usageOf = (name: UsedCommand, language: AirLanguage): string => USAGES[name](REPLIES[language].usage)

/** The commands that this sender may use here; without a library nobody can ask it, without a hotspot nobody switch it. */
export function usable(
  sender: Pick<Sender, 'admin' | 'direct'>,
  {
    config,
    hasLibrary,
    hasHotspot = false,
    hasClaim = false
  }: Pick<Ask, 'config'> & { hasLibrary: boolean; hasHotspot?: boolean; hasClaim?: boolean }
): UsedCommand[] {
  const guarded = (['ask', 'ack', 'silence', 'who', 'hotspot', 'claim'] as const).filter(
    (name) =>
      (name !== 'ask' || hasLibrary) &&
      (name !== 'hotspot' || hasHotspot) &&
      (name !== 'claim' || hasClaim) &&
      may(name, sender, { config })
  )
  return ['alerts', 'catchup', 'status', 'why', ...guarded]
}
