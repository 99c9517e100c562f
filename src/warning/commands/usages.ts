import type { Ask, Sender } from './ask.ts'
import { may } from './rights.ts'

/** How each command is written, in the order people are told of them; `!help` itself is how they are found. */
export const USAGES = {
  alerts: '!alerts [region]',
  catchup: '!catchup [region]',
  status: '!status',
  why: '!why CODE',
  ask: '!ask QUESTION',
  ack: '!ack CODE [reason]',
  silence: '!silence NAME 2h [reason]',
  who: '!who CODE',
  hotspot: '!hotspot on|off',
  claim: '!claim'
} as const
export type UsedCommand = keyof typeof USAGES

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
