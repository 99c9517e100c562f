import { Alarm } from '../../platform/clock/alarm.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Radio, RadioDescription } from '../radios/radio.ts'
import { targetOf } from '../routing/cancel.ts'
import { applyInhibition } from '../routing/inhibit.ts'
import { isNetworkOn, type MeshNetwork } from '../routing/network-switches.ts'
import { quietFor, quietUntil } from '../routing/quiet-hours.ts'
import { toggleOf } from '../routing/rules.ts'
import { unsilencedRegions } from '../routing/silences.ts'
import type { WarningConfig } from '../settings.ts'
import { type Delivery, isOnHold } from './delivery.ts'
import { type HeldAnswer, HeldRows } from './held.ts'
import type { Outbox } from './outbox.ts'
import { radioOrLongest } from './preview.ts'
import type { ChangesListener, ChangesTeller } from './row-changes.ts'
import { eventsOf, fittingRows, type RowSources } from './row-text.ts'
import { heldBecause } from './turn.ts'
import type { Waiting } from './waiting.ts'

export interface HeldSetting {
  db: Database
  outbox: Outbox
  sources: RowSources
  now: () => number
  /** The regions of a row that nobody has silenced meanwhile, null when nothing of it is left. */
  heardRegions: (row: Delivery) => string[] | null
  /** The radio this row's text is made for. */
  descriptionFor: (row: Delivery) => Pick<RadioDescription, 'network' | 'nodeName'>
}

/** The held rows with the questions each is asked when it may go; a back-test asks the same. */
export function openHeldRows({ db, outbox, sources, now, heardRegions, descriptionFor }: HeldSetting): HeldRows {
  const configOf = (row: Delivery): WarningConfig => {
    const event = eventsOf(row, sources).at(-1)
    return event === undefined ? sources.config() : sources.configFor(event)
  }
  /** Until when graver messages say all of it; null: some of it is left to tell, so it is told. */
  const inhibitedUntil = (row: Delivery, regions: string[]): number | null => {
    const event = eventsOf(row, sources).at(-1)
    if (event === undefined) return null
    const { targets, muted } = applyInhibition(event, [{ target: targetOf(row.channelKey), regions }], {
      config: sources.configFor(event).notifications.inhibition,
      inForce: () => outbox.guards.inForce(now()),
      carried: () => [],
      regionsOf: sources.places.where(event).regionsOf
    })
    return targets.length > 0 ? null : (muted[0]?.until ?? null)
  }
  const ask = (row: Delivery): HeldAnswer => {
    const { notifications, station } = configOf(row)
    const off = switchedOff(row, notifications.region_routes)
    if (off !== null) return { kind: 'stop', reason: off }
    const regions = heardRegions(row)
    if (regions === null) return { kind: 'stop', reason: 'silenced' }
    const graver = row.reason === 'inhibited' ? inhibitedUntil(row, regions) : null
    if (graver !== null) return { kind: 'wait', reason: 'inhibited', until: graver }
    const until = quietFor(row, { quiet: notifications.quiet_hours, timezone: station.timezone, now: now() })
    return until === null ? { kind: 'go', regions } : { kind: 'wait', reason: 'quiet_hours', until }
  }
  return new HeldRows({
    db,
    outbox,
    ask,
    fitting: (rows, reason) => {
      const [first] = rows
      return first === undefined
        ? []
        : fittingRows(rows, reason, sources, { description: descriptionFor(first), nowMs: now() })
    },
    cooldownMs: (row) => toggleOf(configOf(row).notifications, row.family).cooldown_seconds * 1000
  })
}

/** The switch of the matrix that went off while the row was held; null: none, or the row is not of the matrix. */
function switchedOff(
  { content, transport }: Delivery,
  routes: WarningConfig['notifications']['region_routes']
): 'matrix_off' | 'network_off' | null {
  if (content.kind !== 'alert' || content.path !== 'matrix') return null
  if (!routes.enabled) return 'matrix_off'
  return isMesh(transport) && !isNetworkOn(routes, transport) ? 'network_off' : null
}

const isMesh = (transport: string): transport is MeshNetwork => transport === 'mt' || transport === 'mc'

export interface HoldsOptions extends Pick<HeldSetting, 'db' | 'outbox' | 'sources'> {
  clock: Clock
  waiting: Pick<Waiting, 'switchOn'>
  radios: readonly Radio[]
  changes: ChangesListener & ChangesTeller
  onError: (error: unknown) => void
}

/** Rows that wait for the end of quiet hours, of a cooldown or of the first listings after a start: they go on time. */
export class Holds {
  readonly #o: HoldsOptions
  readonly #rows: HeldRows
  readonly #alarm: Alarm
  #steps: Generator<void> | null = null
  #unsubscribe: () => void = () => undefined
  /** A step was stored whose messages may go. */
  #freed = false

  constructor(options: HoldsOptions) {
    const { clock, outbox, sources, radios } = options
    const now = (): number => clock.now()
    this.#o = options
    this.#alarm = new Alarm(clock, () => this.release(), options.onError)
    this.#rows = openHeldRows({
      ...options,
      now,
      heardRegions: (row) => unsilencedRegions(row, eventsOf(row, sources), outbox.guards.silences(now())),
      descriptionFor: ({ transport }) => radioOrLongest(radios, transport === 'mc' ? 'mc' : 'mt')
    })
  }

  start(): void {
    this.#unsubscribe = this.#o.changes.on('row', (row) => this.#changed(row))
    this.#alarm.start()
    this.#arm()
  }

  stop(): void {
    this.#steps = null
    this.#freed = false
    this.#unsubscribe()
    this.#alarm.stop()
  }

  /** A row was stored: what is held is let go on time. */
  #changed(row: Delivery): void {
    if (isOnHold(row) && row.reason !== 'quiet_hours') this.#alarm.by(row.dueAt)
  }

  /**
   * Lets go what may go, also when the quiet hours were changed meanwhile: a step at a time, warnings that come in between go first
   * (contract §6, *Warnings before work*). Switched off, it waits on, or ends with its event.
   */
  release(): void {
    const now = this.#o.clock.now()
    if (this.#freed) {
      // The queues make a text of it: a step of its own.
      this.#freed = false
      this.#alarm.by(now)
      this.#o.changes.tell('ready', null)
      return
    }
    const { notifications, station } = this.#o.sources.config()
    if (notifications.enabled) {
      const stillQuiet = quietUntil(notifications.quiet_hours, station.timezone, now) !== null
      this.#steps ??= this.#rows.steps(now, stillQuiet)
    } else this.#steps = null
    const freed = notifications.enabled ? this.#switchOn() : 0
    const went = this.#steps?.next().done === false
    if (!went) this.#steps = null
    this.#freed = went || freed > 0
    if (this.#freed) this.#alarm.by(now)
    else this.#arm()
  }

  /** Some of what waited for notifications to be switched on. */
  #switchOn(): number {
    const { waiting, radios } = this.#o
    return waiting.switchOn((transport) => heldBecause(radios, transport))
  }

  #arm(): void {
    const due = this.#rows.nextDueAt('timed')
    // A row that may go and could not waits for the next sweep.
    if (due !== null && due > this.#o.clock.now()) this.#alarm.by(due)
  }
}
