import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { addressPath } from '../knowledge/addresses/address-path.ts'
import { ConfigStore } from '../settings/store.ts'

/** The address file of a station with this data folder. Writes nothing. */
export async function addressFileOf(dataFolder: string): Promise<string> {
  const folder = resolve(dataFolder)
  if (!existsSync(folder)) return addressPath(folder, '')
  const store = await ConfigStore.open({ folder, watch: false })
  const { file } = store.current().addresses
  store.close()
  return addressPath(folder, file)
}
