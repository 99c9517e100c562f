import type { AddressLookup } from '../dashboard/server/address-lookup.ts'
import type { Log } from '../platform/log/log.ts'
import type { Profile } from '../settings/profile.ts'

/**
 * The address lookup of the station; null, and nothing of it loaded, when the profile has it off. The file itself is opened at the first question, and again whenever another one stands in
 * its place; a file that is absent is a reason in its health, not a failure.
 */
export async function openAddresses({
  profile,
  dataFolder,
  file,
  log
}: {
  profile: Profile
  dataFolder: string
  /** `addresses.file` of the configuration. */
  file: string
  log: Log
}): Promise<(AddressLookup & { close: () => void }) | null> {
  if (!profile.subsystems.addresses) return null
  const [{ AddressIndex }, { addressPath }] = await Promise.all([
    import('../knowledge/addresses/address-index.ts'),
    import('../knowledge/addresses/address-path.ts')
  ])
  return new AddressIndex({ file: addressPath(dataFolder, file), own: file === '', log })
}
