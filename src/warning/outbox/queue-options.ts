import type { Clock } from '../../platform/clock/clock.ts'
import type { Radio } from '../radios/radio.ts'
import type { AirtimeBudget } from './airtime-budget.ts'
import type { Alarms } from './alarms.ts'
import type { Delivery } from './delivery.ts'
import type { Identities } from './identities.ts'
import type { Outbox } from './outbox.ts'
import type { Receipts } from './receipts.ts'
import type { RowSources } from './row-text.ts'
import type { Standby } from './standby.ts'
import type { Waiting } from './waiting.ts'
import type { Waypoints } from './waypoints.ts'

/** The parts that the queue of one radio needs. */
export interface RadioQueueOptions {
  radio: Radio
  outbox: Outbox
  waiting: Waiting
  receipts: Receipts
  airtime: AirtimeBudget
  identities: Identities
  /** Which messages ring. */
  alarms: Alarms
  /** Closes what other stations were heard saying. */
  standby: Standby
  /** Marks on maps that follow texts. */
  waypoints: Waypoints
  clock: Clock
  /** The stores that words are made from: at the first attempt, then they are frozen. */
  sources: RowSources
  /** True while notifications are on. */
  enabled: () => boolean
  /** The share of the hour's airtime that answers to people may take, 0…1. */
  replyShare: () => number
  /** Runs `work` in one durable transaction. */
  store: <T>(work: () => T) => T
  /** Runs `work`, again where a row of the file is damaged. */
  read: <T>(work: () => T) => T
  /** `delivery` is null for what is done between messages. */
  onError: (error: unknown, delivery: Delivery | null) => void
}
