import type { HOTSPOT_CODES } from '../reasons/hotspot.ts'
import type { SentencesOf } from './sentence.ts'

export const HOTSPOT_SENTENCES = {
  hotspot_no_wifi: {
    en: 'this machine has no Wi-Fi, or its driver is not loaded',
    de: 'dieser Rechner hat kein WLAN, oder der Treiber dafür ist nicht geladen'
  },
  hotspot_no_networkmanager: {
    en: 'NetworkManager is missing: sudo apt-get install network-manager',
    de: 'NetworkManager fehlt: sudo apt-get install network-manager'
  },
  hotspot_no_dnsmasq: {
    en: 'dnsmasq is missing: sudo apt-get install dnsmasq-base',
    de: 'dnsmasq fehlt: sudo apt-get install dnsmasq-base'
  },
  hotspot_wish_incomplete: {
    en: 'a name and a pass phrase are missing',
    de: 'ein Name und eine Passphrase fehlen'
  },
  hotspot_wish_not_understood: {
    en: 'the file "hotspot" of the data folder was not understood; save the hotspot again',
    de: 'die Datei „hotspot“ im Datenordner war nicht zu verstehen; speichern Sie den Hotspot noch einmal'
  },
  hotspot_firewall_refused: {
    en: 'the firewall did not take its rules, and without them no guest is let in (is nftables installed?)',
    de: 'die Firewall nahm ihre Regeln nicht an, und ohne sie kommt kein Gast herein (ist nftables installiert?)'
  },
  hotspot_profile_not_written: {
    en: 'the profile of NetworkManager could not be written',
    de: 'das Profil für NetworkManager ließ sich nicht schreiben'
  },
  hotspot_access_point_refused: {
    en: 'the access point did not come up: is the country of the Wi-Fi set, and can its chip be an access point?',
    de: 'der Zugangspunkt kam nicht zustande: Ist das Land des WLANs gesetzt, und kann der Chip ein Zugangspunkt sein?'
  },
  hotspot_names_refused: {
    en: 'nothing gives out addresses and names: journalctl -u lookout-hotspot-dns',
    de: 'niemand verteilt Adressen und Namen: journalctl -u lookout-hotspot-dns'
  },
  hotspot_failed: { en: 'it failed: {word}', de: 'es misslang: {word}' },
  hotspot_not_here: {
    en: 'nothing on this machine switches a hotspot: lookout-hotspot.service is not installed',
    de: 'nichts auf diesem Rechner schaltet einen Hotspot: lookout-hotspot.service ist nicht installiert'
  },
  hotspot_name_form: {
    en: '1 to 32 letters (a to z), digits, spaces and . _ -, no space at either end',
    de: '1 bis 32 Buchstaben (a bis z), Ziffern, Leerzeichen und . _ -, kein Leerzeichen am Rand'
  },
  hotspot_passphrase_form: {
    en: '8 to 63 letters, digits, spaces and signs of ASCII, without ; and \\, no space or ] at either end',
    de: '8 bis 63 Buchstaben, Ziffern, Leerzeichen und Zeichen aus ASCII, ohne ; und \\, kein Leerzeichen oder ] am Rand'
  },
  hotspot_country_form: {
    en: 'two capitals, such as US or DE',
    de: 'zwei Großbuchstaben wie US oder DE'
  }
} as const satisfies SentencesOf<typeof HOTSPOT_CODES>
