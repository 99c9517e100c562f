import { resolve } from 'node:path'
import { addressPath } from '../knowledge/addresses/address-path.ts'
import { readConfig } from '../settings/read-config.ts'

/** The address file of a station with this data folder. Writes nothing. */
export async function addressFileOf(dataFolder: string): Promise<string> {
  const folder = resolve(dataFolder)
  const { config } = await readConfig(folder)
  return addressPath(folder, config.addresses.file)
}
