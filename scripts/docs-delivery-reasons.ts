/** A word of a table, what it means, and what to do about it; `todo` '' where there is nothing. */
export interface Reason {
  word: string
  means: string
  todo: string
}

/** A row of a table of reasons. */
export const row = (word: string, means: string, todo = ''): Reason => ({ word, means, todo })

/** `reason` of a delivery. */
export const DELIVERY_REASONS: readonly Reason[] = [
  row(
    'notifications_off',
    '`notifications.enabled` is off: what waits is held until it is on, or too late.',
    'Switch it on.'
  ),
  row('pacing', 'It waits for its turn: a radio sends one text after the other, the gravest first, with pauses.'),
  row('coalescing', 'It waits for further pieces of the event (`coalesce_seconds`).'),
  row('standby', 'Another station speaks first: it is listened for (`standby.wait_seconds`).'),
  row(
    'standby_slot',
    'Several stations take turns: it begins when no text of another can meet it (`notifications.standby`).'
  ),
  row('heard_peer', 'Another station was heard saying it on this channel.'),
  row(
    'airtime',
    'The hourly budget of the radio is spent; only `immediate` may use the reserve.',
    'Send less: floors, fewer channels, a faster preset.'
  ),
  row('next_part', 'One part has left; the next goes 10 s later.'),
  row(
    'resend',
    'Critical or immediate, outcome unknown: offered again until the radio answers, 2 s to 2 min apart, for 10 minutes as the same packet.',
    'Check the link of the radio. `GET /api/radios` says since when it does not answer.'
  ),
  row('repeat', 'It may have been heard more than 10 minutes ago: said again as a new packet, marked `RPT`.'),
  row('no_radio', 'No radio of this network is configured.', 'Choose it on the page Radios.'),
  row('radio_down', 'The radio is not ready.', '`GET /api/radios` says why.'),
  row('no_channel', 'The radio has no such channel.', 'Add the channel to the radio, or correct the cell.'),
  row(
    'channel_disabled',
    'The channel exists and is disabled on the radio.',
    'Enable it on the radio, or correct the cell.'
  ),
  row('no_text', 'No text could be composed: a bug.', 'The log has the error.'),
  row(
    'channel_busy',
    'The channel is busy: from 25 % routine waits, from 40 % priority too.',
    'Find who sends so much.'
  ),
  row(
    'nobody_heard',
    'Nobody was heard repeating it. Critical and above is tried again while there is airtime: twice as the same packet, once as a new one.'
  ),
  row('no_answer', 'The radio did not answer.', 'Check cable, power, and whether another program uses the radio.'),
  row('interrupted', 'The program ended, or the radio was lost, while it was on its way.'),
  row('queue_deadline', 'It waited until it was too late.'),
  row('quiet_hours', 'It waits for the end of the quiet hours.', 'Raise or lower `quiet_hours.pass_severity`.'),
  row(
    'cooldown',
    'Every region of the channel cools down: it leaves when the first has, with what else is held there.',
    'Shorten `toggles[family].cooldown_seconds`; 0 = off.'
  ),
  row('summary', 'In force when its source started: told a minute later, one text per channel.'),
  row(
    'inhibited',
    'Something graver says the same: it leaves when that ends and this goes on.',
    '`notifications.inhibition` says what mutes what.'
  ),
  row('ended_held', 'It was over before what held it was.'),
  row('silenced', 'Somebody silenced it while it waited.'),
  row('superseded', 'An alert packet that waited: its channel was told something newer of the event.'),
  row('matrix_off', 'The matrix was switched off while it was held.', 'Switch it on.'),
  row(
    'network_off',
    'The matrix was switched off for its network while it was held.',
    'Switch it on for that network.'
  ),
  row('same_text', 'The same source said the same words on this channel within 12 h, and level and end are unchanged.'),
  row('ended_quietly', 'It ended during the quiet hours: told to nobody.'),
  row('cancelled', 'The event was cancelled while the message waited.'),
  row('ended', 'The event ended while the message waited.'),
  row(
    'unknown_destination',
    'The destination is not in the configuration (any more).',
    'Define it, or remove the name.'
  ),
  row('server_unavailable', 'Mail server or web address did not accept it; tried again up to 6 times.'),
  row(
    'server_refused',
    'Mail server or web address refused it, or did so 6 times.',
    'The step in the trace has its answer.'
  ),
  row('refused', 'The radio refused it after taking it.'),
  row('not_connected', 'The link was not up.'),
  row('rate_limit_exceeded', 'The radio takes one text every 2 s: something else sends through it too.'),
  row(
    'duty_cycle_limit',
    'The radio has used its legal airtime. Critical and above is tried again as long as it is worth sending.'
  ),
  row('queue_full', 'The queue of the radio is full.'),
  row('pool_full', 'The queue of the radio is full.'),
  row('too_large', 'More bytes than a packet holds.', 'Lower `messages.mt_bytes` or `mc_bytes`.'),
  row('bad_destination', 'Not a node: write `!a1b2c3d4` or its number.', 'Correct `node_ids`.'),
  row('ambiguous_contact', 'The radio has several contacts of this name.', 'Rename or remove one.'),
  row(
    'tx_disabled',
    'The radio does not transmit at present.',
    'Region, transmit setting or a fault of the radio: `GET /api/radios`.'
  ),
  row('disabled', 'The firmware of the radio was built without this function.'),
  row('unknown_contact', 'The radio has no contact of this name.', 'Add the contact to the radio, or correct the name.')
]
