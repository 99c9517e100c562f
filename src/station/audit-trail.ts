import { because } from '../model/reason.ts'
import type { AuditLog } from '../platform/audit/audit-log.ts'
import { asJson } from '../platform/config/json.ts'
import { changesBetween, type SettingChange } from '../settings/changes.ts'
import type { ConfigStore } from '../settings/store.ts'
import type { Delivery } from '../warning/outbox/delivery.ts'
import type { Core } from './core.ts'

/** Who does what the program does by itself. */
const STATION = 'station'
/** An edit of the file has no name. */
const BY_HAND = 'file'
/** Outlines of many corners would push everything else out of the log. Characters. */
const MOST_KEPT = 200_000
/** Rows change once more after they left: so many are remembered. */
const REMEMBERED = 500

interface TrailParts {
  audit: AuditLog
  config: Pick<ConfigStore, 'onEdit'>
  core: { observers: Pick<Core['observers'], 'on'>; reactions: Pick<Core['reactions'], 'onCommand'> }
  version: string
}

/**
 * Keeps the audit log of what happens by itself or outside of the web: settings, messages, commands, start and stop. Answers how to
 * stop.
 */
export function keepAuditTrail({ audit, config, core, version }: TrailParts): () => void {
  const left = new Map<number, number>()
  audit.note({ by: STATION, what: because('audit_started', { version }) })
  const ends = [
    config.onEdit(({ before, after, by }) => {
      const changes = changesBetween(before, after)
      if (changes.length === 0) return
      const places = changes.map(({ pointer }) => pointer)
      if (isLarge(changes)) {
        audit.add({ by: by ?? BY_HAND, what: because('audit_settings_changed_much', { places }) })
        return
      }
      const what = because(by === null ? 'audit_file_edited' : 'audit_settings_changed', { places })
      audit.add({ by: by ?? BY_HAND, what, more: asJson({ changes }) })
    }),
    core.observers.on('delivery', (row) => {
      if (!isNewlySent(row, left)) return
      const { id, channelKey, radio } = row
      audit.note({ by: STATION, what: because('audit_message_left', { id, channel: channelKey, radio: radio ?? '' }) })
    }),
    core.reactions.onCommand(({ sender, command, outcome }) =>
      audit.note({ by: sender, what: because('audit_commanded', { command, outcome }) })
    )
  ]
  return () => {
    for (const end of ends) end()
    audit.note({ by: STATION, what: because('audit_stopped') })
    audit.close()
  }
}

/** Asked before anything is copied: of large outlines the first value answers it. */
function isLarge(changes: readonly SettingChange[]): boolean {
  let left = MOST_KEPT
  for (const { pointer, before = '', after = '' } of changes) {
    for (const value of [pointer, before, after]) {
      left -= JSON.stringify(value).length
      if (left < 0) return true
    }
  }
  return false
}

function isNewlySent({ id, state, sentAt }: Delivery, left: Map<number, number>): boolean {
  if (state !== 'sent' || sentAt === null || left.get(id) === sentAt) return false
  left.delete(id)
  left.set(id, sentAt)
  for (const oldest of left.keys()) {
    if (left.size <= REMEMBERED) break
    left.delete(oldest)
  }
  return true
}
