import type { LIBRARY_CODES } from '../reasons/library.ts'
import type { SentencesOf } from './sentence.ts'

export const LIBRARY_SENTENCES: SentencesOf<typeof LIBRARY_CODES> = {
  article_of_other_copy: {
    en: 'it was read from another copy of this archive',
    de: 'es wurde aus einer anderen Kopie dieses Archivs gelesen'
  },
  article_text_is_that_of: { en: 'its text is that of {path}', de: 'sein Text ist der von {path}' },
  archive_reader_wrong_line: {
    en: 'the reader of the archive wrote something else than it should',
    de: 'der Leser des Archivs schrieb etwas anderes, als er sollte'
  },
  archive_reader_unexpected: {
    en: 'the reader of the archive wrote something unexpected',
    de: 'der Leser des Archivs schrieb etwas Unerwartetes'
  },
  archive_reader_too_early: {
    en: 'the reader of the archive ended too early',
    de: 'der Leser des Archivs endete zu früh'
  },
  archive_reader_ended: {
    en: 'the reader of the archive ended ({code}): {said}',
    de: 'der Leser des Archivs endete ({code}): {said}'
  },
  archive_reader_no_end: {
    en: 'the reader of the archive ended without an end',
    de: 'der Leser des Archivs endete ohne Abschluss'
  },
  archive_name_taken: {
    en: 'There is an archive with this name already: {file}. Remove it first, or use another name.',
    de: 'Ein Archiv mit diesem Namen gibt es schon: {file}. Entfernen Sie es zuerst, oder nehmen Sie einen anderen Namen.'
  },
  archive_name_taken_hint: {
    en: 'There is an archive with this name already: {file}. {hint}',
    de: 'Ein Archiv mit diesem Namen gibt es schon: {file}. {hint}'
  },
  no_zim_first_bytes: {
    en: 'This is no ZIM archive: its first bytes say something else.',
    de: 'Das ist kein ZIM-Archiv: Seine ersten Bytes sagen etwas anderes.'
  },
  archive_unusable: {
    en: 'This cannot be used: {said}. Download or copy it again.',
    de: 'Das ist nicht zu gebrauchen: {said}. Laden oder kopieren Sie es noch einmal.'
  },
  archive_here_already: { en: 'This archive is here already: {file}.', de: 'Dieses Archiv ist schon da: {file}.' },
  archive_name_there: {
    en: 'There is an archive with this name already: {file}.',
    de: 'Ein Archiv mit diesem Namen gibt es schon: {file}.'
  },
  archive_needs_name: {
    en: 'The archive needs a file name, such as wikem_2026-05.zim.',
    de: 'Das Archiv braucht einen Dateinamen, etwa wikem_2026-05.zim.'
  },
  no_such_source: {
    en: 'There is no such source in the library.',
    de: 'Diese Quelle gibt es in der Bibliothek nicht.'
  },
  archive_gone: {
    en: 'The file is gone from the folder of archives: put it back, or remove the source.',
    de: 'Die Datei ist aus dem Archivordner verschwunden: Legen Sie sie zurück, oder entfernen Sie die Quelle.'
  },
  archive_changed: {
    en: 'The file has changed. It is looked at again: until then nothing of it is shown.',
    de: 'Die Datei hat sich geändert. Sie wird neu geprüft: Bis dahin wird nichts daraus gezeigt.'
  },
  archive_damaged: {
    en: '{why}. Fetch the file again and upload it here under the same name: it takes the place of this one.',
    de: '{why}. Holen Sie die Datei neu, und laden Sie sie hier unter demselben Namen hoch: Sie ersetzt diese.'
  },
  archive_good_copy: {
    en: '{why}. A good copy is here as {file}: this one can be removed.',
    de: '{why}. Eine gute Kopie liegt hier als {file}: Diese kann entfernt werden.'
  },
  archive_nothing_readable: {
    en: 'Nothing of this archive can be searched: of its articles {failed} cannot be read and {skipped} are left out.',
    de: 'Nichts aus diesem Archiv lässt sich durchsuchen: {failed} Artikel sind nicht lesbar, {skipped} wurden ausgelassen.'
  },
  archive_no_articles: {
    en: 'Nothing of this archive can be searched: it has no articles of text.',
    de: 'Nichts aus diesem Archiv lässt sich durchsuchen: Es hat keine Artikel mit Text.'
  },
  archive_replaced: {
    en: 'Another archive has taken its place: what was read from the old one goes.',
    de: 'Ein anderes Archiv steht an seiner Stelle: Was aus dem alten gelesen wurde, wird entfernt.'
  },
  no_catalogue: {
    en: '{url}: there is no catalogue: is this kiwix-serve?',
    de: '{url}: Dort gibt es keinen Katalog: Ist das kiwix-serve?'
  },
  catalogue_fewer_books: {
    en: '{url}: the catalogue tells fewer books than it says there are',
    de: '{url}: Der Katalog nennt weniger Bücher, als er ankündigt'
  },
  catalogue_more_books: { en: '{url}: more than {limit} books', de: '{url}: mehr als {limit} Bücher' },
  catalogue_answered: { en: '{url}: the catalogue answered {status}', de: '{url}: Der Katalog antwortete {status}' },
  catalogue_doctype: { en: 'the catalogue has a DOCTYPE: refused', de: 'der Katalog hat einen DOCTYPE: abgelehnt' },
  catalogue_not_well_formed: {
    en: 'the catalogue is not well-formed: {said}',
    de: 'der Katalog ist nicht wohlgeformt: {said}'
  },
  not_a_catalogue: {
    en: 'this is not the catalogue of a library server',
    de: 'das ist nicht der Katalog eines Bibliotheksservers'
  },
  source_file_missing: { en: 'its file is missing', de: 'seine Datei fehlt' },
  waits_until_searchable: {
    en: 'It waits until the documents read before are searchable.',
    de: 'Es wartet, bis die zuvor gelesenen Dokumente gefunden werden.'
  },
  not_wanted: { en: 'it is not wanted any more', de: 'es wird nicht mehr gebraucht' },
  archive_replaced_first: {
    en: 'another archive has taken the place of this one: it is looked at first',
    de: 'ein anderes Archiv steht an der Stelle von diesem: Es wird zuerst angesehen'
  },
  archive_articles_unreadable: {
    en: 'the archive is damaged: {count} articles in a row cannot be read',
    de: 'das Archiv ist beschädigt: {count} Artikel hintereinander sind nicht lesbar'
  },
  articles_looked_at: { en: '{done} of {total} articles looked at', de: '{done} von {total} Artikeln angesehen' },
  archive_reader_gave_up: {
    en: 'the archive cannot be read: its reader ended at {count} articles',
    de: 'das Archiv kann nicht gelesen werden: Sein Leser endete bei {count} Artikeln'
  },
  could_not_be_started: { en: 'could not be started: {said}', de: 'ließ sich nicht starten: {said}' },
  ended_how: { en: 'ended ({how})', de: 'endete ({how})' },
  all_of: { en: '{causes}', de: '{causes}' },
  sentences: { en: '{all}', de: '{all}' },
  exit_code: { en: 'exit code {code}', de: 'Exit-Code {code}' },
  archive_reader_endless_line: {
    en: 'the reader of the archive wrote a line without end',
    de: 'der Leser des Archivs schrieb eine Zeile ohne Ende'
  },
  archive_reader_died: { en: 'the reader of the archive {how}', de: 'der Leser des Archivs: {how}' },
  archive_reader_silent: {
    en: 'the reader of the archive said nothing for {seconds} s',
    de: 'der Leser des Archivs sagte {seconds} s lang nichts'
  },
  archive_reader_memory: {
    en: 'the reader of the archive needed more than {limit} MiB',
    de: 'der Leser des Archivs brauchte mehr als {limit} MiB'
  },
  no_ipv4_address: {
    en: '{host} has no IPv4 address to listen on ({said})',
    de: '{host} hat keine IPv4-Adresse zum Lauschen ({said})'
  },
  cannot_listen_on: {
    en: 'cannot listen on {address}: {said}',
    de: 'auf {address} kann nicht gelauscht werden: {said}'
  },
  archive_in_parts: {
    en: 'the library server does not open archives in parts: join them into one file',
    de: 'der Bibliotheksserver öffnet keine geteilten Archive: Fügen Sie sie zu einer Datei zusammen'
  },
  archive_not_in_folder: {
    en: 'its file is not in the folder of archives',
    de: 'seine Datei liegt nicht im Archivordner'
  },
  same_archive_as: { en: 'it is the same archive as {file}', de: 'es ist dasselbe Archiv wie {file}' },
  archive_name_alike: {
    en: 'the library server cannot tell its name from {file}: rename the file',
    de: 'der Bibliotheksserver kann seinen Namen nicht von {file} unterscheiden: Benennen Sie die Datei um'
  },
  server_did_not_answer: { en: 'it did not answer: {said}', de: 'keine Antwort: {said}' },
  server_lists_not: {
    en: 'The library server does not list {names}.',
    de: 'Der Bibliotheksserver führt {names} nicht.'
  },
  server_still_lists: {
    en: 'The library server still lists {names}.',
    de: 'Der Bibliotheksserver führt noch {names}.'
  },
  server_lists_wrong: {
    en: 'The library server does not list {missing} and still lists {dangling}.',
    de: 'Der Bibliotheksserver führt {missing} nicht und führt noch {dangling}.'
  },
  server_not_told: {
    en: 'It could not be told to read its list again: {said}.',
    de: 'Er ließ sich nicht anweisen, seine Liste neu zu lesen: {said}.'
  },
  names_and_more: { en: '{names} and {more} more', de: '{names} und {more} weitere' },
  source_work_ended_first: {
    en: 'work on its documents is being ended first',
    de: 'zuerst wird die Arbeit an seinen Dokumenten beendet'
  },
  documents_removed: { en: '{count} documents removed', de: '{count} Dokumente entfernt' },
  kiwix_not_installed: {
    en: 'kiwix-serve is not installed: install the package kiwix-tools',
    de: 'kiwix-serve ist nicht installiert: Installieren Sie das Paket kiwix-tools'
  },
  port_taken: {
    en: 'port {port} of {address} is taken by another program: set library.port to another',
    de: 'Port {port} von {address} ist von einem anderen Programm belegt: Setzen Sie library.port auf einen anderen'
  },
  it_could_not_be_started: { en: 'it could not be started: {said}', de: 'ließ sich nicht starten: {said}' },
  it_ended: { en: 'it ended ({how})', de: 'endete ({how})' },
  it_ended_said: { en: 'it ended ({how}): {said}', de: 'endete ({how}): {said}' },
  no_answer_within: { en: 'no answer within {seconds} s', de: 'keine Antwort innerhalb von {seconds} s' },
  server_not_asked: { en: 'it has not been asked yet', de: 'wurde noch nicht gefragt' },
  server_is_off: { en: 'library.server is off', de: 'library.server ist aus' },
  server_url_empty: { en: 'library.server_url is empty', de: 'library.server_url ist leer' },
  no_archive_yet: { en: 'there is no archive yet', de: 'es gibt noch kein Archiv' },
  server_runs_not: { en: 'it does not run', de: 'läuft nicht' },
  server_none: { en: 'there is none', de: 'es gibt keinen' },
  server_pid_file_empty: {
    en: 'library.server_pid_file is empty: it must watch its library file itself',
    de: 'library.server_pid_file ist leer: Der Server muss seine Bibliotheksdatei selbst beobachten'
  },
  no_library_server: { en: 'there is no library server: {why}', de: 'es gibt keinen Bibliotheksserver: {why}' },
  server_starting: { en: 'it is starting', de: 'startet gerade' },
  no_process_id: { en: 'there is no process id in it', de: 'es steht keine Prozessnummer darin' },
  source_being_removed: { en: '{title} is being removed', de: '{title} wird entfernt' },
  no_such_source_inside: {
    en: 'there is no such source in the library',
    de: 'diese Quelle gibt es in der Bibliothek nicht'
  },
  progress_in_store: { en: '{done} / {total} in vector store', de: '{done} / {total} im Vektorspeicher' },
  progress_extracted: { en: '{done} / {total} extracted', de: '{done} / {total} eingelesen' },
  more_than_mib: { en: 'it has more than {limit} MiB', de: 'es hat mehr als {limit} MiB' },
  zim_packing_unknown: {
    en: 'packing {packing} of the archive is not known',
    de: 'die Packart {packing} des Archivs ist nicht bekannt'
  },
  zim_content_outside: {
    en: 'the archive is damaged: content lies outside of its cluster',
    de: 'das Archiv ist beschädigt: Inhalt liegt außerhalb seines Clusters'
  },
  zim_no_entry: {
    en: 'the archive is damaged: it has no entry {entry}',
    de: 'das Archiv ist beschädigt: Es hat keinen Eintrag {entry}'
  },
  zim_path_endless: {
    en: 'the archive is damaged: the path of entry {entry} does not end',
    de: 'das Archiv ist beschädigt: Der Pfad von Eintrag {entry} endet nicht'
  },
  zim_entry_outside: {
    en: 'the archive is damaged or cut off: an entry lies outside of the file',
    de: 'das Archiv ist beschädigt oder abgeschnitten: Ein Eintrag liegt außerhalb der Datei'
  },
  no_archive_at: { en: 'there is no archive {path}', de: 'es gibt kein Archiv {path}' },
  archive_not_opened: { en: 'the archive cannot be opened: {said}', de: 'das Archiv lässt sich nicht öffnen: {said}' },
  zim_lies_outside: {
    en: 'the archive is damaged or cut off: {what} lies outside of the file',
    de: 'das Archiv ist beschädigt oder abgeschnitten: {what} liegt außerhalb der Datei'
  },
  zim_not_in_file: {
    en: 'the archive is cut off: {what} is not in the file',
    de: 'das Archiv ist abgeschnitten: {what} fehlt in der Datei'
  },
  archive_not_read: { en: 'the archive cannot be read: {said}', de: 'das Archiv kann nicht gelesen werden: {said}' },
  archive_shorter: {
    en: 'the archive became shorter while it was read: {what} is gone',
    de: 'das Archiv wurde beim Lesen kürzer: {what} ist weg'
  },
  zim_header: { en: 'the header', de: 'der Kopf' },
  zim_version: {
    en: 'the archive has version {major}.{minor}; versions 5 and 6 can be read',
    de: 'das Archiv hat die Version {major}.{minor}; gelesen werden die Versionen 5 und 6'
  },
  zim_cut_off: {
    en: 'the archive is cut off: {missing} missing',
    de: 'das Archiv ist abgeschnitten, es fehlt: {missing}'
  },
  zim_bytes_are: { en: '{count} bytes are', de: '{count} Bytes' },
  zim_end_is: { en: 'its end is', de: 'das Ende' },
  zim_list_paths: { en: 'the list of paths', de: 'die Liste der Pfade' },
  zim_list_titles: { en: 'the list of titles', de: 'die Liste der Titel' },
  zim_list_clusters: { en: 'the list of clusters', de: 'die Liste der Cluster' },
  zim_list_types: { en: 'the list of media types', de: 'die Liste der Medientypen' },
  not_a_zim: { en: 'this is no ZIM archive', de: 'das ist kein ZIM-Archiv' },
  zim_types_endless: {
    en: 'the archive is damaged: its list of media types does not end',
    de: 'das Archiv ist beschädigt: Seine Liste der Medientypen endet nicht'
  },
  zim_checksum_misplaced: {
    en: 'the archive is damaged: its checksum does not stand at its end',
    de: 'das Archiv ist beschädigt: Seine Prüfsumme steht nicht am Ende'
  },
  zim_header_wrong: {
    en: 'the archive is damaged: its header contradicts itself',
    de: 'das Archiv ist beschädigt: Sein Kopf widerspricht sich'
  },
  zim_paths_unsorted: {
    en: 'the archive is damaged: its entries are out of order at entry {entry}',
    de: 'das Archiv ist beschädigt: Bei Eintrag {entry} stimmt die Reihenfolge nicht'
  },
  zim_titles_unsorted: {
    en: 'the archive is damaged: its titles are out of order at place {place}',
    de: 'das Archiv ist beschädigt: Bei Titel {place} stimmt die Reihenfolge nicht'
  },
  zim_title_unknown: {
    en: 'the archive is damaged: title {place} belongs to no entry',
    de: 'das Archiv ist beschädigt: Titel {place} gehört zu keinem Eintrag'
  },
  zim_type_unknown: {
    en: 'the archive is damaged: entry {entry} has the media type {type}, which is not in the list',
    de: 'das Archiv ist beschädigt: Eintrag {entry} hat den Medientyp {type}, der nicht in der Liste steht'
  },
  zim_pointer_wrong: {
    en: 'the archive is damaged: number {number} of {what} points to where nothing can be',
    de: 'das Archiv ist beschädigt: {what}, Nummer {number}, zeigt auf eine unmögliche Stelle'
  },
  zim_cluster_offsets: {
    en: 'the archive is damaged: what lies in cluster {number} is not where it says',
    de: 'das Archiv ist beschädigt: Was in Cluster {number} liegt, steht nicht, wo er sagt'
  },
  article_too_short: { en: 'it has only {length} characters of text', de: 'es hat nur {length} Zeichen Text' },
  zim_damaged: { en: 'the archive is damaged: {said}', de: 'das Archiv ist beschädigt: {said}' },
  zim_cluster_packing: {
    en: 'the archive is damaged: a cluster is not packed as it says',
    de: 'das Archiv ist beschädigt: Ein Cluster ist anders gepackt, als er sagt'
  },
  zim_cluster_too_large: {
    en: 'a cluster of the archive holds more than {limit} MiB',
    de: 'ein Cluster des Archivs enthält mehr als {limit} MiB'
  },
  zim_redirects_endless: {
    en: 'the redirects from {path} do not come to an end',
    de: 'die Weiterleitungen von {path} nehmen kein Ende'
  },
  zim_no_content: { en: '{path} has no content', de: '{path} hat keinen Inhalt' },
  zim_an_entry: { en: 'an entry', de: 'ein Eintrag' },
  zim_a_cluster: { en: 'a cluster', de: 'ein Cluster' },
  zim_cluster: { en: 'cluster {number}', de: 'Cluster {number}' },
  zim_a_list: { en: 'a list', de: 'eine Liste' },
  archive_refused: { en: '{why}.', de: '{why}.' },
  archive_reader_died_said: {
    en: 'the reader of the archive {how}: {said}',
    de: 'der Leser des Archivs: {how}: {said}'
  },
  count_failed: { en: '{count} failed', de: '{count} fehlgeschlagen' },
  preview_serves_none: {
    en: 'this is a preview: archives are shown, and none is served',
    de: 'das ist eine Vorschau: Archive werden gezeigt, aber keines wird ausgeliefert'
  }
}
