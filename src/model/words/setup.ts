import type { SETUP_CODES } from '../reasons/setup.ts'
import type { SentencesOf } from './sentence.ts'

export const SETUP_SENTENCES = {
  setup_head: {
    en: 'Lookout read lookout-setup.txt. This is what became of it:',
    de: 'Lookout hat lookout-setup.txt gelesen. Das wurde daraus:'
  },
  setup_too_large: {
    en: 'lookout-setup.txt is larger than {most} kB and was not read: take the sample and fill it in anew',
    de: 'lookout-setup.txt ist größer als {most} kB und wurde nicht gelesen: nehmen Sie das Muster und füllen Sie es neu aus'
  },
  setup_says_nothing: {
    en: 'nothing is filled in: write a value behind a "=", or set the station up on its page',
    de: 'nichts ist ausgefüllt: schreiben Sie einen Wert hinter ein „=“, oder richten Sie die Station auf ihrer Seite ein'
  },
  setup_all_taken: {
    en: 'nothing new: everything in it was taken at an earlier start',
    de: 'nichts Neues: alles darin wurde bei einem früheren Start übernommen'
  },
  setup_taken: { en: 'taken: {key} = {value}', de: 'übernommen: {key} = {value}' },
  setup_kept: {
    en: '{key} is set otherwise on the station by now and stays so: change it on its page',
    de: '{key} ist auf der Station inzwischen anders gesetzt und bleibt so: ändern Sie es auf ihrer Seite'
  },
  setup_unknown_key: {
    en: 'line {line}: there is no "{key}"; there are {known}',
    de: 'Zeile {line}: „{key}“ gibt es nicht; es gibt {known}'
  },
  setup_no_value_sign: {
    en: 'line {line} has no "=": write name = value, or begin it with # if it is a note',
    de: 'Zeile {line} hat kein „=“: schreiben Sie Name = Wert, oder beginnen Sie sie mit #, wenn sie eine Notiz ist'
  },
  setup_twice: {
    en: 'line {line}: {key} stands there a second time, and this one counts: delete the other',
    de: 'Zeile {line}: {key} steht zum zweiten Mal da, und dieses gilt: löschen Sie das andere'
  },
  setup_bad_value: {
    en: 'line {line}: {key} was not taken: {why}',
    de: 'Zeile {line}: {key} wurde nicht übernommen: {why}'
  },
  setup_not_used: { en: '{key} was not taken: {why}', de: '{key} wurde nicht übernommen: {why}' },
  setup_name_form: { en: 'write 1 to 80 characters', de: 'schreiben Sie 1 bis 80 Zeichen' },
  setup_country_form: {
    en: 'write a country, such as US, DE or Germany',
    de: 'schreiben Sie ein Land, etwa US, DE oder Deutschland'
  },
  setup_language_form: { en: 'write en or de', de: 'schreiben Sie en oder de' },
  setup_place_form: {
    en: 'write a town, such as Boise, Idaho, or degrees north and east, such as 43.62, -116.2',
    de: 'schreiben Sie einen Ort, etwa Boise, Idaho, oder Grad Nord und Ost, etwa 48.14, 11.58'
  },
  setup_radius_form: {
    en: 'write kilometres from 1 to 2000, such as 50',
    de: 'schreiben Sie Kilometer von 1 bis 2000, etwa 50'
  },
  setup_areas_form: {
    en: 'write codes or names of counties with semicolons between them, such as IDC001; Boise (IDC015); Ada, Idaho',
    de: 'schreiben Sie Codes oder Namen von Countys mit Semikolon dazwischen, etwa EMMA_ID:DE356; München (NUTS3:DE212)'
  },
  setup_radio_form: {
    en: 'write usb, a port such as /dev/ttyUSB0, or an address such as 10.0.0.20',
    de: 'schreiben Sie usb, einen Anschluss wie /dev/ttyUSB0 oder eine Adresse wie 10.0.0.20'
  },
  setup_profile_form: { en: 'write {names}', de: 'schreiben Sie {names}' },
  setup_place_needs_country: {
    en: 'a town is looked up in a country: fill in country too, or write degrees',
    de: 'ein Ort wird in einem Land gesucht: füllen Sie auch country aus, oder schreiben Sie Grad'
  },
  setup_place_unknown: {
    en: 'no town in {country} is called "{place}": write it as a map does, take a larger one, or write degrees',
    de: 'kein Ort in {country} heißt „{place}“: schreiben Sie ihn wie auf einer Karte, nehmen Sie einen größeren, oder schreiben Sie Grad'
  },
  setup_area_unknown: {
    en: 'no county or code is called "{area}": write its code, or draw the area on the page',
    de: 'kein County und kein Code heißt „{area}“: schreiben Sie den Code, oder zeichnen Sie das Gebiet auf der Seite'
  },
  setup_area_several: {
    en: '"{area}" is more than one place: write {found}',
    de: '„{area}“ ist mehr als ein Ort: schreiben Sie {found}'
  },
  setup_usb_none: {
    en: 'no radio hung on USB when the board started: plug it in and start the board again, or choose it on the page',
    de: 'kein Funkgerät hing beim Start am USB: stecken Sie es ein und starten Sie das Gerät neu, oder wählen Sie es auf der Seite'
  },
  setup_usb_several: {
    en: 'more than one port is there, and their names do not tell which network speaks on it: write one of {ports}',
    de: 'mehr als ein Anschluss ist da, und die Namen sagen nicht, welches Netz daran spricht: schreiben Sie einen von {ports}'
  },
  setup_passphrase_removed: {
    en: 'the pass phrase of the Wi-Fi was taken and overwritten with blanks in lookout-setup.txt',
    de: 'die Passphrase des WLANs wurde übernommen und in lookout-setup.txt mit Leerzeichen überschrieben'
  },
  setup_passphrase_stays: {
    en: 'the pass phrase of the Wi-Fi was taken, but lookout-setup.txt could not be written: delete it there yourself',
    de: 'die Passphrase des WLANs wurde übernommen, aber lookout-setup.txt ließ sich nicht schreiben: löschen Sie sie dort selbst'
  },
  setup_passphrase_not_plain: {
    en: 'the pass phrase of the Wi-Fi was taken, but lookout-setup.txt is not stored as UTF-8: delete it there yourself',
    de: 'die Passphrase des WLANs wurde übernommen, aber lookout-setup.txt ist nicht als UTF-8 gespeichert: löschen Sie sie dort selbst'
  },
  setup_profile_next_start: {
    en: 'the profile {profile} counts from the next start of the board: take the plug out and put it in again',
    de: 'das Profil {profile} gilt ab dem nächsten Start des Geräts: ziehen Sie den Stecker und stecken Sie ihn wieder ein'
  },
  setup_profile_by_hand: {
    en: 'this machine takes its profile from /etc/default/lookout: write LOOKOUT_PROFILE={profile} there',
    de: 'dieser Rechner hat sein Profil aus /etc/default/lookout: schreiben Sie dort LOOKOUT_PROFILE={profile}'
  },
  setup_wifi_is: { en: 'Wi-Fi: {ssid}  pass phrase: {passphrase}', de: 'WLAN: {ssid}  Passphrase: {passphrase}' },
  setup_wifi_page: {
    en: 'In this Wi-Fi the page of the station is http://lookout.lan (or http://10.42.0.1)',
    de: 'In diesem WLAN ist die Seite der Station http://lookout.lan (oder http://10.42.0.1)'
  },
  setup_next: {
    en: 'Sources and channels are chosen on the page of the station, under First steps.',
    de: 'Quellen und Kanäle wählen Sie auf der Seite der Station, unter Erste Schritte.'
  }
} as const satisfies SentencesOf<typeof SETUP_CODES>
