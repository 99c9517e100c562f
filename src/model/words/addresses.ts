import type { ADDRESSES_CODES } from '../reasons/addresses.ts'
import type { SentencesOf } from './sentence.ts'

export const ADDRESSES_SENTENCES: SentencesOf<typeof ADDRESSES_CODES> = {
  addresses_absent: {
    en: 'there is no address file: make one with lookout addresses import, or name one in addresses.file',
    de: 'es gibt keine Adressdatei: lookout addresses import legt eine an, oder addresses.file nennt eine'
  },
  addresses_damaged: {
    en: 'a part of the address file is damaged and cannot be read: make it anew with lookout addresses import. After damage, doubt the disk',
    de: 'ein Teil der Adressdatei ist beschädigt und nicht lesbar: Legen Sie sie mit lookout addresses import neu an. Nach einem Schaden ist der Datenträger verdächtig'
  },
  addresses_put_aside: {
    en: 'the address file was damaged and is put aside: make one with lookout addresses import. After damage, doubt the disk',
    de: 'die Adressdatei war beschädigt und ist beiseite gelegt: Legen Sie mit lookout addresses import eine an. Nach einem Schaden ist der Datenträger verdächtig'
  },
  addresses_unreadable: {
    en: 'the address file cannot be read: it is damaged, no SQLite file, or closed to this user',
    de: 'die Adressdatei lässt sich nicht lesen: Sie ist beschädigt, keine SQLite-Datei oder für diesen Benutzer gesperrt'
  },
  addresses_no_column: {
    en: 'no column for {what}: the first line must name columns as Netsyms (zipcode, number, street, city, state), OpenAddresses (NUMBER, STREET, CITY, REGION, POSTCODE) or the National Address Database do',
    de: 'keine Spalte für {what}: Die erste Zeile muss Spalten nennen wie Netsyms (zipcode, number, street, city, state), OpenAddresses (NUMBER, STREET, CITY, REGION, POSTCODE) oder die National Address Database'
  },
  addresses_not_ours: {
    en: '{file} was not made by lookout addresses import: move it away, or name another --out',
    de: '{file} wurde nicht von lookout addresses import angelegt: Verschieben Sie die Datei, oder nennen Sie ein anderes --out'
  },
  addresses_no_row: { en: 'no row could be used{why}', de: 'keine Zeile war zu gebrauchen{why}' },
  file_empty: { en: '{file} is empty', de: '{file} ist leer' },
  no_such_file: { en: 'there is no file {file}', de: 'es gibt keine Datei {file}' },
  file_unreadable: { en: '{file} cannot be read: {said}', de: '{file} kann nicht gelesen werden: {said}' },
  addresses_cannot_be_read: {
    en: 'the address file cannot be read: {said}',
    de: 'die Adressdatei kann nicht gelesen werden: {said}'
  },
  addresses_no_table: {
    en: 'this is no address file: it has no table "addresses". Make one with lookout addresses import.',
    de: 'das ist keine Adressdatei: Sie hat keine Tabelle „addresses“. Legen Sie mit lookout addresses import eine an.'
  },
  addresses_table_lacks: {
    en: 'this is no address file: its table "addresses" lacks {columns}. Make one with lookout addresses import.',
    de: 'das ist keine Adressdatei: Ihrer Tabelle „addresses“ fehlt {columns}. Legen Sie mit lookout addresses import eine an.'
  },
  addresses_no_plain_table: {
    en: 'this is no address file: its "addresses" is no plain table. Make one with lookout addresses import.',
    de: 'das ist keine Adressdatei: Ihr „addresses“ ist keine einfache Tabelle. Legen Sie mit lookout addresses import eine an.'
  }
}
