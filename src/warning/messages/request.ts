import type { AirLanguage } from '../../model/air-languages.ts'
import type { LookoutEvent } from '../../model/event.ts'
import type { StationConfig } from '../station-settings.ts'

/** The material of one message for one channel. */
export interface ComposeRequest {
  event: LookoutEvent
  kind: 'new' | 'update' | 'cancel' | 'expire'
  /** Further pieces of the same event, whose places are named too and whose latest end counts. */
  merged?: LookoutEvent[]
  /** The regions this message goes out for on its channel; for an update that only adds places, the new ones. */
  regions: string[]
  /** Only `regions` are named, not the places of the source, which were told before. */
  newPlacesOnly?: boolean
  station: StationConfig
  /** Bytes one part may have at most, see `budgetFor`. */
  limitBytes: number
  /** Bytes a text is written for. */
  targetBytes: number
  /** Bytes it may have so that no sentence or instruction is lost; `targetBytes` when absent. */
  stretchBytes?: number
  maxParts?: number
  /** The language of the channel; English when absent. */
  language?: AirLanguage
  /** Written without marks on letters, for radios and eyes that have none. */
  ascii?: boolean
  nowMs: number
  /** Told for the first time, long after it began: the text says since when. */
  late?: boolean
  /** Puts `DEMO ` before every part. */
  simulatedMark?: boolean
  /** Stands before every part: `RPT`, `VIA MC`. */
  mark?: string
  /** Every part ends in ` #code`, inside its limit. */
  code?: string
}

/** A finished text, and what had to be left out of it. */
export interface Composed {
  parts: string[]
  /** Length of each part in bytes of UTF-8. */
  bytes: number[]
  /** Optional segments that found no room: `do`, `source`, `detail`, `extra`, `facts`. */
  dropped: string[]
  /** True when something that was written is shortened: a cut title or detail, fewer sentences, `+n` places. */
  truncated: boolean
}
