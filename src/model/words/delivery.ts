import type { DELIVERY_CODES } from '../reasons/delivery.ts'
import type { SentencesOf } from './sentence.ts'

export const DELIVERY_SENTENCES: SentencesOf<typeof DELIVERY_CODES> = {
  accepted: { en: 'accepted', de: 'angenommen' },
  joined: { en: 'joined message {id}', de: 'geht in Nachricht {id} auf' },
  told_in_digest: {
    en: 'told with others in message {id} to {channel}',
    de: 'mit anderen in Nachricht {id} an {channel} gesagt'
  },
  held_until: { en: 'held until {until}', de: 'zurückgehalten bis {until}' },
  released: { en: 'no longer held', de: 'nicht mehr zurückgehalten' },
  released_quiet: {
    en: 'no longer held by the quiet hours',
    de: 'nicht mehr von den Ruhezeiten zurückgehalten'
  },
  withdrawn: {
    en: 'not sent: the event was {was} while the message waited',
    de: 'nicht gesendet: das Ereignis wurde {was}, während die Nachricht wartete'
  },
  silenced_waiting: { en: 'silenced while it waited', de: 'stummgeschaltet, während sie wartete' },
  silenced_held: { en: 'silenced while it was held', de: 'stummgeschaltet, während sie zurückgehalten wurde' },
  matrix_off_held: {
    en: 'the matrix was switched off while it was held',
    de: 'die Matrix wurde ausgeschaltet, während sie zurückgehalten wurde'
  },
  network_off_held: {
    en: 'the matrix was switched off for {network} while it was held',
    de: 'die Matrix wurde für {network} ausgeschaltet, während sie zurückgehalten wurde'
  },
  ended_quietly: { en: 'it ended during the quiet hours', de: 'es endete während der Ruhezeiten' },
  over_before_due: { en: 'it was over before it might go', de: 'es war vorbei, bevor sie hinaus durfte' },
  nothing_left: {
    en: 'everything it would have told of is over',
    de: 'alles, wovon sie berichtet hätte, ist vorbei'
  },
  too_late: { en: 'waited longer than it was worth sending', de: 'wartete länger, als das Senden lohnte' },
  superseded_unstored: {
    en: 'its channel was told something newer of the event while nothing could be stored',
    de: 'ihr Kanal erfuhr Neueres über das Ereignis, während nichts gespeichert werden konnte'
  },
  said_before: {
    en: 'message {id} said the same here, and nothing has changed since',
    de: 'Nachricht {id} sagte hier dasselbe, und seither hat sich nichts geändert'
  },
  slot_own: {
    en: 'this station stands by and begins only in its slot, from {until}',
    de: 'diese Station springt ein und beginnt nur in ihrem Zeitfenster, ab {until}'
  },
  slot_others: {
    en: 'until {until} a station that stands by may be speaking: two texts must not meet on the air',
    de: 'bis {until} kann eine einspringende Station sprechen: zwei Texte dürfen einander nicht kreuzen'
  },
  said_by_peer: {
    en: 'station {peer} was heard saying it here (#{tag})',
    de: 'die Station {peer} wurde hier damit gehört (#{tag})'
  },
  not_of_peers: {
    en: 'the stations before this one say over the network that they will not say it: the wait ends at {until}',
    de: 'die Stationen davor sagen über das Netz, dass sie es nicht sagen werden: Das Warten endet um {until}'
  },
  coming_of_peer: {
    en: 'a station before this one says over the network that it has yet to say it: it is listened for until {until}',
    de: 'eine Station davor sagt über das Netz, dass sie es noch sagen wird: Auf sie wird bis {until} gehört'
  },
  notifications_off: {
    en: 'notifications are switched off (notifications.enabled): it waits for them, or for its end',
    de: 'Benachrichtigungen sind ausgeschaltet (notifications.enabled): sie wartet auf sie oder auf ihr Ende'
  },
  notifications_on: { en: 'notifications are on again', de: 'Benachrichtigungen sind wieder eingeschaltet' },
  way_free: { en: 'the way is free again', de: 'der Weg ist wieder frei' },
  no_radio_configured: { en: 'no {network} radio is configured', de: 'kein Funkgerät für {network} ist eingerichtet' },
  radio_not_ready: { en: 'radio {radio} is {state}: {said}', de: 'Funkgerät {radio}: {state} ({said})' },
  no_channel_index: {
    en: 'radio {radio} has no channel index {channel}: not sent',
    de: 'Funkgerät {radio} hat keinen Kanal mit der Nummer {channel}: nicht gesendet'
  },
  no_channel_named: {
    en: 'radio {radio} has no channel named {channel}: not sent',
    de: 'Funkgerät {radio} hat keinen Kanal namens {channel}: nicht gesendet'
  },
  channel_disabled: {
    en: 'channel {channel} is disabled on radio {radio}: not sent',
    de: 'Kanal {channel} ist auf Funkgerät {radio} ausgeschaltet: nicht gesendet'
  },
  channel_busy: {
    en: 'waits: the channel of {radio} is busy {percent} % of the time',
    de: 'wartet: der Kanal von {radio} ist {percent} % der Zeit belegt'
  },
  airtime_spent: {
    en: 'waits for airtime: the hourly budget of {radio} is spent',
    de: 'wartet auf Sendezeit: das Stundenbudget von {radio} ist verbraucht'
  },
  reply_airtime_spent: {
    en: 'waits for airtime: what answers may take of the hour of {radio} is spent',
    de: 'wartet auf Sendezeit: was Antworten von der Stunde von {radio} nehmen dürfen, ist verbraucht'
  },
  no_text: {
    en: 'no text could be composed: see the log',
    de: 'es konnte kein Text verfasst werden: siehe Protokoll'
  },
  handed_over: { en: 'handed to the radio', de: 'dem Funkgerät übergeben' },
  handed_over_again: {
    en: 'handed to the radio again, same identity',
    de: 'dem Funkgerät noch einmal übergeben, unter derselben Kennung'
  },
  handed_over_bell: {
    en: 'handed to the radio, with the bell',
    de: 'dem Funkgerät übergeben, mit dem Klingelzeichen'
  },
  handed_over_beside: {
    en: 'handed to the radio; an alert packet with the same words follows',
    de: 'dem Funkgerät übergeben; ein Alarmpaket mit denselben Worten folgt'
  },
  handed_over_instead: {
    en: 'handed to the radio as an alert packet in place of a text: not every app shows one',
    de: 'dem Funkgerät als Alarmpaket statt als Text übergeben: Nicht jede App zeigt eines'
  },
  handed_over_capped: {
    en: 'handed to the radio as plain text: {most} message(s) rang on this channel in 24 hours, as many as may',
    de: {
      by: 'most',
      one: 'dem Funkgerät als bloßer Text übergeben: {most} Nachricht auf diesem Kanal hat in 24 Stunden geklingelt, mehr dürfen nicht',
      other:
        'dem Funkgerät als bloßer Text übergeben: {most} Nachrichten auf diesem Kanal haben in 24 Stunden geklingelt, mehr dürfen nicht'
    }
  },
  handed_over_close: {
    en: 'handed to the radio as plain text: it takes one alert packet in 10 s, and a warning waits for none',
    de: 'dem Funkgerät als bloßer Text übergeben: Es nimmt ein Alarmpaket in 10 s, und eine Warnung wartet auf keines'
  },
  waypoint_outdated: {
    en: 'the alert was told anew before its mark on the map could go',
    de: 'der Alarm wurde neu gemeldet, bevor seine Marke auf der Karte hinaus konnte'
  },
  packet_outdated: {
    en: 'not sent: the channel was told something newer of the event meanwhile',
    de: 'nicht gesendet: Der Kanal erfuhr inzwischen Neueres über das Ereignis'
  },
  left_radio: { en: 'left the radio', de: 'hat das Funkgerät verlassen' },
  left_simulated: { en: 'left the simulated radio', de: 'hat das simulierte Funkgerät verlassen' },
  part_left: {
    en: 'part {part} of {count} left the radio',
    de: 'Teil {part} von {count} hat das Funkgerät verlassen'
  },
  heard: { en: 'repeated by a neighbour', de: 'von einem Nachbarn weitergegeben' },
  heard_by: { en: 'repeated by {by}', de: 'von {by} weitergegeben' },
  part_heard: {
    en: 'an earlier part was repeated by a neighbour',
    de: 'ein früherer Teil wurde von einem Nachbarn weitergegeben'
  },
  part_heard_by: { en: 'an earlier part was repeated by {by}', de: 'ein früherer Teil wurde von {by} weitergegeben' },
  earlier_heard: {
    en: 'an earlier try of it was repeated by a neighbour',
    de: 'ein früherer Versuch wurde von einem Nachbarn weitergegeben'
  },
  acknowledged: { en: 'acknowledged by its addressee', de: 'vom Empfänger bestätigt' },
  nobody_heard: {
    en: 'nobody was heard repeating it: normal where no other node is in reach',
    de: 'niemand gab sie hörbar weiter: normal, wo kein anderes Gerät in Reichweite ist'
  },
  radio_said: { en: '{said}', de: '{said}' },
  no_word: {
    en: 'no word came of it in the time there was: nobody is known to have heard it',
    de: 'in der verfügbaren Zeit kam keine Rückmeldung: niemand hat sie nachweislich gehört'
  },
  unheard_again: {
    en: 'nobody was heard repeating it: tried again',
    de: 'niemand gab sie hörbar weiter: noch einmal versucht'
  },
  renewed: {
    en: 'receivers may have forgotten it by now: said again as a new packet, marked as a repeat',
    de: 'Empfänger können sie inzwischen vergessen haben: als neues Paket wiederholt und so gekennzeichnet'
  },
  unanswered_again: {
    en: 'outcome unknown ({said}): offered again',
    de: 'Ausgang unbekannt ({said}): noch einmal angeboten'
  },
  unanswered_lost: { en: '{said}: it may have been heard', de: '{said}: sie kann gehört worden sein' },
  refused: { en: 'refused: {said}', de: 'abgelehnt: {said}' },
  refused_for_now: { en: 'refused: {said}; tried again later', de: 'abgelehnt: {said}; später noch einmal versucht' },
  cut_off_again: {
    en: 'cut off while transmitting: offered again',
    de: 'beim Senden abgebrochen: noch einmal angeboten'
  },
  cut_off_lost: {
    en: 'cut off while transmitting: it may have been heard, so it is not repeated',
    de: 'beim Senden abgebrochen: sie kann gehört worden sein und wird nicht wiederholt'
  },
  not_worth_again: {
    en: 'not offered again: it may have been heard, and is not worth saying twice any more',
    de: 'nicht noch einmal angeboten: sie kann gehört worden sein und lohnt keine Wiederholung mehr'
  },
  over_unsaid: { en: 'not sent: the event is over', de: 'nicht gesendet: das Ereignis ist vorbei' },
  over_said: {
    en: 'not said again: the event is over, or something newer was said',
    de: 'nicht wiederholt: das Ereignis ist vorbei, oder Neueres wurde gesagt'
  },
  no_destination: {
    en: '{destination} is no longer in the configuration',
    de: '{destination} steht nicht mehr in der Konfiguration'
  },
  sending_by: { en: 'sending by {transport}', de: 'wird über {transport} gesendet' },
  server_took: { en: 'accepted by the server', de: 'vom Server angenommen' },
  server_answered: { en: 'the server answered {status}', de: 'der Server antwortete {status}' },
  server_refused: { en: '{said}', de: '{said}' },
  server_refused_for_now: { en: '{said}; tried again later', de: '{said}; später noch einmal versucht' }
}
