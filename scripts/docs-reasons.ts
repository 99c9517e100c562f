import type { DeliveryChange, DeliveryState } from '../src/model/delivery.ts'
import type { Decision } from '../src/warning/routing/decision.ts'
import { type Reason, row } from './docs-delivery-reasons.ts'

/** The meaning of the words of a trace, and what to do. test/docs.test.ts compares them with those in the source. */

export const STATE_WORDS: Record<DeliveryState, { means: string; todo: string }> = {
  queued: {
    means: 'It waits its turn: coalescing, pacing, airtime, or the next try. The reason says which.',
    todo: 'Nothing, unless it stays: then read the reason.'
  },
  transmitting: { means: 'It was handed to the radio or the server; the answer is not there yet.', todo: 'Nothing.' },
  sent: {
    means: 'It left the radio, or the server accepted it. Nobody has been heard repeating it yet.',
    todo: 'Nothing.'
  },
  heard: { means: 'Another node was heard repeating it. `heard_by` counts how often.', todo: 'Nothing.' },
  delivered: { means: 'The addressee of a direct message acknowledged it.', todo: 'Nothing.' },
  unconfirmed: {
    means: 'It left the radio, and nobody was heard repeating or acknowledging it in time.',
    todo: 'Normal where no other node is in reach. If there should be one: antenna, frequency, preset, channel key.'
  },
  held: {
    means:
      'It cannot leave at present, or waits for the end of a cooldown or of the quiet hours. It is released by itself, or expires.',
    todo: 'Where the reason names a radio: mend it. Else nothing.'
  },
  suppressed: {
    means: 'It was withdrawn before it left: the event was cancelled or ended while the message waited.',
    todo: 'Nothing.'
  },
  stood_down: {
    means:
      'Another station of the same secret was heard saying it on this channel: nothing was sent here. It counts as told.',
    todo: 'Nothing.'
  },
  merged: {
    means: 'It joined another message that still waited, or several held ones became one text.',
    todo: 'Look at the row `merged_into` names.'
  },
  expired: {
    means:
      'It waited longer than it was worth sending: 30 min for routine and priority; the end of the event, or 2 h, above.',
    todo: 'Find out why it waited: `steps` in the trace.'
  },
  failed: { means: 'It will not go out.', todo: 'Mend what the reason names. The event itself is stored.' },
  sent_unknown: {
    means:
      'It was handed over and no answer came. It may have been heard: below critical it is not repeated, and else its event is over by now.',
    todo: 'Tell people by another way if it matters. Check the link of the radio.'
  }
}

export const OUTCOME_WORDS: Record<Decision['kind'], string> = {
  send: 'At least one message was planned. What became of it stands in the deliveries; it may be held.',
  silent: 'The end of an event that needs no message.',
  suppressed: 'A route was found, and a floor, a silence, an inhibition or the dedup stopped every message.',
  dropped: 'Outside every area, expired or stale.',
  recorded: 'Stored only: notifications are off, or it was listed when its source started.',
  unrouted: 'No cell, family policy or rule sends it.'
}

/** Reasons of the steps of a decision, in the order the stages are asked. */
export const TRACE_REASONS: readonly { stage: string; asks: string; reasons: readonly Reason[] }[] = [
  {
    stage: 'clock',
    asks: 'Was the clock set since it was decided?',
    reasons: [row('clock_set', 'Yes: it had not been told because of a time, so it was decided anew.')]
  },
  {
    stage: 'storage',
    asks: 'Were rows of `lookout.db` lost since it was decided?',
    reasons: [row('rescued', 'Yes: a channel may lack a message about it, so it was decided anew.')]
  },
  {
    stage: 'thread',
    asks: 'Which earlier event does it belong to?',
    reasons: [
      row('joined', 'It belongs to an event an earlier message started.'),
      row('same_hazard', 'Another source told the same hazard for the same place and time: one event, told once.'),
      row('still_told', 'The end of a copy: another source still tells the event, and only its own end counts.')
    ]
  },
  {
    stage: 'tag',
    asks: 'Which regions does it touch?',
    reasons: [
      row('tagged', 'It touches the named areas.'),
      row('preset', 'It came with regions; they are kept.'),
      row('tagging_off', '`coverage.region_tagging` is off.', 'Switch it on: without regions no cell matches.'),
      row('no_areas', 'No coverage area is configured.'),
      row(
        'tagged_by_state',
        'Nothing here tells where its zones lie, and it is critical or above: all areas in their state.',
        'Put a zone pack into `zones/`.'
      ),
      row('no_location', 'It does not say where it is.'),
      row('unknown_codes', 'The outlines of its codes are not known.', 'Put a zone pack into `zones/`.'),
      row('nameless_area', 'It touches only areas without a name.', 'Name the area to make it a region.'),
      row('no_area', 'It touches no area.')
    ]
  },
  {
    stage: 'gate',
    asks: 'Does it concern the coverage?',
    reasons: [
      row('coverage_off', '`coverage.enabled` is off: everything passes.'),
      row('no_areas', 'No areas: everything passes.'),
      row('excluded_source', 'Its source is in `coverage.excluded_sources`.'),
      row('unlocated', 'Not locatable, and no weather: passes.'),
      row(
        'unlocated_weather',
        'Weather that cannot be located: dropped. From critical on its sender is told.',
        'Name its source in `coverage.everywhere_sources`, or set `everywhere_when_unlocated` of it.'
      ),
      row('everywhere', 'Grave weather without a place: every region, as its source is set.'),
      row(
        'unplaced',
        'Weather below critical whose zones nothing here places: dropped.',
        'Put a zone pack into `zones/`.'
      ),
      row(
        'by_state',
        'Nothing here tells where its zones lie: all areas in their state pass.',
        'Put a zone pack into `zones/`.'
      ),
      row('inside', 'It touches an area.'),
      row('outside', 'It touches no area: dropped.', 'If it should be inside: `lookout tag` with your areas.')
    ]
  },
  {
    stage: 'switch',
    asks: 'Are notifications on?',
    reasons: [row('notifications_off', '`notifications.enabled` is off: recorded, not sent.', 'Switch it on.')]
  },
  {
    stage: 'lifecycle',
    asks: 'Is it the end of an event?',
    reasons: [
      row('withdrawn', 'Messages of the event still waited and are taken back.'),
      row('ended_by_time', 'It ended by time: silent.'),
      row('nothing_to_cancel', 'No channel carries the original any more.'),
      row('already_cancelled', 'The channel has been told of the end.'),
      row('ended_before', 'What the channel was told has ended by itself.'),
      row('replaced', 'The channel hears of what takes its place: a watch that became an advisory.'),
      row('superseded', 'Its thread has something newer about the same places: a late copy changes nothing.')
    ]
  },
  {
    stage: 'cold_start',
    asks: 'Was it there when its source started?',
    reasons: [
      row('cold_start', 'Yes: recorded, not broadcast.'),
      row('in_force', 'In force, critical or above, young and not sent before: told all the same.'),
      row('summary', 'In force, priority or above and not sent before: told in one summary per channel.')
    ]
  },
  {
    stage: 'staleness',
    asks: 'Is it still news?',
    reasons: [
      row('fresh', 'Young enough.'),
      row('in_force', 'Old, but priority or above and in force: told once, with "since".'),
      row('freshness_off', '`freshness_seconds` is 0 for the family.'),
      row('expired', 'It is over: dropped.'),
      row(
        'stale',
        "Older than its family allows, by the source's own time: dropped.",
        'Check the clock, or raise `freshness_seconds`.'
      )
    ]
  },
  {
    stage: 'matrix',
    asks: 'Which cells match?',
    reasons: [
      row('cell', 'The cell matches.'),
      row('drill_channel', 'It is an exercise with channels of its own: the matrix is not asked.'),
      row('matrix_off', '`region_routes.enabled` is off.'),
      row('no_region', 'The event has no region.', 'See the stage `tag`.'),
      row('no_cell', 'No cell, or one without a channel.'),
      row(
        'network_off',
        'The cell matches, and the matrix is off for the network of this channel: nothing is sent there, and nothing else broadcasts it there.',
        'Set `mt_enabled` or `mc_enabled` of `region_routes` to true.'
      ),
      row('cell_disabled', 'The cell is disabled, so it does not match.', 'Enable it.'),
      row(
        'muted',
        'The cell is disabled and muted: it matches, nothing is sent, and nothing else broadcasts it.',
        'Enable it.'
      ),
      row(
        'below_min_severity',
        'Below the floor of the cell. Nothing is sent, and nothing else broadcasts it.',
        'Lower `min_severity` of the cell.'
      ),
      row('authoritative', 'A cell matched: policies and rules do not broadcast this event on the mesh.')
    ]
  },
  {
    stage: 'toggle',
    asks: 'What does the family policy say?',
    reasons: [
      row('family', 'The policy sends it.'),
      row('family_off', 'The policy is not enabled.', 'Only if no cell should do it: enable `toggles[family]`.'),
      row('region_scope', 'None of its regions is in the scope.'),
      row('below_min_severity', 'Below the floor of the policy.'),
      row('no_delivery', 'The policy names no delivery for this severity.')
    ]
  },
  {
    stage: 'rule',
    asks: 'What do the rules say?',
    reasons: [row('rule', 'The rule matched; the detail names what it sends to.')]
  },
  {
    stage: 'destination',
    asks: 'Is the destination usable?',
    reasons: [
      row('unknown_destination', 'No destination has this name.', 'Define it in `notifications.destinations`.'),
      row('incomplete_destination', 'A setting is missing; the detail names it.', 'Add it.'),
      row('digest', 'A digest is no live delivery; this version sends none.')
    ]
  },
  {
    stage: 'silence',
    asks: 'Has somebody silenced it?',
    reasons: [
      row('silenced', 'A silence names its family, region or thread; the detail says whose and until when.'),
      row('immediate', 'It passes: the silence does not include immediate.')
    ]
  },
  {
    stage: 'inhibit',
    asks: 'Does something graver that was sent say the same, for all of its place and as long?',
    reasons: [
      row(
        'inhibited',
        'A warning mutes its watch, or a rule of yours does: held until that is over.',
        '`notifications.inhibition` says what mutes what.'
      )
    ]
  },
  {
    stage: 'cooldown',
    asks: 'Was the region told of this category just now?',
    reasons: [
      row(
        'cooldown',
        'Every region of the channel cools down: held until the first has, then told.',
        'Shorten `toggles[family].cooldown_seconds`; 0 = off.'
      )
    ]
  },
  {
    stage: 'dedup',
    asks: 'Does the channel have it already?',
    reasons: [row('duplicate', 'Yes, and nothing a listener would act on has changed.')]
  },
  {
    stage: 'plan',
    asks: 'What goes out?',
    reasons: [
      row('new', 'The first message of the event on this channel.'),
      row('update', 'Severity, facts or places changed.'),
      row('cancel', 'The end, to the channels that carried it.'),
      row('merged', 'It joins a message that still waits.'),
      row('held_back', 'Held back to stand in for the other network, should that fail.'),
      row('below_min_severity', 'Every matching cell has a higher floor.'),
      row('muted', 'Every matching cell is muted.', 'Enable one of them.'),
      row(
        'network_off',
        'The matrix is off for every network that a matching cell names.',
        'Set `mt_enabled` or `mc_enabled` of `region_routes` to true.'
      ),
      row('no_route', 'No cell, policy or rule sends it.')
    ]
  },
  {
    stage: 'quiet',
    asks: 'Are there quiet hours?',
    reasons: [row('quiet_hours', 'It is held; what is still valid at their end is told in one digest per channel.')]
  },
  {
    stage: 'escalation',
    asks: 'Has anybody acknowledged it? If not, the next step is taken; a step that sends has its type as reason.',
    reasons: [
      row('repeat', 'The same text once more on its channels.'),
      row('other_network', 'The channel on the other network is told.'),
      row('dm', 'The addressees of the step are told.'),
      row('webhook', 'The destination of the step is told.'),
      row('nothing_to_send', 'The step has nobody to tell.', 'Correct `notifications.escalation`.'),
      row('still_waiting', 'The channel has not even had it once, so it is not repeated.'),
      row('over', 'The event is over: nothing more follows.')
    ]
  },
  { stage: 'reminder', asks: 'Does it still go on?', reasons: [row('still_goes_on', 'It is said again: `STILL`.')] },
  {
    stage: 'fallback',
    asks: 'Did the first network fail? Then the other stands in.',
    reasons: [
      row('radio_down', 'The first was held too long: this channel takes over.', 'Mend the radio.'),
      row('refused', 'The radio of the first refused it five times running: this channel takes over.'),
      row('unanswered', 'The radio of the first left three tries running without an answer: this channel takes over.'),
      row('no_word', 'The first was sent and nobody was heard: this channel takes over.'),
      row('heard', 'Not needed: the first got through.'),
      row('over', 'Not needed: the event is over.'),
      row('expired', 'It waited longer than it was worth sending.')
    ]
  }
]

/** The meaning of a change of a delivery, for docs/states.md. */
export const CHANGE_WORDS: Record<DeliveryChange, string> = {
  wait: 'It is its turn, and it waits for pace, airtime or a free channel.',
  hold: 'It cannot leave, or must not yet.',
  free: 'What held it is over.',
  hand_over: 'The radio or the server gets it; stored before.',
  part_left: 'One part of several left; the next waits.',
  left: 'The last part left, or the server took it.',
  offer_again: 'No answer came, or nobody was heard: it is offered again.',
  renew: 'Receivers may have forgotten the packet: a new one, marked as a repeat.',
  try_again: 'A server did not answer.',
  refuse: 'The radio said no, so nothing of this try was on the air.',
  fail: 'It cannot be sent, and nobody can have heard it.',
  lose: 'It will not be said again, and may have been heard.',
  leave_unconfirmed: 'It was on the air and will not be said again.',
  unheard: 'Nobody was heard repeating it in the time there was.',
  hear: 'Somebody repeated it.',
  hear_part: 'Somebody repeated an earlier part of it.',
  deliver: 'Its addressee acknowledged it.',
  stand_down: 'Another station was heard saying it.',
  suppress: 'It is not to be said: silenced, over, said already, taken back.',
  expire: 'It waited longer than it was worth.',
  merge: 'It is told in another message of its channel.'
}
