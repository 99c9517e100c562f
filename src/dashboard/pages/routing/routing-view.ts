import type { ServedMatrix } from '../../editing/matrix-document.ts'
import type { PolicyView } from '../../editing/policy-document.ts'

/** A channel as the radio tells it: MT by index, MC by name. */
export interface ChannelView {
  id: number | string
  name: string
  enabled: boolean
}

/** The radio of one network, as far as the matrix needs it. */
export interface RadioView {
  id: string
  state: string
  reason: string | null
  simulated: boolean
  channels: ChannelView[]
}

/** The policy of a family whose events have no region by nature, with its other ways of delivery. */
export interface PolicyRow extends PolicyView {
  severity_channels: Readonly<Record<string, readonly string[]>>
}

/**
 * The data that the script of the routing pages begins with, and fetches again with the page. Everything is of one
 * moment.
 */
export interface RoutingData {
  side: 'mt' | 'mc'
  /** As `GET /api/notifications/region-routing` answers it; the demo's while that stands in. */
  matrix: ServedMatrix
  revision: string
  /** Rows: key and label of every family. */
  families: { key: string; label: string }[]
  /** Columns: names of the coverage areas, configuration order. */
  regions: string[]
  /** Null: no radio of this network is configured. */
  radios: { mt: RadioView | null; mc: RadioView | null }
  /** Family → region scopes of what broadcasts its events outside of the matrix; an empty scope is every region. */
  outside: Record<string, string[][]>
  /** Family → policy, of families that no cell can match. */
  policies: Record<string, PolicyRow>
  /** Nothing is connected: what is configured is shown as such. */
  preview: boolean
  /** The demo's matrix is shown: it can be tried out, not saved. */
  demo: boolean
  /** True when whoever asked may save. */
  canWrite: boolean
  /** The reason why config.json on disk cannot be used at present; saving is refused until it is mended. */
  broken: string | null
}
