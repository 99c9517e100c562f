import type { AddressesDesk } from './http/addresses-desk.ts'
import type { Log } from './lib/log.ts'

/**
 * The address lookup of the station. The file itself is opened at the first question, and again whenever another one stands in
 * its place; a file that is absent is a reason in its health, not a failure.
 */
export async function openAddresses({
  dataFolder,
  file,
  log
}: {
  dataFolder: string
  /** `addresses.file` of the configuration. */
  file: string
  log: Log
}): Promise<AddressesDesk & { close: () => void }> {
  const [{ AddressBook }, { addressPath }] = await Promise.all([
    import('./addresses/address-book.ts'),
    import('./addresses/address-path.ts')
  ])
  return new AddressBook({ file: addressPath(dataFolder, file), log })
}
