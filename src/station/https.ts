import type { StartOptions } from '../cli/verb.ts'
import type { HttpsPort } from '../dashboard/server/https-port.ts'
import type { HttpConfig } from '../dashboard/settings.ts'
import { systemClock } from '../platform/clock/clock.ts'

/** As the examples of the hotspot name the station. */
const NAMES = ['lookout.local', 'lookout.lan']

/** The port of HTTPS; null where none is set, and in a preview, which makes no files beside a running station. */
export async function httpsPort(
  { mode, host, dataFolder, log }: Pick<StartOptions, 'mode' | 'host' | 'dataFolder' | 'log'>,
  http: () => HttpConfig
): Promise<HttpsPort | null> {
  const { port, certificate_file: certificate, key_file: key } = http().tls
  if (mode === 'preview' || port === undefined) return null
  const [{ HttpsPort }, { GivenPairs, OwnPairs }, { ownNames }] = await Promise.all([
    import('../dashboard/server/https-port.ts'),
    import('../platform/tls/key-pairs.ts'),
    import('../platform/tls/own-names.ts')
  ])
  const pairs =
    certificate !== undefined && key !== undefined
      ? new GivenPairs(dataFolder, { certificate, key })
      : new OwnPairs({
          folder: dataFolder,
          names: () => ownNames([...NAMES, ...http().allowed_hosts.map(withoutPort)]),
          time: () => (systemClock.isUnset ? null : systemClock.now())
        })
  return new HttpsPort({ host, port, pairs, clock: systemClock, log })
}

/** `station.example.org:443`, `[fd00::1]` */
function withoutPort(name: string): string {
  return name.replace(/^\[(.+)\](?::\d+)?$|:\d+$/, '$1')
}
