import { resolve } from 'node:path'

/**
 * The path of the address file: `addresses.file`, which may be relative to the data folder; when empty,
 * `addresses.sqlite` in it.
 */
export function addressPath(dataFolder: string, configured: string): string {
  return resolve(dataFolder, configured === '' ? 'addresses.sqlite' : configured)
}
