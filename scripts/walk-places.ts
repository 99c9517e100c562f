/** The places and languages in which scripts/walk-first-run.ts walks the first steps. */

/** Where a newcomer is: the zone of the phone, the letters that are typed, and the sources that are ticked for it. */
export const PLACES: Record<
  string,
  { zone: string; country: string; typed: string; town: string; sources: string[]; note: boolean }
> = {
  idaho: {
    zone: 'America/Boise',
    country: 'US',
    typed: 'haile',
    town: 'Hailey',
    sources: ['nws', 'nhc', 'volcano', 'wfigs', 'swpc', 'usgs'],
    note: false
  },
  germany: {
    zone: 'Europe/Berlin',
    country: 'DE',
    typed: 'tübin',
    town: 'Tübingen',
    sources: ['meteoalarm', 'nina', 'gdacs', 'usgs'],
    note: false
  },
  japan: {
    zone: 'Asia/Tokyo',
    country: 'JP',
    typed: '小田原',
    town: '小田原',
    sources: ['jma', 'gdacs', 'usgs'],
    note: false
  },
  // No warning service that the program reads.
  kenya: {
    zone: 'Africa/Nairobi',
    country: 'KE',
    typed: 'kisum',
    town: 'Kisumu',
    sources: ['gdacs', 'usgs'],
    note: true
  }
}
export type Place = (typeof PLACES)[string]

/** The words of the page by what they do, so that both languages are walked by the same steps. */
export const WORDS = {
  en: {
    code: 'Claim code',
    passphrase: 'New passphrase',
    claim: 'Claim and sign in',
    country: 'Country',
    town: 'Town or village',
    place: 'Name of the place',
    next: 'Save and go on',
    mtChannel: 'Meshtastic channel',
    mcChannel: 'MeshCore channel',
    address: 'Address of a radio on the network, if there is one',
    find: 'Find radios',
    skip: 'Skip',
    drill: 'Start the drill'
  },
  de: {
    code: 'Code',
    passphrase: 'Neue Passphrase',
    claim: 'Übernehmen und anmelden',
    country: 'Land',
    town: 'Stadt oder Dorf',
    place: 'Name des Ortes',
    next: 'Speichern und weiter',
    mtChannel: 'Meshtastic-Kanal',
    mcChannel: 'MeshCore-Kanal',
    address: 'Adresse eines Funkgeräts im Netz, falls es eines gibt',
    find: 'Funkgeräte suchen',
    skip: 'Überspringen',
    drill: 'Übung starten'
  }
} as const
