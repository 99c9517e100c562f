import type { Language } from './languages.ts'

/** The program's own words among the values, by language; in English they are their own. */
export const VALUE_WORDS: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<string, string>>>> = {
  de: {
    'Its geometry': 'Sein Umriss',
    'Its circle': 'Sein Kreis',
    'Its box': 'Sein Rechteck',
    'Its position': 'Sein Ort',
    'Its zone and county codes': 'Seine Codes von Zonen und Landkreisen',
    'Nothing of it': 'Nichts davon',
    mesh_health: 'Zustand des Mesh',
    weather: 'Wetter',
    fire: 'Feuer',
    rf_propagation: 'Funkausbreitung',
    roads: 'Straßen',
    avalanche: 'Lawinen',
    seismic: 'Erdbeben',
    satpass: 'Satellitenüberflüge',
    emergency: 'Notfälle',
    tracking: 'Standorte',
    routine: 'Routine',
    priority: 'wichtig',
    critical: 'kritisch',
    immediate: 'unmittelbar',
    new: 'neu',
    update: 'Aktualisierung',
    queued: 'wartet',
    held: 'zurückgehalten',
    failed: 'gescheitert',
    expired: 'abgelaufen',
    suppressed: 'zurückgezogen',
    stood_down: 'von anderer Station gesagt',
    sent_unknown: 'Ausgang unbekannt',
    over: 'es ist vorbei',
    silenced: 'stummgeschaltet',
    'not configured': 'nichts ist eingerichtet',
    'notifications off': 'Benachrichtigungen sind ausgeschaltet',
    cancelled: 'abgesagt',
    ended: 'beendet',
    superseded: 'überholt',
    acknowledged: 'bestätigt',
    answered: 'beantwortet',
    notice: 'zu viele, einmal gesagt',
    ignored: 'übergangen',
    late: 'zu spät',
    connecting: 'verbindet sich',
    ready: 'bereit',
    suspect: 'antwortet nicht',
    down: 'nicht erreichbar',
    closed: 'geschlossen',
    'Two minutes over south-central Idaho': 'Zwei Minuten über dem südlichen Idaho',
    'the query': 'die Anfrage',
    'the body': 'der Inhalt',
    'the form': 'das Formular',
    'the matrix': 'die Matrix',
    'the coverage': 'das Gebiet',
    'the area': 'das Gebiet',
    'the file': 'die Datei',
    'the configuration': 'die Konfiguration',
    'the empty configuration': 'die leere Konfiguration',
    'the list of tokens': 'die Liste der Token',
    'the manifest': 'das Manifest',
    'the demo scenario': 'das Vorführszenario',
    'mean motion': 'die mittlere Bewegung',
    eccentricity: 'die Exzentrizität',
    inclination: 'die Bahnneigung',
    'right ascension of the node': 'die Rektaszension des Knotens',
    'argument of perigee': 'das Argument des Perigäums',
    'mean anomaly': 'die mittlere Anomalie',
    'B*': 'B*',
    'catalogue number': 'die Katalognummer',
    epoch: 'die Epoche',
    'Agriculture & Livestock': 'Landwirtschaft und Vieh',
    'Civil Organization': 'Gemeinwesen',
    Communications: 'Verständigung',
    'Food Systems': 'Ernährung',
    'Foundational Skills': 'Grundfertigkeiten',
    Logistics: 'Logistik',
    Medical: 'Medizin',
    Navigation: 'Orientierung',
    Operations: 'Einsatz',
    'Power Systems': 'Energieversorgung',
    'Preservation & Storage': 'Haltbarmachen und Lagern',
    Security: 'Sicherheit',
    'Shelter & Construction': 'Unterkunft und Bau',
    Technology: 'Technik',
    'Tools & Equipment': 'Werkzeug und Gerät',
    Vehicles: 'Fahrzeuge',
    'Water Systems': 'Wasserversorgung',
    'Wilderness Skills': 'Leben draußen'
  }
}

/** Channels of a mesh and single people on it, by language, network and the mark behind it in a key. */
const CHANNEL_WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    'mt:': 'Meshtastic channel',
    'mt@': 'Meshtastic node',
    'mc:': 'MeshCore channel',
    'mc@': 'MeshCore contact'
  },
  de: { 'mt:': 'Meshtastic-Kanal', 'mt@': 'Meshtastic-Knoten', 'mc:': 'MeshCore-Kanal', 'mc@': 'MeshCore-Kontakt' }
}

/** The key of a channel (`mt:3`) as people say it; that of a mail or a web address says enough. */
export function channelSaid(key: string, language: Language): string {
  const words = CHANNEL_WORDS[language][key.slice(0, 3)]
  return words === undefined ? key : `${words} ${key.slice(3)}`
}

/** The word between the last two of several names. */
export const JOINTS: Readonly<Record<Language, Readonly<Record<'any' | 'all' | 'within', string>>>> = {
  en: { any: ' or ', all: ' and ', within: ' in ' },
  de: { any: ' oder ', all: ' und ', within: ' in ' }
}
