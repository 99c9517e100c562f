import type { SOURCES_CODES } from '../reasons/sources.ts'
import type { SentencesOf } from './sentence.ts'

export const SOURCES_SENTENCES: SentencesOf<typeof SOURCES_CODES> = {
  source_off: {
    en: 'it is switched off in the configuration (enabled: false)',
    de: 'sie ist in der Konfiguration ausgeschaltet (enabled: false)'
  },
  nothing_asked: { en: 'nothing is asked in this mode', de: 'in dieser Betriebsart wird nichts gefragt' },
  being_started: { en: 'it is being started', de: 'sie wird gestartet' },
  cannot_be_started: { en: 'it cannot be started: {why}', de: 'sie lässt sich nicht starten: {why}' },
  source_unknown: { en: 'no source is named "{source}"', de: 'keine Quelle heißt „{source}“' },
  source_sends_itself: {
    en: '{source} is not asked: it sends by itself, and Lookout listens all the time',
    de: '{source} wird nicht gefragt: sie sendet von selbst, und Lookout hört immer zu'
  },
  source_is_off: { en: '{source} is off: {why}', de: '{source} ist aus: {why}' },
  lookout_stopping: { en: 'Lookout is stopping', de: 'Lookout wird beendet' },
  asked_too_soon: {
    en: '{source} may not be asked again so soon: its provider sets the least interval',
    de: '{source} darf nicht so bald wieder gefragt werden: der Anbieter bestimmt den kleinsten Abstand'
  },
  waits_for_network: {
    en: 'waits for the network: no feed can be reached',
    de: 'wartet auf das Netz: keine Quelle ist erreichbar'
  },
  read_unexpectedly: {
    en: 'reading it failed unexpectedly: the log says more',
    de: 'das Lesen schlug unerwartet fehl: das Protokoll sagt mehr'
  },
  wants_contact: {
    en: 'its provider wants to know whom to call: set station.contact to an e-mail or web address',
    de: 'der Anbieter will wissen, an wen er sich wenden kann: setzen Sie station.contact auf eine E-Mail- oder Webadresse'
  },
  mqtt_needs_broker: {
    en: 'It has no broker. Set url to its address, such as mqtt://broker.example.',
    de: 'Sie hat keinen Broker. Setzen Sie url auf seine Adresse, etwa mqtt://broker.example.'
  },
  mqtt_needs_topics: {
    en: 'It has no topics. Name under topics what to listen to.',
    de: 'Sie hat keine Themen. Nennen Sie unter topics, worauf gehört wird.'
  },
  needs_country: {
    en: 'It has no country. Set country, such as germany or united-kingdom.',
    de: 'Sie hat kein Land. Setzen Sie country, etwa germany oder united-kingdom.'
  },
  needs_state: {
    en: 'It has no state. Set state to nsw, qld, tas or wa.',
    de: 'Sie hat keinen Bundesstaat. Setzen Sie state auf nsw, qld, tas oder wa.'
  },
  needs_cap_address: {
    en: 'It has no address. Set url to that of the index or of the alerts.',
    de: 'Sie hat keine Adresse. Setzen Sie url auf die der Liste oder der Warnungen.'
  },
  needs_server_host: {
    en: 'It has no host. Set host to the name of the server.',
    de: 'Sie hat keinen Rechner. Setzen Sie host auf den Namen des Servers.'
  },
  needs_receiver_folder: {
    en: 'It has no folder. Set folder to where the receiver writes.',
    de: 'Sie hat keinen Ordner. Setzen Sie folder auf den, in den der Empfänger schreibt.'
  },
  needs_receiver_host: {
    en: 'It has no host. Set host to the name or address of the receiver.',
    de: 'Sie hat keinen Rechner. Setzen Sie host auf Namen oder Adresse des Empfängers.'
  },
  needs_states: {
    en: 'name states (area), zones or a point: the alerts of the whole country are not asked for',
    de: 'nennen Sie Bundesstaaten (area), Zonen oder einen Punkt: die Warnungen des ganzen Landes werden nicht geholt'
  },
  needs_gauges: {
    en: 'Name gauges, or a box of them in bbox.',
    de: 'Nennen Sie Pegel, oder ein Rechteck davon in bbox.'
  },
  needs_sites: {
    en: 'Name the gauges in sites, each with its flood stages.',
    de: 'Nennen Sie die Pegel in sites, jeden mit seinen Hochwasserstufen.'
  },
  needs_rss_address: {
    en: 'It has no address. Set url to that of the RSS or Atom feed.',
    de: 'Sie hat keine Adresse. Setzen Sie url auf die des RSS- oder Atom-Feeds.'
  },
  needs_listing_address: {
    en: 'Set url to the address of the listing.',
    de: 'Setzen Sie url auf die Adresse der Liste.'
  },
  needs_map_key: {
    en: 'map_key is missing: get one at firms.modaps.eosdis.nasa.gov/api/map_key, or set url to a file that needs none.',
    de: 'map_key fehlt: Sie bekommen einen unter firms.modaps.eosdis.nasa.gov/api/map_key, oder setzen Sie url auf eine Datei, die keinen braucht.'
  },
  needs_observer: {
    en: 'Name at least one observer: a region with latitude and longitude.',
    de: 'Nennen Sie mindestens einen Beobachter: eine Region mit Breite und Länge.'
  },
  nats_needs_server: {
    en: 'It has no server. Name the hub under servers, such as nats://hub.example:4222.',
    de: 'Sie hat keinen Server. Nennen Sie den Hub unter servers, etwa nats://hub.example:4222.'
  },
  nats_needs_stream: {
    en: 'It has no stream. Set stream to the name the hub gives it.',
    de: 'Sie hat keinen Strom. Setzen Sie stream auf den Namen, den der Hub ihm gibt.'
  },
  nats_needs_durable: {
    en: 'It has no consumer. Set durable to a name of your own: the hub remembers by it what you have.',
    de: 'Sie hat keinen Abnehmer. Setzen Sie durable auf einen eigenen Namen: der Hub merkt sich damit, was Sie haben.'
  },
  nats_needs_subjects: {
    en: 'It takes nothing: no subject is named. Name under subjects what to take, such as hub.fire.>.',
    de: 'Sie nimmt nichts: kein Betreff ist genannt. Nennen Sie unter subjects, was genommen wird, etwa hub.fire.>.'
  },
  nats_needs_families: {
    en: 'It takes nothing: no family is allowed. Name under allow.families those to take, such as weather.',
    de: 'Sie nimmt nichts: keine Familie ist erlaubt. Nennen Sie unter allow.families die erlaubten, etwa weather.'
  },
  seconds_to_go: { en: '{why}: {seconds} s to go.', de: '{why}: noch {seconds} s.' },
  source_wants_file: {
    en: '{source} is not asked, it sends by itself: give a recorded message with --file',
    de: '{source} wird nicht gefragt, sie sendet von selbst: geben Sie mit --file eine aufgezeichnete Nachricht an'
  },
  source_not_asked: { en: '{source} is not asked: {why}', de: '{source} wird nicht gefragt: {why}' },
  cannot_be_asked: { en: '{source} cannot be asked: {why}', de: '{source} kann nicht gefragt werden: {why}' }
}
