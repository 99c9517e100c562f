import { because, type Reason } from '../../../model/reason.ts'
import { AppError, errorText } from '../../../platform/errors.ts'
import type { Ending } from '../brokers/keep-connected.ts'
import { networkReason } from '../brokers/reasons.ts'
import { apiCode, STREAM_NOT_FOUND } from './consumer.ts'
import type { NatsSettings } from './settings.ts'

/** A fault that only the owner of the hub, or other settings, can mend is looked at again once a minute. */
const PATIENT_MS = 60_000

const BY_API_CODE: Record<number, (settings: NatsSettings) => Reason> = {
  [STREAM_NOT_FOUND]: ({ stream }) => because('nats_no_stream', { stream }),
  10039: () => because('nats_no_account'),
  10076: () => because('nats_no_jetstream'),
  10093: ({ subjects }) => because('nats_no_subjects_held', { subjects })
}

/** The reason why a connection to a hub ended or did not come about, and what to do. */
export function endingOf(error: unknown, settings: NatsSettings, where: string): Ending {
  if (error instanceof AppError) return { reason: error.reason, wait: PATIENT_MS }
  const known = BY_API_CODE[apiCode(error)]
  if (known !== undefined) return { reason: known(settings), wait: PATIENT_MS }
  const name = error instanceof Error ? error.name : ''
  const reason = byName(name, error, where)
  if (reason !== null) return { reason, wait: PATIENT_MS }
  if (apiCode(error) >= 10_000)
    return { reason: because('nats_hub_answers', { said: errorText(error) }), wait: PATIENT_MS }
  return { reason: soon(name, error, where) }
}

/** Failures that another try in a second will not change. The names are those of the client's errors. */
function byName(name: string, error: unknown, where: string): Reason | null {
  switch (name) {
    case 'AuthorizationError':
      return because('nats_not_let_in', { where })
    case 'UserAuthenticationExpiredError':
      return because('nats_expired', { where })
    case 'PermissionViolationError':
      return because('nats_not_allowed', { where, said: errorText(error) })
    case 'JetStreamNotEnabled':
    case 'NoRespondersError':
      return because('nats_no_jetstream')
    default:
      return null
  }
}

function soon(name: string, error: unknown, where: string): Reason {
  if (name === 'TimeoutError') return because('nats_too_slow', { where })
  const said = errorText(error)
  if (/consumer (?:deleted|not found)/i.test(said)) return because('nats_consumer_gone')
  if (/stream (?:deleted|not found)/i.test(said)) return because('nats_stream_gone')
  return networkReason(where, error)
}
