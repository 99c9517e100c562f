import type { DECISION_CODES, FOLLOWING_CODES } from '../reasons/decision.ts'
import type { SentencesOf } from './sentence.ts'

export const DECISION_SENTENCES: SentencesOf<typeof DECISION_CODES> = {
  tag_off: { en: 'Region tagging is off.', de: 'Das Zuordnen der Regionen ist ausgeschaltet.' },
  tag_no_areas: { en: 'No coverage areas are configured.', de: 'Es sind keine Gebiete eingerichtet.' },
  tag_kept: {
    en: 'The event came with its regions: {regions}.',
    de: 'Das Ereignis kam mit seinen Regionen: {regions}.'
  },
  touches: { en: '{how} touches {regions}.', de: '{how}: berührt {regions}.' },
  touches_noted: { en: '{how} touches {regions} ({notes}).', de: '{how}: berührt {regions} ({notes}).' },
  touches_nameless: { en: '{how} touches only areas without a name.', de: '{how}: berührt nur Gebiete ohne Namen.' },
  touches_nameless_noted: {
    en: '{how} touches only areas without a name ({notes}).',
    de: '{how}: berührt nur Gebiete ohne Namen ({notes}).'
  },
  touches_none: { en: '{how} touches no area.', de: '{how}: berührt kein Gebiet.' },
  touches_none_noted: { en: '{how} touches no area ({notes}).', de: '{how}: berührt kein Gebiet ({notes}).' },
  by_county: { en: 'by county, not by zone', de: 'nach Landkreisen, nicht nach Zonen' },
  no_outline: { en: 'no outline known for {codes}', de: 'kein Umriss bekannt für {codes}' },
  outline_thinned: {
    en: 'its outline was too long and was thinned',
    de: 'sein Umriss war zu lang und wurde vereinfacht'
  },
  and_also: { en: '{first}; {second}', de: '{first}; {second}' },
  state_told: {
    en: '{why} So all of its state is told: {regions}.',
    de: '{why} Darum erfährt es der ganze Bundesstaat: {regions}.'
  },
  says_no_place: { en: 'The event says nowhere where it is.', de: 'Das Ereignis sagt nirgends, wo es ist.' },
  codes_unknown: {
    en: 'The outlines of its codes are not known: {codes}.',
    de: 'Die Umrisse seiner Codes sind nicht bekannt: {codes}.'
  },
  unplaced_codes: { en: 'Nothing here tells where {codes} lies.', de: 'Nichts sagt hier, wo {codes} liegt.' },
  unplaced_codes_more: {
    en: 'Nothing here tells where {codes} and {more} more lies.',
    de: 'Nichts sagt hier, wo {codes} und {more} weitere liegen.'
  },
  coverage_off: {
    en: 'Coverage is off: events from everywhere pass.',
    de: 'Die Gebiete sind ausgeschaltet: Ereignisse von überall kommen durch.'
  },
  coverage_empty: {
    en: 'No coverage areas are configured: all events pass.',
    de: 'Es sind keine Gebiete eingerichtet: alle Ereignisse kommen durch.'
  },
  source_has_own_scope: {
    en: 'Source {source} has a scope of its own and skips the gate.',
    de: 'Die Quelle {source} hat ihr eigenes Gebiet und wird hier nicht gefragt.'
  },
  inside_area: { en: 'The event touches a coverage area.', de: 'Das Ereignis berührt ein Gebiet.' },
  state_passes: {
    en: '{why} So all areas in its state are told.',
    de: '{why} Darum erfahren es alle Gebiete im Bundesstaat.'
  },
  import_zones: {
    en: '{why} Import a zone pack: lookout zones import.',
    de: '{why} Ein Zonenpaket einlesen: lookout zones import.'
  },
  no_usable_place: { en: 'The event has no usable location.', de: 'Das Ereignis hat keinen brauchbaren Ort.' },
  weather_without_place: {
    en: 'Weather without a usable location is not for anyone in particular.',
    de: 'Wetter ohne brauchbaren Ort betrifft niemanden im Besonderen.'
  },
  outside_areas: {
    en: 'The event lies outside every coverage area.',
    de: 'Das Ereignis liegt außerhalb jedes Gebiets.'
  },
  told_everywhere: {
    en: '{why} So every region is told, as its source is set.',
    de: '{why} Darum erfährt es jede Region, wie es bei der Quelle eingestellt ist.'
  },
  switched_off: {
    en: 'notifications are switched off (notifications.enabled): nothing is sent',
    de: 'Benachrichtigungen sind ausgeschaltet (notifications.enabled): nichts wird gesendet'
  },
  belongs_to: {
    en: 'belongs to {thread}, which an earlier message it refers to started',
    de: 'gehört zu {thread}: eine frühere Meldung, auf die es sich bezieht, hat das begonnen'
  },
  same_hazard: {
    en: '{source} told the same hazard for the same place and time: belongs to {thread}',
    de: '{source} meldete dieselbe Gefahr für denselben Ort und dieselbe Zeit: gehört zu {thread}'
  },
  still_told: {
    en: '{source} still tells of {thread}: an end of the copy alone does not end it',
    de: '{source} meldet {thread} weiterhin: das Ende der Kopie allein beendet es nicht'
  },
  newer_known: {
    en: '{sources} has sent something newer about the same places: this one comes late and changes nothing',
    de: '{sources} hat Neueres über dieselben Orte gesendet: dieses kommt zu spät und ändert nichts'
  },
  told_at_start: {
    en: 'in force, {severity} and not sent before: told although its source has just started',
    de: 'in Kraft, {severity} und noch nicht gesendet: gemeldet, obwohl die Quelle gerade erst begonnen hat'
  },
  told_in_summary: {
    en: 'in force, {severity} and not sent before: told in the summary of what is in force',
    de: 'in Kraft, {severity} und noch nicht gesendet: gemeldet in der Zusammenfassung dessen, was in Kraft ist'
  },
  known_at_start: {
    en: 'listed when its source started: recorded, not broadcast',
    de: 'beim Start der Quelle schon da: gespeichert, nicht gesendet'
  },
  over_since: { en: 'it ended at {expires}: too late to tell', de: 'es endete um {expires}: zu spät für eine Meldung' },
  freshness_off: {
    en: 'staleness is switched off for this family',
    de: 'das Veralten ist für diese Familie ausgeschaltet'
  },
  fresh: { en: '{age} s old, limit {limit} s', de: '{age} s alt, Grenze {limit} s' },
  old_in_force: {
    en: '{age} s old, but {severity} and in force until {expires}',
    de: '{age} s alt, aber {severity} und in Kraft bis {expires}'
  },
  stale: {
    en: '{age} s old: more than the {limit} s after which {family} is not news',
    de: '{age} s alt: mehr als die {limit} s, nach denen {family} nicht mehr neu ist'
  },
  ends_withdrawn: {
    en: '{count} end(s) of it still waited and are withdrawn: it goes on again',
    de: {
      by: 'count',
      one: '{count} Ende davon wartete noch und wird zurückgezogen: es geht weiter',
      other: '{count} Enden davon warteten noch und werden zurückgezogen: es geht weiter'
    }
  },
  waiting_withdrawn: {
    en: '{count} message(s) of this event still waited and are withdrawn where it is over',
    de: {
      by: 'count',
      one: '{count} Nachricht zu diesem Ereignis wartete noch und wird zurückgezogen, wo es vorbei ist',
      other: '{count} Nachrichten zu diesem Ereignis warteten noch und werden zurückgezogen, wo es vorbei ist'
    }
  },
  ended_silently: { en: 'ended by time: silent', de: 'von selbst geendet: still' },
  cancel_recorded: {
    en: 'notifications are switched off: the cancel is recorded, not sent',
    de: 'Benachrichtigungen sind ausgeschaltet: das Ende wird gespeichert, nicht gesendet'
  },
  nothing_to_cancel: {
    en: 'no channel carries the original any more: nothing to cancel',
    de: 'kein Kanal trägt die ursprüngliche Meldung noch: nichts zu widerrufen'
  },
  channel_told_end: { en: '{channel} has been told of the end', de: '{channel} hat vom Ende erfahren' },
  channel_hears_heir: {
    en: '{channel} hears of what takes its place',
    de: '{channel} erfährt, was an seine Stelle tritt'
  },
  channel_ended_itself: {
    en: 'what {channel} was told has ended by itself',
    de: 'was {channel} erfuhr, ist von selbst geendet'
  },
  cancel_to: { en: 'cancel to {channels}, which carried it', de: 'Widerruf an {channels}: dort wurde es gemeldet' },
  matrix_off: { en: 'the region matrix is switched off', de: 'die Matrix der Regionen ist ausgeschaltet' },
  no_region: {
    en: 'the event carries no region, so no cell can match',
    de: 'das Ereignis trägt keine Region, also passt keine Zelle'
  },
  no_cell: { en: '{family} × {region} has no cell', de: '{family} × {region} hat keine Zelle' },
  cell_muted: {
    en: 'the cell {family} × {region} is muted: nothing is sent, and nothing else broadcasts it',
    de: 'die Zelle {family} × {region} ist stumm: nichts wird gesendet, und nichts anderes sendet es'
  },
  cell_disabled: {
    en: 'the cell {family} × {region} is disabled: enable it to send',
    de: 'die Zelle {family} × {region} ist ausgeschaltet: zum Senden einschalten'
  },
  cell_network_off: {
    en: 'the matrix is off for {network}: {family} × {region} sends nothing to {channel}, and nothing else broadcasts it there',
    de: 'die Matrix ist für {network} aus: {family} × {region} sendet nichts an {channel}, und nichts anderes sendet es dort'
  },
  below_cell_floor: {
    en: '{severity} is below the floor {floor} of {family} × {region}: nothing is sent',
    de: '{severity} liegt unter der Schwelle {floor} von {family} × {region}: nichts wird gesendet'
  },
  drill_channels: {
    en: 'an exercise keeps to its own channels: {channels}',
    de: 'eine Übung bleibt auf ihren eigenen Kanälen: {channels}'
  },
  cell_sends: { en: '{family} × {region} → {channels}', de: '{family} × {region} → {channels}' },
  cell_falls_back: {
    en: '{family} × {region} → {first}, else {second}',
    de: '{family} × {region} → {first}, sonst {second}'
  },
  matrix_decides: {
    en: 'the matrix decides alone: nothing else broadcasts this event on the mesh',
    de: 'die Matrix entscheidet allein: nichts anderes sendet dieses Ereignis über Funk'
  },
  family_off: {
    en: 'the family {family} is not enabled outside the matrix',
    de: 'die Familie {family} ist außerhalb der Matrix nicht eingeschaltet'
  },
  out_of_scope: {
    en: 'none of its regions is in the scope {regions}',
    de: 'keine seiner Regionen gehört zu {regions}'
  },
  below_family_floor: {
    en: '{severity} is below the floor {floor} of {family}',
    de: '{severity} liegt unter der Schwelle {floor} von {family}'
  },
  family_no_delivery: {
    en: '{family} names no delivery for {severity}',
    de: '{family} nennt keine Zustellung für {severity}'
  },
  family_sends: { en: '{family} → {channels}', de: '{family} → {channels}' },
  rule_sends: { en: 'rule "{rule}" → {channels}', de: 'Regel „{rule}“ → {channels}' },
  rule_sends_nothing: { en: 'rule "{rule}" → nothing', de: 'Regel „{rule}“ → nichts' },
  destination_undefined: {
    en: 'destination "{destination}" is not defined: add it to notifications.destinations or remove the name',
    de: 'das Ziel „{destination}“ ist nicht eingerichtet: in notifications.destinations eintragen oder den Namen entfernen'
  },
  needs_setting: { en: '{type} needs {setting}', de: '{type} braucht {setting}' },
  needs_mt_index: {
    en: '{type} needs broadcast_channel, a Meshtastic index (0 is a channel, null is none)',
    de: '{type} braucht broadcast_channel, eine Kanalnummer (0 ist ein Kanal, null ist keiner)'
  },
  needs_mc_name: {
    en: '{type} needs meshcore_channel, a MeshCore channel name',
    de: '{type} braucht meshcore_channel, den Namen eines MeshCore-Kanals'
  },
  needs_mail: {
    en: '{type} needs smtp_host, from_address and recipients',
    de: '{type} braucht smtp_host, from_address und recipients'
  },
  digest_is_not_live: {
    en: 'a digest collects; it is no live delivery',
    de: 'ein Digest sammelt; er stellt nicht sofort zu'
  },
  no_route: {
    en: 'no cell, family policy or rule sends this event',
    de: 'keine Zelle, Richtlinie oder Regel sendet dieses Ereignis'
  },
  all_floors_higher: {
    en: 'every matching cell has a higher floor',
    de: 'jede passende Zelle hat eine höhere Schwelle'
  },
  all_networks_off: {
    en: 'every network that a matching cell names is switched off in the matrix',
    de: 'jedes Netz, das eine passende Zelle nennt, ist in der Matrix ausgeschaltet'
  },
  all_cells_muted: { en: 'every matching cell is muted', de: 'jede passende Zelle ist stumm' },
  silence_of: { en: 'silence {id} of {of}', de: 'Stummschaltung {id} ({of})' },
  silence_of_event: { en: 'silence {id} of this event', de: 'Stummschaltung {id} dieses Ereignisses' },
  silence_of_event_within: {
    en: 'silence {id} of {of} in this event',
    de: 'Stummschaltung {id} dieses Ereignisses ({of})'
  },
  passes_silence: {
    en: 'immediate passes {silence}, which does not include it',
    de: 'die höchste Stufe kommt durch: {silence} gilt nicht für sie'
  },
  silenced: { en: '{silence} by {author} until {until}', de: '{silence} von {author} bis {until}' },
  silenced_because: {
    en: '{silence} by {author} ({said}) until {until}',
    de: '{silence} von {author} ({said}) bis {until}'
  },
  inhibited: { en: '{by} is in force in {region}: {rule}', de: '{by} ist in {region} in Kraft: {rule}' },
  inhibited_by_warning: {
    en: '{by} is in force in {region}: a warning mutes its watch',
    de: '{by} ist in {region} in Kraft: eine Warnung ersetzt ihre Vorwarnung'
  },
  nothing_new: {
    en: '{channel} has this already: nothing a listener would act on has changed',
    de: '{channel} hat das schon: nichts, wonach sich jemand richten würde, hat sich geändert'
  },
  joins_waiting: {
    en: 'joins message {id}, which still waits for {channel}',
    de: 'geht in Nachricht {id} auf, die noch auf {channel} wartet'
  },
  sent_before_as: { en: 'sent before under [{source}, {key}]', de: 'schon gesendet als [{source}, {key}]' },
  cools_down: {
    en: 'held until {until}: every region of {channel} cools down after the last {category}',
    de: 'zurückgehalten bis {until}: für jede Region von {channel} läuft die Sperrzeit nach der letzten Meldung ({category})'
  },
  planned: { en: '{kind} to {channel}', de: '{kind} an {channel}' },
  planned_for: { en: '{kind} to {channel} for {regions}', de: '{kind} an {channel} für {regions}' },
  kept_as_fallback: {
    en: '{channel} is held back: it takes over when {primaries} is down, fails or nobody is heard there',
    de: '{channel} wird zurückgehalten: springt ein, wenn {primaries} ausfällt, scheitert oder dort niemand zu hören ist'
  },
  quiet_until: {
    en: 'waits for the end of the quiet hours at {until}',
    de: 'wartet bis zum Ende der Ruhezeit: {until}'
  }
}

export const FOLLOWING_SENTENCES: SentencesOf<typeof FOLLOWING_CODES> = {
  step_tells: {
    en: 'step {step}, {type}: nobody has acknowledged it, so {channel} is told',
    de: 'Schritt {step}, {type}: niemand hat es bestätigt, darum erfährt es {channel}'
  },
  still_goes_on: {
    en: 'it goes on, and was not said for {hours} hours, so {channel} is reminded',
    de: 'es geht weiter und wurde seit {hours} Stunden nicht gesagt, darum wird {channel} erinnert'
  },
  step_tells_nobody: {
    en: 'step {step}, {type}: there is nobody to tell by it',
    de: 'Schritt {step}, {type}: es gibt niemanden, der so zu erreichen ist'
  },
  step_not_had_once: {
    en: 'step {step}, repeat: {channel} has not even had it once, so it is not repeated',
    de: 'Schritt {step}, repeat: {channel} hat es noch nicht einmal gehabt, darum wird es nicht wiederholt'
  },
  step_no_destination: {
    en: 'step {step}, webhook: "{destination}" is no destination of type webhook, ntfy or email',
    de: 'Schritt {step}, webhook: „{destination}“ ist kein Ziel der Art webhook, ntfy oder email'
  },
  follow_up_ended: { en: 'nothing more follows: {why}', de: 'nichts folgt mehr: {why}' },
  fallback_over: {
    en: '{channel} is not needed: the event is over',
    de: '{channel} wird nicht gebraucht: das Ereignis ist vorbei'
  },
  fallback_too_late: {
    en: '{channel} waited longer than it was worth sending',
    de: '{channel} wartete länger, als es das Senden wert war'
  },
  fallback_blocked: { en: '{channel} does not take over: {why}', de: '{channel} springt nicht ein: {why}' },
  fallback_not_needed: {
    en: '{channel} is not needed: {primaries} got through',
    de: '{channel} wird nicht gebraucht: {primaries} kam durch'
  },
  primary_ended: {
    en: '{channel} ended {state}: this channel takes over',
    de: '{channel} endete: {state}. Dieser Kanal springt ein'
  },
  primary_ended_as: {
    en: '{channel} ended {state} ({reason}): this channel takes over',
    de: '{channel} endete: {state} ({reason}). Dieser Kanal springt ein'
  },
  primary_refused: {
    en: '{channel} was refused again and again: this channel takes over',
    de: '{channel} wurde immer wieder abgelehnt: dieser Kanal springt ein'
  },
  primary_refused_as: {
    en: '{channel} was refused again and again ({reason}): this channel takes over',
    de: '{channel} wurde immer wieder abgelehnt ({reason}): dieser Kanal springt ein'
  },
  primary_unanswered: {
    en: '{channel} stays without an answer of its radio: this channel takes over',
    de: '{channel} bleibt ohne Antwort des Funkgeräts: dieser Kanal springt ein'
  },
  primary_held: {
    en: '{channel} has been held for {seconds} s: this channel takes over',
    de: '{channel} wird seit {seconds} s zurückgehalten: dieser Kanal springt ein'
  },
  primary_held_as: {
    en: '{channel} has been held for {seconds} s ({reason}): this channel takes over',
    de: '{channel} wird seit {seconds} s zurückgehalten ({reason}): dieser Kanal springt ein'
  },
  primary_unheard: {
    en: '{channel} was sent, and nobody was heard for 5 minutes',
    de: '{channel} wurde gesendet, und 5 Minuten lang war niemand zu hören'
  },
  rows_lost: {
    en: 'rows of lookout.db were lost: what a channel may lack is decided anew',
    de: 'Zeilen von lookout.db gingen verloren: was einem Kanal fehlen kann, wird neu entschieden'
  },
  clock_set: {
    en: 'the clock was set: what was not told because of a time is decided anew',
    de: 'die Uhr wurde gestellt: was einer Zeit wegen nicht gemeldet wurde, wird neu entschieden'
  }
}
