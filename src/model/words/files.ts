import type { FILES_CODES } from '../reasons/files.ts'
import type { SentencesOf } from './sentence.ts'

export const FILES_SENTENCES: SentencesOf<typeof FILES_CODES> = {
  looks_zip_damaged: {
    en: 'a ZIP archive that is damaged or cut off',
    de: 'ein ZIP-Archiv, das beschädigt oder abgeschnitten ist'
  },
  looks_spreadsheet: { en: 'a spreadsheet (Excel)', de: 'eine Tabelle (Excel)' },
  looks_opendocument: { en: 'an OpenDocument file', de: 'eine OpenDocument-Datei' },
  looks_office_locked: {
    en: 'an Office document locked with a password: save it without one',
    de: 'ein Office-Dokument, das mit einem Passwort gesperrt ist: ohne Passwort speichern'
  },
  looks_old_office: {
    en: 'an old Office file without a Word document in it',
    de: 'eine alte Office-Datei, in der kein Word-Dokument steckt'
  },
  looks_presentation: { en: 'a presentation (PowerPoint)', de: 'eine Präsentation (PowerPoint)' },
  looks_zip: { en: 'a ZIP archive', de: 'ein ZIP-Archiv' },
  looks_png: { en: 'a picture (PNG)', de: 'ein Bild (PNG)' },
  looks_jpeg: { en: 'a picture (JPEG)', de: 'ein Bild (JPEG)' },
  looks_gif: { en: 'a picture (GIF)', de: 'ein Bild (GIF)' },
  looks_webp: { en: 'a picture (WebP)', de: 'ein Bild (WebP)' },
  looks_tiff: { en: 'a picture (TIFF)', de: 'ein Bild (TIFF)' },
  looks_mp4: { en: 'a video (MP4)', de: 'ein Video (MP4)' },
  looks_7zip: { en: 'a 7-Zip archive', de: 'ein 7-Zip-Archiv' },
  looks_rar: { en: 'a RAR archive', de: 'ein RAR-Archiv' },
  looks_sqlite: { en: 'a database (SQLite)', de: 'eine Datenbank (SQLite)' },
  looks_djvu: { en: 'a DjVu document', de: 'ein DjVu-Dokument' },
  looks_postscript: { en: 'a PostScript document', de: 'ein PostScript-Dokument' },
  looks_palmdoc: { en: 'a PalmDOC e-book', de: 'ein PalmDOC-E-Book' },
  looks_program: { en: 'a program', de: 'ein Programm' },
  looks_like_ending: { en: 'a {ending} file', de: 'eine {ending}-Datei' },
  looks_matroska: { en: 'a video (Matroska)', de: 'ein Video (Matroska)' },
  looks_ogg: { en: 'a sound file (Ogg)', de: 'eine Tondatei (Ogg)' },
  looks_mp3: { en: 'a sound file (MP3)', de: 'eine Tondatei (MP3)' },
  looks_flac: { en: 'a sound file (FLAC)', de: 'eine Tondatei (FLAC)' },
  looks_riff: { en: 'a sound or video file (RIFF)', de: 'eine Ton- oder Videodatei (RIFF)' },
  looks_zim: {
    en: 'a ZIM archive, which belongs into the library',
    de: 'ein ZIM-Archiv, das in die Bibliothek gehört'
  },
  looks_gzip: { en: 'a compressed file (gzip)', de: 'eine gepackte Datei (gzip)' },
  looks_xz: { en: 'a compressed file (xz)', de: 'eine gepackte Datei (xz)' },
  looks_bzip2: { en: 'a compressed file (bzip2)', de: 'eine gepackte Datei (bzip2)' },
  looks_zstd: { en: 'a compressed file (Zstandard)', de: 'eine gepackte Datei (Zstandard)' },
  looks_tar: { en: 'a tar archive', de: 'ein tar-Archiv' },
  looks_rtf: { en: 'a Rich Text document (RTF)', de: 'ein Rich-Text-Dokument (RTF)' },
  looks_chm: { en: 'a Windows help file (CHM)', de: 'eine Windows-Hilfedatei (CHM)' },
  looks_binary: { en: 'binary data', de: 'Binärdaten' },
  looks_html: { en: 'a web page (HTML)', de: 'eine Webseite (HTML)' },
  looks_text_named: { en: 'a plain text, and is called {ending}', de: 'ein reiner Text und heißt {ending}' },
  neither_installed: { en: 'neither {programs} is installed', de: 'weder {programs} ist installiert' },
  install_with: { en: '{what}. Install it: {install}', de: '{what}. Zu installieren mit: {install}' },
  is_not_installed: { en: '{program} is not installed', de: '{program} ist nicht installiert' },
  converted_plain_layout: {
    en: 'Converted without LibreOffice: text, tables and pictures are kept, the layout is not.',
    de: 'Ohne LibreOffice umgewandelt: Text, Tabellen und Bilder sind erhalten, das Layout nicht.'
  },
  converted_text_alone: {
    en: 'Converted without LibreOffice: the text is kept, tables and pictures are not.',
    de: 'Ohne LibreOffice umgewandelt: Der Text ist erhalten, Tabellen und Bilder nicht.'
  },
  format_not_converted: {
    en: '{extension} files are not converted',
    de: '{extension}-Dateien werden nicht umgewandelt'
  },
  checking_pdf: { en: 'checking the PDF', de: 'das PDF wird geprüft' },
  looking_through: { en: 'looking it through', de: 'wird durchgesehen' },
  document_encrypted: {
    en: 'encrypted: the document opens only with a password. Save it without one.',
    de: 'verschlüsselt: Das Dokument öffnet sich nur mit einem Passwort. Speichern Sie es ohne.'
  },
  converting_libreoffice: { en: 'converting with LibreOffice', de: 'wird mit LibreOffice umgewandelt' },
  converting_calibre: { en: 'converting with calibre', de: 'wird mit calibre umgewandelt' },
  laying_out: { en: 'laying it out', de: 'wird gesetzt' },
  word_no_text_part: {
    en: 'the file is no Word document: it has no text part',
    de: 'die Datei ist kein Word-Dokument: Sie hat keinen Textteil'
  },
  markup_too_deep: {
    en: 'the elements of the file are nested more than {most} deep, as in no document',
    de: 'die Elemente der Datei sind mehr als {most} Ebenen tief verschachtelt, wie in keinem Dokument'
  },
  epub_no_chapter: { en: 'the EPUB holds no chapter that can be read', de: 'das EPUB enthält kein lesbares Kapitel' },
  epub_no_contents: {
    en: 'The EPUB has no usable list of its chapters; they are in the order of their file names.',
    de: 'Das EPUB hat kein brauchbares Kapitelverzeichnis; die Kapitel stehen in der Reihenfolge ihrer Dateinamen.'
  },
  book_locked: {
    en: 'encrypted: the book is locked (DRM). Only a copy without DRM can be read.',
    de: 'verschlüsselt: Das Buch ist gesperrt (DRM). Nur eine Kopie ohne DRM lässt sich lesen.'
  },
  epub_chapters_missing: {
    en: '{count} chapters are named in the EPUB, but not in it.',
    de: '{count} Kapitel werden im EPUB genannt, fehlen aber darin.'
  },
  converter_no_pdf: { en: '{converter} made no PDF of it', de: '{converter} hat kein PDF daraus gemacht' },
  converter_no_text: { en: '{converter} kept no text of it', de: '{converter} hat keinen Text davon behalten' },
  converter_lost_text: {
    en: '{converter} kept only {percent} % of its text',
    de: '{converter} hat nur {percent} % des Textes behalten'
  },
  mobi_nothing_found: {
    en: 'the book is damaged: mobitool found nothing in it',
    de: 'das Buch ist beschädigt: mobitool fand nichts darin'
  },
  converter_could_not_read: {
    en: '{converter} could not read the file',
    de: '{converter} konnte die Datei nicht lesen'
  },
  file_cannot_be_read: { en: 'the file cannot be read: {said}', de: 'die Datei kann nicht gelesen werden: {said}' },
  converter_no_result: {
    en: 'the converter ended without a result: {said}',
    de: 'der Umwandler endete ohne Ergebnis: {said}'
  },
  encoding_not_guessed: {
    en: 'the program that tells the encoding of a text ended without an answer: {said}',
    de: 'das Programm, das die Zeichencodierung eines Textes erkennt, endete ohne Antwort: {said}'
  },
  characters_not_in_font: {
    en: '{count} characters are not in the built-in font (Chinese, Japanese, Korean and rare scripts): they are searchable, but shown as boxes.',
    de: '{count} Zeichen fehlen in der eingebauten Schrift (Chinesisch, Japanisch, Koreanisch und seltene Schriften): Sie werden gefunden, aber als Kästchen gezeigt.'
  },
  pictures_left_out: {
    en: '{count} pictures are left out: damaged, too large, or neither PNG nor JPEG.',
    de: '{count} Bilder sind weggelassen: beschädigt, zu groß oder weder PNG noch JPEG.'
  },
  outline_ends: {
    en: 'The outline ends after {count} headings.',
    de: 'Die Gliederung endet nach {count} Überschriften.'
  },
  text_too_long_for_book: {
    en: 'the text is longer than {limit} characters: split the document',
    de: 'der Text ist länger als {limit} Zeichen: Teilen Sie das Dokument'
  },
  book_too_many_pages: {
    en: 'the document has more than {limit} pages: split it',
    de: 'das Dokument hat mehr als {limit} Seiten: Teilen Sie es'
  },
  member_too_large: {
    en: '"{name}" is {size} bytes large; the limit is {limit}',
    de: '„{name}“ ist {size} Bytes groß; die Grenze ist {limit}'
  },
  zip_damaged: {
    en: 'the archive is damaged or cut off: send it once more',
    de: 'das Archiv ist beschädigt oder abgeschnitten: senden Sie es noch einmal'
  },
  zip_leads_out: {
    en: 'it has members with names that lead out of it, which no document has',
    de: 'es hat Teile, deren Namen aus ihm hinausführen; das hat kein Dokument'
  },
  zip_too_many_members: { en: 'it has more than {count} members', de: 'es hat mehr als {count} Teile' },
  zip_too_large: { en: 'unpacked it would be larger than 1 GB', de: 'ausgepackt wäre es größer als 1 GB' },
  zip_overlap: { en: 'its members overlap', de: 'seine Teile überlappen sich' },
  zip_locked: {
    en: 'encrypted: the archive is locked with a password; save it without one',
    de: 'verschlüsselt: Das Archiv ist mit einem Passwort gesperrt; speichern Sie es ohne'
  },
  zip_member_would_grow: { en: '"{name}" would grow to {size} bytes', de: '„{name}“ würde auf {size} Bytes anwachsen' },
  zip_not_unpacked: { en: 'the archive is not unpacked, because {why}', de: 'das Archiv wird nicht ausgepackt: {why}' },
  looking_at_file: { en: 'looking at the file', de: 'Datei wird angesehen' },
  file_is_empty: { en: 'the file is empty', de: 'die Datei ist leer' },
  reading_first_pages: { en: 'reading its first pages', de: 'die ersten Seiten werden gelesen' },
  converting_to_pdf: { en: 'converting to PDF', de: 'wird in PDF umgewandelt' },
  same_work: {
    en: 'it has the same title, author, edition and year',
    de: 'Titel, Verfasser, Auflage und Jahr sind dieselben'
  },
  probable_copy: { en: 'Probably a copy of “{title}”: {why}.', de: 'Wahrscheinlich eine Kopie von „{title}“: {why}.' },
  was_held_as_copy: {
    en: 'It was held as a probable copy of “{title}”.',
    de: 'Es wurde als wahrscheinliche Kopie von „{title}“ zurückgehalten.'
  },
  content_is_that_of: { en: 'Its content is that of “{title}”.', de: 'Sein Inhalt ist der von „{title}“.' },
  path_leaves_folder: {
    en: 'the path {path} leaves the data folder',
    de: 'der Pfad {path} führt aus dem Datenordner hinaus'
  },
  file_gone: { en: 'the file {path} is gone', de: 'die Datei {path} ist verschwunden' },
  other_file_in_place: {
    en: 'another file stands at {path}: move it away',
    de: 'an der Stelle {path} liegt eine andere Datei: verschieben Sie sie'
  },
  file_vanished: {
    en: 'The file vanished before it was looked at: upload it again.',
    de: 'Die Datei verschwand, bevor sie angesehen wurde: Laden Sie sie noch einmal hoch.'
  },
  upload_empty: { en: 'The file is empty.', de: 'Die Datei ist leer.' },
  too_many_uploads: {
    en: 'Too many uploads are open: finish or end some of them first.',
    de: 'Zu viele Uploads sind offen: Beenden Sie erst einige davon.'
  },
  upload_at_byte: {
    en: 'The upload is at byte {offset}, not at {given}: go on from there.',
    de: 'Der Upload steht bei Byte {offset}, nicht bei {given}: Machen Sie dort weiter.'
  },
  upload_more_than_announced: {
    en: 'The upload was announced with {length} bytes, and more came.',
    de: 'Der Upload wurde mit {length} Bytes angekündigt, und es kamen mehr.'
  },
  no_such_upload: {
    en: 'There is no such upload, or not any more: begin it again.',
    de: 'Diesen Upload gibt es nicht oder nicht mehr: Beginnen Sie ihn neu.'
  },
  upload_cut_off_go_on: {
    en: 'The upload was cut off: go on with what is missing.',
    de: 'Der Upload brach ab: Machen Sie mit dem Fehlenden weiter.'
  },
  upload_no_space: {
    en: 'There is not enough space: {left} MB would be left, and {kept} MB stay free (uploads.min_free_bytes). Remove something first.',
    de: 'Der Platz reicht nicht: {left} MB blieben übrig, und {kept} MB bleiben frei (uploads.min_free_bytes). Entfernen Sie erst etwas.'
  },
  room_for_warnings_alone: {
    en: 'There is not enough space: {left} MB are left, and {kept} MB are for warnings alone (a quarter of uploads.min_free_bytes). Remove something first.',
    de: 'Der Platz reicht nicht: {left} MB sind frei, und {kept} MB bleiben allein den Warnungen (ein Viertel von uploads.min_free_bytes). Entfernen Sie erst etwas.'
  },
  upload_too_large: {
    en: 'The file has more than {limit} MB ({bytes} bytes), the most this station takes (uploads.max_bytes).',
    de: 'Die Datei hat mehr als {limit} MB ({bytes} Bytes); mehr nimmt diese Station nicht an (uploads.max_bytes).'
  },
  upload_cut_off: { en: 'The upload was cut off.', de: 'Der Upload brach ab.' },
  disk_full_remove: {
    en: 'The disk is full: remove something first.',
    de: 'Der Datenträger ist voll: Entfernen Sie erst etwas.'
  },
  data_folder_unwritable: {
    en: 'The data folder cannot be written: the log says more.',
    de: 'In den Datenordner kann nicht geschrieben werden: Das Protokoll sagt mehr.'
  },
  no_text_in_it: { en: 'there is no text in it', de: 'es enthält keinen Text' },
  file_here_already: {
    en: 'This file is here already: {filename} ({status}).',
    de: 'Diese Datei ist schon da: {filename} ({status}).'
  },
  file_here_with_hint: {
    en: 'This file is here already: {filename} ({status}). {hint}',
    de: 'Diese Datei ist schon da: {filename} ({status}). {hint}'
  },
  content_is_same: { en: 'Its content is the same.', de: 'Der Inhalt ist derselbe.' },
  being_removed_try_again: {
    en: 'It is being removed: try again in a moment.',
    de: 'Sie wird gerade entfernt: Versuchen Sie es gleich noch einmal.'
  },
  try_that_one_instead: {
    en: 'Try that one again instead.',
    de: 'Versuchen Sie es stattdessen mit jener noch einmal.'
  },
  not_a_format_taken: {
    en: 'This looks like {looks_like}. Send a PDF, a plain text, an EPUB, a Word document (.doc, .docx) or a Mobipocket e-book (.mobi).',
    de: 'Das sieht aus wie {looks_like}. Senden Sie ein PDF, einen reinen Text, ein EPUB, ein Word-Dokument (.doc, .docx) oder ein Mobipocket-E-Book (.mobi).'
  },
  folder_unknown: { en: 'nobody knows this folder', de: 'niemand kennt diesen Ordner' },
  folder_without_document: { en: 'there is no document in it', de: 'es liegt kein Dokument darin' },
  file_changed_on_disk: {
    en: 'its file has changed on the disk',
    de: 'seine Datei wurde auf dem Datenträger verändert'
  },
  could_not_be_removed: { en: 'It could not be removed: {said}', de: 'Konnte nicht entfernt werden: {said}' },
  work_ended_first: { en: 'its work is being ended first', de: 'zuerst wird die Arbeit daran beendet' },
  file_gone_from: {
    en: 'the file of {filename} is gone from {path}',
    de: 'die Datei von {filename} ist aus {path} verschwunden'
  },
  no_free_name: { en: 'no free name on the shelf for {hash}', de: 'kein freier Name im Regal für {hash}' },
  page_too_little_text: {
    en: 'There are only {length} characters of text on {host}: the page may be made by a script, or want a sign-in.',
    de: 'Auf {host} stehen nur {length} Zeichen Text: Die Seite entsteht wohl durch ein Skript oder verlangt eine Anmeldung.'
  },
  transcript_too_large: {
    en: 'A transcript has 8 MB at most: this is something else.',
    de: 'Ein Transkript hat höchstens 8 MB: Das ist etwas anderes.'
  },
  language_is_iso639: {
    en: 'a language is its ISO 639 code, such as en',
    de: 'eine Sprache ist ihr Code nach ISO 639, etwa en'
  },
  language_not_valid: { en: 'The language is not valid: {why}.', de: 'Die Sprache ist nicht gültig: {why}.' },
  recording_address_secret: {
    en: 'The address of the recording must not hold a name or a password.',
    de: 'Die Adresse der Aufnahme darf weder Namen noch Passwort enthalten.'
  },
  domain_no_longer: {
    en: 'Its domain, {domain}, no longer exists.',
    de: 'Sein Sachgebiet, {domain}, gibt es nicht mehr.'
  },
  way_text_of_pages: { en: 'The text of every page is read.', de: 'Der Text jeder Seite wird gelesen.' },
  way_ocr: { en: 'Pages without text are read by OCR.', de: 'Seiten ohne Text werden durch OCR gelesen.' },
  way_as_it_is: { en: 'Read as it is.', de: 'Wird gelesen, wie es ist.' },
  way_calibre: {
    en: 'Converted by calibre, with its layout.',
    de: 'Wird von calibre umgewandelt, mit seiner Gestaltung.'
  },
  way_laid_out: {
    en: 'Text, headings, tables and pictures are laid out anew.',
    de: 'Text, Überschriften, Tabellen und Bilder werden neu gesetzt.'
  },
  way_libreoffice: {
    en: 'Converted by LibreOffice, with its layout.',
    de: 'Wird von LibreOffice umgewandelt, mit seiner Gestaltung.'
  },
  way_text_alone: {
    en: 'The text alone is kept; pictures and tables are lost.',
    de: 'Nur der Text bleibt; Bilder und Tabellen gehen verloren.'
  },
  not_a_web_page_address: {
    en: 'This is not the address of a web page. Give one that begins with http:// or https://.',
    de: 'Das ist nicht die Adresse einer Webseite. Geben Sie eine an, die mit http:// oder https:// beginnt.'
  },
  page_not_fetched: { en: 'The page was not fetched: {said}.', de: 'Die Seite wurde nicht geholt: {said}.' },
  page_answers_other: {
    en: '{host} answers {status} instead of the page. Look at the address in a browser.',
    de: '{host} antwortet {status} statt der Seite. Sehen Sie sich die Adresse in einem Browser an.'
  },
  page_answers_try_later: {
    en: '{host} answers {status} instead of the page. Try again later.',
    de: '{host} antwortet {status} statt der Seite. Versuchen Sie es später noch einmal.'
  },
  page_sends_other: {
    en: '{host} sends {type}, not a web page. Download it and upload the file instead.',
    de: '{host} sendet {type}, keine Webseite. Laden Sie es herunter und hier als Datei hoch.'
  },
  page_sends_untyped: {
    en: '{host} sends something without a type, not a web page. Download it and upload the file instead.',
    de: '{host} sendet etwas ohne Typ, keine Webseite. Laden Sie es herunter und hier als Datei hoch.'
  },
  intake_file_gone: {
    en: 'its file is gone from the intake folder: send it again',
    de: 'seine Datei ist aus dem Eingangsordner verschwunden: noch einmal senden'
  },
  intake_bytes_changed: {
    en: 'its bytes have changed on the disk since it arrived: check the disk, send it again',
    de: 'seine Bytes haben sich seit der Ankunft verändert: Datenträger prüfen, noch einmal senden'
  },
  type_not_taken: {
    en: 'files of type {extension} are not taken in',
    de: 'Dateien vom Typ {extension} werden nicht angenommen'
  },
  unpacking: { en: 'unpacking', de: 'wird entpackt' },
  waits_for_programs: {
    en: {
      by: 'count',
      one: 'Files of this kind wait: {programs} is not installed.',
      other: 'Files of this kind wait: {programs} are not installed.'
    },
    de: 'Dateien dieser Art warten. Nicht installiert: {programs}.'
  },
  model_no_vote: {
    en: '{model} has not answered with a title, author, edition and year',
    de: '{model} hat nicht mit Titel, Verfasser, Auflage und Jahr geantwortet'
  },
  model_not_asked_title: {
    en: '{model} was not asked for the title: {said}',
    de: '{model} wurde nicht nach dem Titel gefragt: {said}'
  },
  data_folder_fails: {
    en: 'The disk of the data folder fails (I/O error): the log says more.',
    de: 'Der Datenträger des Datenordners versagt (E/A-Fehler): Das Protokoll sagt mehr.'
  }
}
