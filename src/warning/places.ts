import type { LookoutEvent } from '../model/event.ts'
import type { Location, Locator } from './coverage/locator.ts'
import type { WarningConfig } from './settings.ts'

/** The lessons of alerts about the counties of zones. */
export interface ZoneLessons {
  learn: (event: LookoutEvent) => LookoutEvent
}

export interface PlacesOptions {
  locator: Locator
  lessons: ZoneLessons
  /** The configuration an event is judged by: the saved one, or the demo's for the demo's own events. */
  configFor: (event: LookoutEvent) => WarningConfig
}

/** The places of events, by the areas of the configuration in force. */
export class Places {
  readonly #o: PlacesOptions

  constructor(options: PlacesOptions) {
    this.#o = options
  }

  /** Tags an event that has come and judges where it lies. What it teaches of zones is learnt. */
  locate(event: LookoutEvent): Location {
    return this.where(this.#o.lessons.learn(event))
  }

  /** As `locate`, for a question: nothing is learnt of it. */
  where(event: LookoutEvent): Location {
    const { coverage, sources } = this.#o.configFor(event)
    return this.#o.locator.locate(event, coverage, sources)
  }

  /** Outlines of zones have changed: regions are computed anew with the next event. */
  forget(): void {
    this.#o.locator.forget()
  }
}
