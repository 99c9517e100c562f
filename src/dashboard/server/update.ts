import type { PartialUploads } from '../../knowledge/intake/partial-uploads.ts'
import type { Reason } from '../../model/reason.ts'
import type { VersionOrder } from '../../platform/release/version-order.ts'

/** How a release comes onto this machine: from the page, as a package of Debian, with a new image, or by whoever started the program. */
export type UpdateWay = 'page' | 'package' | 'image' | 'by_hand'

/** The facts that a bundle's signed manifest says, and where it stands beside the program that runs. */
export interface BundleFacts {
  version: string
  arch: string
  /** RFC 3339. */
  made_at: string
  /** Signed with a key that was made for development. */
  development: boolean
  /** Fingerprint of the key that signed it. */
  key: string
  files: number
  /** Unpacked. */
  bytes: number
  order: VersionOrder
  /** Made for this machine. */
  fits: boolean
}

/** A bundle that is here. */
export interface StagedBundle {
  /** As it was called where it came from. */
  name: string
  /** Compressed. Bytes. */
  size: number
  sha256: string
  /** Signed by a key that is trusted, and whole. */
  facts: BundleFacts | null
  /** The reason why it is not taken; null when it is, or while it is looked at. */
  refused: Reason | null
}

/** The end of the last installation. */
export interface UpdateOutcome {
  outcome: 'updated' | 'rolled_back' | 'refused' | 'failed'
  reason: Reason | null
  /** The release before; empty where that is not known. */
  from: string
  to: string
  /** Epoch milliseconds. */
  at: number
}

export interface UpdateState {
  way: UpdateWay
  /** Of the program that runs. */
  version: string
  /** Ending of the name of a bundle for this machine: `linux-arm64`. */
  platform: string
  busy: 'copying' | 'checking' | 'installing' | null
  bundle: StagedBundle | null
  last: UpdateOutcome | null
}

/** A bundle on a stick or in a folder. */
export interface FoundBundle {
  path: string
  size: number
}

/** Updates as pages see them. */
export interface UpdatePort {
  state: () => UpdateState
  /** Bundles on sticks that are plugged in. */
  find: () => Promise<FoundBundle[]>
  uploads: PartialUploads
  /** Copies one of those that `find` told, and looks at it. @throws AppError `not-found`, `conflict`, `no-space` */
  take: (path: string) => Promise<void>
  /** Removes the bundle that is here. @throws AppError `conflict` while it is being installed */
  discard: () => Promise<void>
  /** @throws AppError `unavailable` where nothing installs it, `conflict` without a bundle that may be */
  install: (asked: { older: boolean; by: string }) => Promise<void>
}
