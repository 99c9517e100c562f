import { AppError, errorText } from '../../../platform/errors.ts'
import type { Ending } from '../brokers/keep-connected.ts'
import { networkReason } from '../brokers/reasons.ts'
import { apiCode, STREAM_NOT_FOUND } from './consumer.ts'
import type { NatsSettings } from './settings.ts'

/** A fault that only the owner of the hub, or other settings, can mend is looked at again once a minute. */
const PATIENT_MS = 60_000

const BY_API_CODE: Record<number, (settings: NatsSettings) => string> = {
  [STREAM_NOT_FOUND]: ({ stream }) =>
    `The hub has no stream ${stream}. Check its name, ask the owner of the hub, or set create_stream where the server is yours.`,
  10039: () => 'JetStream is not enabled for this account. Ask the owner of the hub.',
  10076: () => 'JetStream is not enabled on this server. Ask the owner of the hub.',
  10093: ({ subjects }) =>
    `The stream does not hold ${subjects.join(', ')}. Check subjects against what the owner of the hub says.`
}

/** The reason why a connection to a hub ended or did not come about, and what to do. */
export function endingOf(error: unknown, settings: NatsSettings, where: string): Ending {
  if (error instanceof AppError) return { reason: error.message, wait: PATIENT_MS }
  const known = BY_API_CODE[apiCode(error)]
  if (known !== undefined) return { reason: known(settings), wait: PATIENT_MS }
  const name = error instanceof Error ? error.name : ''
  const reason = byName(name, error, where)
  if (reason !== null) return { reason, wait: PATIENT_MS }
  if (apiCode(error) >= 10_000) return { reason: `The hub answers: ${errorText(error)}.`, wait: PATIENT_MS }
  return { reason: soon(name, error, where) }
}

/** Failures that another try in a second will not change. The names are those of the client's errors. */
function byName(name: string, error: unknown, where: string): string | null {
  switch (name) {
    case 'AuthorizationError':
      return `${where} does not let us in. Check username and password, token, nkey_secret or creds_file of this source.`
    case 'UserAuthenticationExpiredError':
      return `${where}: the credentials have expired. Ask the owner of the hub for new ones.`
    case 'PermissionViolationError':
      return `${where} does not allow this user what a consumer needs: ${errorText(error)}. Ask the owner of the hub.`
    case 'JetStreamNotEnabled':
    case 'NoRespondersError':
      return 'JetStream is not enabled on this server. Ask the owner of the hub.'
    default:
      return null
  }
}

function soon(name: string, error: unknown, where: string): string {
  if (name === 'TimeoutError') return `${where} does not answer in time. It is tried again.`
  const said = errorText(error)
  if (/consumer (?:deleted|not found)/i.test(said)) return 'The consumer was removed from the hub; it is made anew.'
  if (/stream (?:deleted|not found)/i.test(said)) return 'The stream was removed from the hub.'
  return networkReason(where, error)
}
