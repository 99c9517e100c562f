import type { Authenticator, ConnectionOptions } from '@nats-io/transport-node'
import { exportsOf } from '../../../platform/process/exports-of.ts'
import { readSettingFile } from '../brokers/read-file.ts'
import type { PushTools } from '../source.ts'
import type { NatsSettings } from './settings.ts'

const CONNECT_MS = 20_000
const PING_MS = 30_000

/** Options of one attempt to connect: whoever keeps the connection waits by himself. @throws AppError `missing` for a file that is not there. */
export async function connectOptions(
  settings: NatsSettings,
  { source, dataFolder }: Pick<PushTools, 'source' | 'dataFolder'>
): Promise<ConnectionOptions> {
  const { servers, username, password, token, ca_file: caFile } = settings
  const ca = caFile === undefined ? null : await readSettingFile('ca_file', caFile, dataFolder)
  const authenticator = await authenticatorOf(settings, dataFolder)
  const isTls = servers.some((server) => server.startsWith('tls:'))
  return {
    servers: servers.map((server) => new URL(server).host),
    name: `lookout ${source}`,
    reconnect: false,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    ...(username === '' ? {} : { user: username, pass: password }),
    ...(token === '' ? {} : { token }),
    ...(authenticator === null ? {} : { authenticator }),
    ...(ca === null ? (isTls ? { tls: {} } : {}) : { tls: { ca: new TextDecoder().decode(ca) } })
  }
}

async function authenticatorOf(
  { creds_file: credsFile, nkey_secret: seed }: NatsSettings,
  dataFolder: string
): Promise<Authenticator | null> {
  const { credsAuthenticator, nkeyAuthenticator } = exportsOf(await import('@nats-io/transport-node'))
  if (credsFile !== undefined) return credsAuthenticator(await readSettingFile('creds_file', credsFile, dataFolder))
  return seed === '' ? null : nkeyAuthenticator(new TextEncoder().encode(seed))
}
