import { unlink } from 'node:fs/promises'
import type { CoreSetup, StartOptions } from '../cli/verb.ts'
import type { HttpContext } from '../dashboard/server/context.ts'
import { because } from '../model/reason.ts'
import type { AuditLog } from '../platform/audit/audit-log.ts'
import { errorText } from '../platform/errors.ts'
import { errorCode } from '../platform/files/atomic-file.ts'
import { findReset } from '../platform/sessions/reset-file.ts'
import { ONCE_MS, type SessionStore } from '../platform/sessions/session-store.ts'
import type { Keeping } from './keeping.ts'

/** In the audit log, whoever holds the card. */
const CARD = 'reset file'

interface Claiming {
  options: Pick<StartOptions, 'mode' | 'dataFolder' | 'resetFile' | 'asked' | 'log'>
  sessions: SessionStore
  audit: Pick<AuditLog, 'add'> | null
}

/**
 * A claim code while nobody has claimed the station; null once somebody has, and in a preview, which must not end the code that a
 * running station has shown. A reset file that was not obeyed yet makes the station forget its passphrase first.
 */
export async function offerClaim(parts: Claiming): Promise<string | null> {
  const { options, sessions } = parts
  if (options.mode === 'preview') return null
  const code = await obeyReset(parts)
  const { claimed } = await sessions.state()
  return claimed ? null : sessions.newClaim({ asked: options.asked, ...(code === null ? {} : { code }) })
}

/** Answers the claim code that the file holds, as long as it lies there. */
async function obeyReset({ options, sessions, audit }: Claiming): Promise<string | null> {
  const { resetFile: file, dataFolder, log } = options
  if (file === undefined) return null
  try {
    const reset = await findReset(file, dataFolder)
    if (reset === null) return null
    if (reset.isNew) {
      await sessions.newClaim({ reset: true })
      audit?.add({ by: CARD, what: because('audit_reset_by_file', { file }) })
      log.warn({ file }, 'the passphrase was forgotten and every session ended, as the reset file asks')
      await reset.obeyed()
      await removed(file)
    }
    return reset.code
  } catch (error) {
    log.error({ err: error, file }, `the reset file could not be obeyed: ${errorText(error)}`)
    return null
  }
}

/** Mostly the boot partition belongs to root, and the file stays: it is not obeyed twice. */
async function removed(file: string): Promise<void> {
  try {
    await unlink(file)
  } catch (error) {
    if (errorCode(error) === '') throw error
  }
}

/** The parts of the program that people at a radio use: asked for when it runs. */
export function forThoseAtRadios(
  { hotspot }: Pick<Keeping, 'hotspot'>,
  {
    context,
    audit
  }: { context: () => Pick<HttpContext, 'sessions' | 'readiness'>; audit: Pick<AuditLog, 'add'> | null }
): Pick<CoreSetup, 'hotspot' | 'claim' | 'problems'> {
  return {
    ...(hotspot === null ? {} : { hotspot }),
    claim: async (by) => {
      const code = await context().sessions.offerOnce()
      audit?.add({ by, what: because('audit_code_by_radio') })
      return { code, minutes: ONCE_MS / 60_000 }
    },
    problems: () => context().readiness().problems
  }
}
