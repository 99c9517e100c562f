import type { Target } from './decision.ts'

/**
 * The name of a channel inside keys, traces and back-references: `mt:3`, `mc:north-fire`, `mt@!a1b2c3d4` for a direct
 * message, `webhook:https://…`. Contract §4 rule 4.
 */
export function channelKey({ transport, channel, direct }: Pick<Target, 'transport' | 'channel' | 'direct'>): string {
  return `${transport}${direct ? '@' : ':'}${channel}`
}

/** The two-element dedup key of contract §4 rule 4: `[source, "<thread>[#revision]|<channel>"]`, the same in every path. */
export function dedupKey(parts: { source: string; threadId: string; revision: string; channelKey: string }): {
  source: string
  key: string
} {
  const revision = parts.revision === '' ? '' : `#${bare(parts.revision)}`
  return { source: parts.source, key: `${bare(parts.threadId)}${revision}|${parts.channelKey}` }
}

const MARKS = /[%#|]/

/** Without the marks of the key itself: an id may hold any of them, and `a#2` is not revision 2 of `a`. */
function bare(text: string): string {
  return MARKS.test(text) ? text.replace(/[%#|]/g, encodeURIComponent) : text
}
