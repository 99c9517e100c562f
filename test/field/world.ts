import type { Test } from 'tap'
import { Field, type FieldStation, type Person } from '../helpers/field.ts'
import type { StationOptions } from '../helpers/station.ts'
import { seeded } from '../warning/radios/meshcore/bench.ts'

/** A region on both networks, and one more; what every story here begins with. */
export const CELLS = {
  fire: { North: { mt: 1, mc: 'north' }, South: { mt: 2, mc: 'south' } },
  weather: { North: { mt: 1, mc: 'north' }, South: { mt: 2, mc: 'south' } }
}
export const SECRET = 'a shared secret of two'
/** Later than everything that happens here. */
export const LATER = '2026-06-03T18:00:00Z'
export const BURN = { id: 'burn', title: 'Pine Fire', severity: 'critical', expires: LATER }

export interface World {
  field: Field
  one: FieldStation
  two: FieldStation
  ann: Person
  ben: Person
}

export type Config = Record<string, unknown> & { notifications: Record<string, unknown> }

export function configOf(notifications: object = {}, more: object = {}): Config {
  const routes = { enabled: true, cells: CELLS }
  return { notifications: { coalesce_seconds: 0, region_routes: routes, ...notifications }, ...more }
}

/** The same for two stations that say each alert once. */
export function standbyConfigs(notifications: object = {}, more: object = {}): [Config, Config] {
  const peers = ['!0000000b', '!0000000c', 'Alpha', 'Bravo']
  const at = (order: number): Config =>
    configOf({ standby: { enabled: true, order, secret: SECRET, peers }, ...notifications }, more)
  return [at(1), at(2)]
}

export interface WorldOptions {
  loss?: number
  seed?: number
  /** Of the first, and of both unless there are two. */
  configs: readonly [Config, Config?]
  more?: Partial<StationOptions>
}

/** Alpha and Bravo, Ann and Ben, five nodes more that repeat, and an air that loses a third of all copies between two of them. */
export async function world(t: Pick<Test, 'teardown' | 'fail'>, options: WorldOptions): Promise<World> {
  const { loss = 0.3, seed = 7, configs, more = {} } = options
  const field = new Field(t, { loss, random: seeded(seed) })
  const [ann, ben] = [field.person('Ann', 77), field.person('Ben', 78)]
  for (const [index, name] of ['Hill', 'Lake', 'Mill', 'Park', 'Wood'].entries()) field.person(name, 80 + index)
  const [first, second = first] = configs
  const one = await field.station('Alpha', 11, { ...more, config: first })
  const two = await field.station('Bravo', 12, { ...more, config: second })
  return { field, one, two, ann, ben }
}

/** How often a text that fits was shown on a network, by whom; marks on the map are none. */
export function told({ shown }: Person, words: RegExp, network?: 'mt' | 'mc'): string[] {
  return shown
    .filter((one) => one.port !== 8 && words.test(one.text) && (network === undefined || one.network === network))
    .map((one) => `${one.network}:${one.channel ?? 'direct'} ${one.from}`)
}
