import type { SkippedItem } from '../feed.ts'

/** The mean elements of one satellite, as SGP4 takes them: degrees, revolutions per day, B* in 1/earth radii. */
export interface Elements {
  name: string
  /** Catalogue number; beyond 99,999 only OMM and Alpha-5 can write it. */
  number: number
  /** Epoch milliseconds. */
  epoch: number
  meanMotion: number
  eccentricity: number
  inclination: number
  node: number
  perigee: number
  anomaly: number
  bstar: number
}

/** The result of a parser for one entry, before anybody looked whether it can be an orbit. */
export type Entry = Elements | SkippedItem
