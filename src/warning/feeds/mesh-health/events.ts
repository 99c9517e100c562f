import type { MESH_CATEGORIES } from '../../../model/categories.ts'
import { type LookoutEvent, nowhere } from '../../../model/event.ts'
import { defaultSeverity } from '../../../model/families.ts'
import type { Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import { clip, oneLine } from '../reading/prose.ts'

export type MeshCategory = (typeof MESH_CATEGORIES)[number][0]

/** One message about the health of the mesh, or of what feeds it. Times are epoch milliseconds. */
export interface MeshHealthFacts {
  source: string
  category: MeshCategory
  /** The subject, `<thing>:<condition>`: the same for ever. */
  thread: string
  /** The occurrence of the condition; another one every time it comes back. */
  episode: number | string
  /** Differs between the messages of one episode. */
  revision: string
  /** `cancel` is the return to normal: it goes to the channels that carried the bad news, and to no other. */
  lifecycle: LookoutEvent['lifecycle']
  /** Names the kind of condition, for overrides. It must not end in a level word (Warning, Watch, Alert …). */
  eventName: string
  /** The words before the name: `Meshtastic radio`. */
  before?: string
  /** Name of the node, radio or source; names on a mesh are anybody's, and clipped to 40 characters. */
  name: string
  /** The rest of the title: `not heard for 2h`. */
  says: string
  detail?: string
  instruction?: string
  /** Without regions no cell of the matrix matches. */
  regions: readonly string[]
  /** The time at which it came to be so. */
  sentAt: number
  receivedAt?: number
  /** Default: that of the category. */
  severity?: Severity
  /** Further keys of `data`. */
  facts?: Record<string, unknown>
}

const MOST_NAME = 40
/** A text of an end begins with CANCEL: this says what of. */
const ENDED = 'Mesh alert:'

/** An event of the family `mesh_health`: all are made here, so that they read alike. */
export function meshHealthEvent(facts: MeshHealthFacts): LookoutEvent {
  const { category, detail = '', sentAt, receivedAt = sentAt, regions, lifecycle, revision } = facts
  const thread = `mesh:${facts.thread}`
  const words = [lifecycle === 'cancel' ? ENDED : '', facts.before ?? '', shortName(facts.name), facts.says]
  const title = words.filter((word) => word !== '').join(' ')
  return {
    id: `${thread}:${facts.episode}`,
    source: facts.source,
    revision,
    category,
    family: 'mesh_health',
    severity: facts.severity ?? defaultSeverity(category),
    title,
    summary: detail === '' ? '' : `${detail}.`,
    body: '',
    ...nowhere(),
    onset: null,
    expires: null,
    sent_at: formatTime(sentAt),
    received_at: formatTime(receivedAt),
    thread_id: thread,
    lifecycle,
    region: regions[0] ?? null,
    regions: [...regions],
    data: {
      ...facts.facts,
      event_name: facts.eventName,
      detail,
      instruction: facts.instruction ?? '',
      material: `${facts.episode} ${revision}`
    }
  }
}

/** A name as it stands in a title. */
export function shortName(name: string): string {
  return clip(oneLine(name), MOST_NAME)
}
