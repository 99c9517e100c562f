import type { BULK_CODES } from '../reasons/bulk.ts'
import type { SentencesOf } from './sentence.ts'

export const BULK_SENTENCES: SentencesOf<typeof BULK_CODES> = {
  captions_not_xml: {
    en: 'The captions cannot be read: {said}',
    de: 'Die Untertitel lassen sich nicht lesen: {said}'
  },
  captions_not_ttml: {
    en: 'The captions cannot be read: they begin with {tag} instead of tt.',
    de: 'Die Untertitel lassen sich nicht lesen: Sie beginnen mit {tag} statt mit tt.'
  },
  captions_are_empty: {
    en: '{host} names captions of this recording, but hands out none.',
    de: '{host} nennt Untertitel dieser Aufnahme, gibt aber keine heraus.'
  },
  captions_not_told: {
    en: '{host} does not say which captions this recording has.',
    de: '{host} sagt nicht, welche Untertitel diese Aufnahme hat.'
  },
  captions_not_fetched: {
    en: 'The captions were not fetched from {host}: {said}',
    de: 'Die Untertitel wurden nicht von {host} geholt: {said}'
  },
  recording_without_captions: {
    en: 'This recording on {host} has no captions: there is nothing to read.',
    de: 'Diese Aufnahme auf {host} hat keine Untertitel: Es gibt nichts zu lesen.'
  },
  too_many_bulks: {
    en: '{count} lists and folders are being taken in already: wait for one to end, or stop one.',
    de: '{count} Listen und Ordner werden schon aufgenommen: Warten Sie, bis einer fertig ist, oder halten Sie einen an.'
  },
  no_such_bulk: { en: 'There is no list or folder {id}.', de: 'Es gibt keine Liste und keinen Ordner {id}.' },
  bulk_not_now: {
    en: 'This cannot be done with it now: look at how it stands.',
    de: 'Das geht jetzt nicht: Sehen Sie nach, wie es steht.'
  },
  bulk_no_address: {
    en: 'There is no address in the list: write one a line.',
    de: 'In der Liste steht keine Adresse: Schreiben Sie eine je Zeile.'
  },
  bulk_too_many_addresses: {
    en: 'The list has {count} addresses, and one may have {limit}: divide it.',
    de: 'Die Liste hat {count} Adressen, erlaubt sind {limit}: Teilen Sie sie.'
  },
  bulk_too_many_files: {
    en: 'There are more than {limit} files in it: choose the folders below it one after the other. Nothing was taken.',
    de: 'Darin sind mehr als {limit} Dateien: Wählen Sie die Ordner darin nacheinander. Nichts wurde aufgenommen.'
  },
  bulk_one_source: {
    en: 'Give either addresses (text or urls) or a folder.',
    de: 'Geben Sie entweder Adressen (text oder urls) oder einen Ordner an.'
  },
  bulk_folder_absolute: {
    en: 'A folder is given by its whole path, such as /media/stick/books.',
    de: 'Ein Ordner wird mit seinem ganzen Pfad angegeben, etwa /media/stick/buecher.'
  },
  bulk_folder_is_data: {
    en: '{folder} belongs to the data of this station: that is here already.',
    de: '{folder} gehört zu den Daten dieser Station: Das ist schon da.'
  },
  bulk_folder_unreadable: {
    en: '{folder} cannot be read by the station: {why}.',
    de: '{folder} ist für die Station nicht lesbar: {why}.'
  },
  bulk_folder_not_allowed: {
    en: '{folder} is not below a place from which documents are taken: {places}. Others are named in the settings (knowledge.bulk_folders).',
    de: '{folder} liegt nicht unter einem Ort, von dem Dokumente aufgenommen werden: {places}. Weitere nennen die Einstellungen (knowledge.bulk_folders).'
  },
  bulk_asks_again: {
    en: 'Some sites did not answer: they are asked again in a few minutes.',
    de: 'Einige Seiten haben nicht geantwortet: Sie werden in einigen Minuten noch einmal gefragt.'
  },
  bulk_waits: {
    en: 'A list or folder waits: its page says what for.',
    de: 'Eine Liste oder ein Ordner wartet: Die Seite dazu sagt, worauf.'
  },
  bulk_found: {
    en: { by: 'count', one: '{count} file found', other: '{count} files found' },
    de: { by: 'count', one: '{count} Datei gefunden', other: '{count} Dateien gefunden' }
  },
  bulk_progress: { en: '{done} of {total}', de: '{done} von {total}' },
  bulk_disk_gone: {
    en: 'The stick or disk of {folder} is not plugged in: it goes on when it is back.',
    de: 'Der Stick oder Datenträger von {folder} ist nicht eingesteckt: Es geht weiter, wenn er wieder da ist.'
  },
  bulk_folder_gone: {
    en: '{folder} is not there any more: it goes on when it is back.',
    de: '{folder} ist nicht mehr da: Es geht weiter, wenn er wieder da ist.'
  },
  bulk_entry_tried: {
    en: {
      by: 'times',
      one: 'The program ended while it was being taken.',
      other: 'The program ended {times} times while it was being taken.'
    },
    de: {
      by: 'times',
      one: 'Das Programm endete, während es aufgenommen wurde.',
      other: 'Das Programm endete {times} Mal, während es aufgenommen wurde.'
    }
  },
  stick_not_mounted: {
    en: 'it is plugged in, and not mounted: by itself that happens to a stick called LOOKOUT',
    de: 'er ist eingesteckt, aber nicht eingebunden: Von selbst geschieht das nur mit einem Stick namens LOOKOUT'
  },
  source_not_permitted: {
    en: 'the user of the station may not read it',
    de: 'der Benutzer der Station darf ihn nicht lesen'
  },
  source_of_system: {
    en: 'it belongs to the system: nothing is taken from there',
    de: 'er gehört zum System: Von dort wird nichts aufgenommen'
  },
  source_gone: { en: 'it is not there', de: 'nicht vorhanden' },
  source_no_folder: { en: 'it is no folder', de: 'es ist kein Ordner' },
  source_no_file: { en: 'it is no plain file', de: 'es ist keine einfache Datei' },
  source_is_link: {
    en: 'it is a link to somewhere else',
    de: 'es ist eine Verknüpfung auf etwas anderes'
  },
  source_fails: { en: 'the disk gives an error ({why})', de: 'der Datenträger meldet einen Fehler ({why})' },
  upload_hash_differs: {
    en: 'What arrived is not what was announced: its SHA-256 is another. Send it again.',
    de: 'Was ankam, ist nicht das Angekündigte: Die SHA-256 ist eine andere. Senden Sie es noch einmal.'
  }
}
