import type { MtAlert } from '../../../warning/routing/alarm-settings.ts'
import type { HttpContext } from '../../server/context.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'

/** How immediate danger rings on Meshtastic channels, how often it may, and how often it did. */
export function alarmNote({ config, deliveries }: HttpContext, t: Translate): Html {
  const settings = config.current().notifications.mt_alert
  const most = settings.per_day
  const rang = deliveries
    .rang()
    .map(({ channel, count }) => t('Meshtastic {channel}: {count} of {most}', { channel, count, most }))
  const used = rang.length === 0 ? '' : ` ${t('In the last 24 hours: {channels}.', { channels: rang.join(', ') })}`
  return html`<section class="alarm" aria-labelledby="alarm"><h2 id="alarm">${t('Immediate danger')}</h2>
<p>${wordsOf(settings, t)}${used} <a href="/settings/notifications#set/notifications/mt_alert">${t('Change it')}</a>.</p></section>`
}

function wordsOf({ packet, bell, per_day: most }: MtAlert, t: Translate): string {
  if (packet === 'off' && !bell) return t('It leaves as a text like any other, and rings nowhere.')
  const said = [
    ...(packet === 'beside'
      ? [t('Behind its text the same words leave once more as an alert packet, at which some apps ring louder.')]
      : []),
    ...(packet === 'instead'
      ? [t('It leaves as an alert packet and not as a text: an app that does not know these shows nothing.')]
      : []),
    ...(bell ? [t('Its words end in the bell character, at which many apps and nodes ring.')] : []),
    t('At most {most} messages of a channel ring in 24 hours; further ones leave as plain text.', { most }),
    t('MeshCore has nothing like it.')
  ]
  return said.join(' ')
}
