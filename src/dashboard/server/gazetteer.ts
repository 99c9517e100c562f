/** A town or village of the list; codes are ISO 3166 and UGC. */
export interface Town {
  name: string
  /** Its name in the list where it was found by another; else empty. */
  also: string
  country: string
  region: string
  county: string
  lat: number
  lon: number
  population: number
  timezone: string
}

/** Towns of the world. Everything rejects with AppError `unavailable` where the list was not built. */
export interface TownLookup {
  countries: (zone: string) => Promise<{ countries: { code: string; box: number[] }[]; here: string }>
  find: (ask: { country: string; text: string; limit: number }) => Promise<Town[]>
  near: (ask: { lat: number; lon: number; limit: number }) => Promise<(Town & { km: number })[]>
}
