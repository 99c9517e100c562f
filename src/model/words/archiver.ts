import type { ARCHIVER_CODES } from '../reasons/archiver.ts'
import type { SentencesOf } from './sentence.ts'

export const ARCHIVER_SENTENCES: SentencesOf<typeof ARCHIVER_CODES> = {
  too_many_archives_of_site: {
    en: 'there are too many archives of this site already',
    de: 'von dieser Website gibt es schon zu viele Archive'
  },
  archive_made_damaged: {
    en: 'The archive that was made is damaged (zimcheck: {said}).',
    de: 'Das entstandene Archiv ist beschädigt (zimcheck: {said}).'
  },
  static_pages_note: { en: 'Static pages only.', de: 'Nur statische Seiten.' },
  archive_limit_reached: {
    en: 'The limit of {limit} was reached: the archive holds a part of the site.',
    de: 'Die Grenze von {limit} wurde erreicht: Das Archiv enthält einen Teil der Website.'
  },
  pages_left_out_robots: {
    en: 'Pages left out as robots.txt asks: {count}.',
    de: 'Auf Wunsch von robots.txt ausgelassene Seiten: {count}.'
  },
  pages_not_fetched: {
    en: 'Pages that could not be fetched: {count}.',
    de: 'Seiten, die sich nicht holen ließen: {count}.'
  },
  count_pages: { en: '{count} pages', de: '{count} Seiten' },
  count_minutes: { en: '{count} minutes', de: '{count} Minuten' },
  crawl_pause_ignored: {
    en: 'The pause of {seconds} s between pages was not applied: this crawler has no option for it.',
    de: 'Die Pause von {seconds} s zwischen Seiten wurde nicht eingehalten: Dieser Crawler hat dafür keine Option.'
  },
  crawl_pause_rounded: {
    en: 'The crawler pauses {seconds} s between pages: it takes whole seconds.',
    de: 'Der Crawler pausiert {seconds} s zwischen Seiten: Er nimmt ganze Sekunden.'
  },
  no_container_engine: {
    en: 'there is no container engine with the image of the archiver',
    de: 'es gibt keine Container-Engine mit dem Abbild des Archivierers'
  },
  data_path_colon: {
    en: 'the path of the data folder holds a colon',
    de: 'der Pfad des Datenordners enthält einen Doppelpunkt'
  },
  container_removed: {
    en: 'the container of the archiver was removed by somebody',
    de: 'der Container des Archivierers wurde von jemandem entfernt'
  },
  crawler_left_nothing: {
    en: 'The crawler ended well and left no archive.',
    de: 'Der Crawler endete ordentlich und hinterließ kein Archiv.'
  },
  crawler_left_nothing_said: {
    en: 'The crawler ended well and left no archive. {said}',
    de: 'Der Crawler endete ordentlich und hinterließ kein Archiv. {said}'
  },
  a_limit_was_reached: {
    en: 'A limit was reached: the archive holds a part of the site.',
    de: 'Eine Grenze wurde erreicht: Das Archiv enthält einen Teil der Website.'
  },
  crawl_too_long: {
    en: 'The crawl took much longer than it may, and was stopped.',
    de: 'Das Einsammeln dauerte viel länger als erlaubt und wurde angehalten.'
  },
  crawl_stood_still: {
    en: 'The crawl stood still for {minutes} minutes, and was stopped.',
    de: 'Das Einsammeln stand {minutes} Minuten still und wurde angehalten.'
  },
  engine_not_started: {
    en: '{engine} could not start the archiver: {said}',
    de: '{engine} konnte den Archivierer nicht starten: {said}'
  },
  engine_does_not_answer: { en: '{engine} does not answer: {said}', de: '{engine} antwortet nicht: {said}' },
  disk_not_enough_space: {
    en: 'there is not enough space on the disk: {free} are free, and {kept} are kept free (uploads.min_free_bytes). Remove something, then try again',
    de: 'der Platz auf dem Datenträger reicht nicht: {free} sind frei, und {kept} bleiben frei (uploads.min_free_bytes). Entfernen Sie etwas, dann versuchen Sie es noch einmal'
  },
  engine_no_answer: {
    en: '{engine} did not answer within {seconds} s',
    de: '{engine} antwortete nicht innerhalb von {seconds} s'
  },
  could_not_start: { en: '{program} could not be started: {said}', de: '{program} ließ sich nicht starten: {said}' },
  zimwriterfs_missing: {
    en: 'zimwriterfs is not installed (package zim-tools)',
    de: 'zimwriterfs ist nicht installiert (Paket zim-tools)'
  },
  engine_container: { en: 'whole sites, with a browser (zimit)', de: 'ganze Websites, mit einem Browser (zimit)' },
  engine_static: { en: 'static pages only', de: 'nur statische Seiten' },
  engine_none: { en: 'nothing can be archived here', de: 'hier kann nichts archiviert werden' },
  cannot_archive_here: {
    en: 'Sites cannot be archived here. Either {built_in}; or {container}.',
    de: 'Websites können hier nicht archiviert werden. Entweder: {built_in}; oder: {container}.'
  },
  needs_64_bit: {
    en: 'a 64-bit processor is needed for containers',
    de: 'für Container braucht es einen 64-Bit-Prozessor'
  },
  needs_2_gb: {
    en: 'at least 2 GB of memory are needed for containers',
    de: 'für Container braucht es mindestens 2 GB Speicher'
  },
  no_docker_podman: { en: 'neither docker nor podman is installed', de: 'weder docker noch podman ist installiert' },
  image_not_loaded: {
    en: 'the image {image} is not loaded (lookout archiver install FILE)',
    de: 'das Abbild {image} ist nicht geladen (lookout archiver install FILE)'
  },
  engine_installed_silent: {
    en: '{engine} is installed but does not answer: {said}',
    de: '{engine} ist installiert, antwortet aber nicht: {said}'
  },
  crawler_no_archive: {
    en: 'the crawler could not make an archive of what it had fetched',
    de: 'der Crawler konnte aus dem Geholten kein Archiv machen'
  },
  crawler_not_understood: {
    en: 'the crawler did not take what it was told: another version of its image may be loaded',
    de: 'der Crawler nahm nicht an, was ihm gesagt wurde: Vielleicht ist eine andere Version seines Abbilds geladen'
  },
  crawler_stopped: {
    en: 'the crawler was stopped, or its disk was full',
    de: 'der Crawler wurde angehalten, oder sein Datenträger war voll'
  },
  crawler_failed_site: {
    en: 'the crawler failed: the site may be down or refuse it',
    de: 'der Crawler scheiterte: Die Website ist vielleicht nicht erreichbar oder weist ihn ab'
  },
  crawler_browser_crashed: { en: 'the browser of the crawler crashed', de: 'der Browser des Crawlers stürzte ab' },
  crawl_interrupted: { en: 'the crawl was interrupted', de: 'das Einsammeln wurde unterbrochen' },
  too_many_pages_failed: { en: 'too many pages could not be fetched', de: 'zu viele Seiten ließen sich nicht holen' },
  site_too_large: {
    en: 'the site is larger than an archive may be (scraper.max_bytes)',
    de: 'die Website ist größer, als ein Archiv sein darf (scraper.max_bytes)'
  },
  site_too_long: {
    en: 'the site takes longer than a crawl may (scraper.max_minutes)',
    de: 'die Website dauert länger als erlaubt (scraper.max_minutes)'
  },
  disk_too_full_for_crawler: {
    en: 'the disk was too full for the crawler',
    de: 'der Datenträger war zu voll für den Crawler'
  },
  crawler_own_error: {
    en: 'the crawler gave up because of an error of its own',
    de: 'der Crawler gab wegen eines eigenen Fehlers auf'
  },
  site_wants_pauses: {
    en: 'the site wants to be asked less often: raise scraper.rate_limit_delay',
    de: 'die Website will seltener gefragt werden: Erhöhen Sie scraper.rate_limit_delay'
  },
  crawler_proxy: {
    en: 'the proxy of the crawler cannot be reached',
    de: 'der Proxy des Crawlers ist nicht erreichbar'
  },
  container_not_started: { en: 'the container could not be started', de: 'der Container ließ sich nicht starten' },
  image_without_archiver: {
    en: 'the image does not hold the archiver',
    de: 'das Abbild enthält den Archivierer nicht'
  },
  container_ended_memory: {
    en: 'the container was ended from outside, or needed more memory than it may have',
    de: 'der Container wurde von außen beendet oder brauchte mehr Speicher, als er haben darf'
  },
  container_ended: { en: 'the container was ended from outside', de: 'der Container wurde von außen beendet' },
  crawler_failed: { en: 'the crawler failed', de: 'der Crawler scheiterte' },
  crawler_needs_memory: {
    en: 'The crawler needed more memory than this machine can give it.',
    de: 'Der Crawler brauchte mehr Speicher, als diese Maschine ihm geben kann.'
  },
  crawler_exit: { en: '{why} (exit code {code}).', de: '{why} (Exit-Code {code}).' },
  crawler_last_words: { en: '{why} Its last words: {said}', de: '{why} Seine letzten Worte: {said}' },
  engine_not_loaded: { en: '{engine} could not load it: {said}', de: '{engine} konnte es nicht laden: {said}' },
  no_image_named: { en: 'no image with a name', de: 'kein Abbild mit einem Namen' },
  image_is_other: {
    en: 'the file holds {held}, not {image}: get a file of that image, or choose another one (scraper.image)',
    de: 'die Datei enthält {held}, nicht {image}: Besorgen Sie eine Datei jenes Abbilds, oder wählen Sie ein anderes (scraper.image)'
  },
  is_not_a_file: { en: '{file} is not a file', de: '{file} ist keine Datei' },
  install_docker_podman: {
    en: 'neither docker nor podman is installed: install one of them first',
    de: 'weder docker noch podman ist installiert: Installieren Sie erst eines davon'
  },
  too_many_sites_wait: {
    en: '{count} sites are waiting already: let some of them finish first.',
    de: '{count} Websites warten schon: Lassen Sie erst einige davon fertig werden.'
  },
  no_such_scrape: { en: 'There is no scrape job {id}.', de: 'Es gibt keinen Archivierungsauftrag {id}.' },
  address_not_archived: { en: 'this address cannot be archived', de: 'diese Adresse kann nicht archiviert werden' },
  sends_no_web_page: {
    en: '{host} sends {type} there, not a web page',
    de: '{host} sendet dort {type}, keine Webseite'
  },
  robots_not_asked: {
    en: '{host} cannot be asked what robots may fetch: {said}',
    de: '{host} lässt sich nicht fragen, was Roboter holen dürfen: {said}'
  },
  robots_forbid: {
    en: '{host} asks robots not to fetch this page (robots.txt)',
    de: '{host} bittet Roboter, diese Seite nicht zu holen (robots.txt)'
  },
  site_not_archived: {
    en: 'the site cannot be archived: {said}',
    de: 'die Website kann nicht archiviert werden: {said}'
  },
  answers_not_page: {
    en: '{host} answers {status} instead of the page',
    de: '{host} antwortet {status} statt der Seite'
  },
  site_stopped_answering: {
    en: 'the site does not answer any more: {said}',
    de: 'die Website antwortet nicht mehr: {said}'
  },
  ended_without_word: { en: 'ended without a word', de: 'endete ohne ein Wort' },
  archiver_ended: { en: 'the archiver {how}', de: 'der Archivierer: {how}' },
  archiver_ended_said: { en: 'the archiver {how}: {said}', de: 'der Archivierer: {how}: {said}' },
  archiver_memory: {
    en: 'the archiver needed more than {limit} MiB of memory',
    de: 'der Archivierer brauchte mehr als {limit} MiB Speicher'
  },
  archiver_endless_line: {
    en: 'the archiver wrote a line without end',
    de: 'der Archivierer schrieb eine Zeile ohne Ende'
  },
  archiver_silent: {
    en: 'the archiver said nothing for {minutes} minutes',
    de: 'der Archivierer sagte {minutes} Minuten lang nichts'
  },
  zimwriterfs_failed: {
    en: 'zimwriterfs could not make the archive ({how}): {said}',
    de: 'zimwriterfs konnte das Archiv nicht machen ({how}): {said}'
  },
  robots_answers: { en: 'robots.txt answers {status}', de: 'robots.txt antwortet {status}' },
  waits_for_engine: {
    en: 'waits for the container engine: {missing}',
    de: 'wartet auf die Container-Engine: {missing}'
  },
  pages_of_pages: { en: '{done} of {total} pages', de: '{done} von {total} Seiten' },
  waits_for_library: { en: 'waits for the library', de: 'wartet auf die Bibliothek' },
  archive_not_taken_yet: {
    en: 'The archive {archive} was made, but the library did not take it yet.',
    de: 'Das Archiv {archive} ist fertig, aber die Bibliothek hat es noch nicht übernommen.'
  },
  crawl_stopped_note: { en: 'The crawl was stopped: {said}.', de: 'Das Einsammeln wurde angehalten: {said}.' },
  is_tried_again: { en: 'is tried again: {said}', de: 'wird noch einmal versucht: {said}' },
  is_being_cancelled: { en: 'is being cancelled', de: 'wird abgebrochen' },
  title_too_long: { en: 'A title has at most {limit} characters.', de: 'Ein Titel hat höchstens {limit} Zeichen.' },
  site_address_form: {
    en: 'Give the address of a web page that begins with http:// or https://.',
    de: 'Geben Sie die Adresse einer Webseite an, die mit http:// oder https:// beginnt.'
  },
  only_http: {
    en: 'Only addresses that begin with http:// or https:// are archived.',
    de: 'Archiviert werden nur Adressen, die mit http:// oder https:// beginnen.'
  },
  address_holds_secret: {
    en: 'The address holds a name or a password: archive public pages only.',
    de: 'Die Adresse enthält einen Namen oder ein Passwort: Archivieren Sie nur öffentliche Seiten.'
  },
  language_is_iso639_3: {
    en: 'A language is a code of ISO 639-3, such as eng or deu.',
    de: 'Eine Sprache ist ein Code nach ISO 639-3, etwa eng oder deu.'
  },
  too_many_languages: { en: 'At most {limit} languages.', de: 'Höchstens {limit} Sprachen.' },
  local_network_name: {
    en: '{host} is a name of a local network: only public sites are archived',
    de: '{host} ist ein Name aus einem lokalen Netz: Archiviert werden nur öffentliche Websites'
  },
  leads_to_private: {
    en: '{host} is not archived: it leads to {address}, which is not an address of the public Internet.',
    de: '{host} wird nicht archiviert: Es führt zu {address}, und das ist keine Adresse des öffentlichen Internets.'
  },
  site_cannot_be_archived: {
    en: 'The site cannot be archived: {said}.',
    de: 'Die Website kann nicht archiviert werden: {said}.'
  },
  sends_no_web_page_untyped: {
    en: '{host} sends something there, not a web page',
    de: '{host} sendet dort etwas, aber keine Webseite'
  },
  scrape_not_cancelled: {
    en: 'The job is {status}: it cannot be cancelled now.',
    de: 'Der Auftrag ist im Zustand „{status}“: Er lässt sich jetzt nicht abbrechen.'
  },
  scrape_not_retried: {
    en: 'The job is {status}: it cannot be tried again now.',
    de: 'Der Auftrag ist im Zustand „{status}“: Er lässt sich jetzt nicht noch einmal versuchen.'
  },
  scrape_not_deleted: {
    en: 'The job is {status}: it cannot be deleted now.',
    de: 'Der Auftrag ist im Zustand „{status}“: Er lässt sich jetzt nicht löschen.'
  },
  archive_made_unusable: {
    en: 'The archive was made, but it cannot be used: {why}',
    de: 'Das Archiv wurde gemacht, ist aber nicht zu gebrauchen: {why}'
  },
  begins_again: { en: 'It begins again by itself.', de: 'Es beginnt von selbst noch einmal.' },
  private_may_be_allowed: {
    en: '{said} A site of your own network is archived when the settings allow its host (scraper.allowed_hosts).',
    de: '{said} Eine Website im eigenen Netz wird archiviert, wenn die Einstellungen ihren Host erlauben (scraper.allowed_hosts).'
  },
  too_many_patterns: { en: 'at most {limit} patterns are taken', de: 'mehr als {limit} Muster gehen nicht' },
  pattern_no_path: {
    en: '"{pattern}" is no pattern: one begins with / or *, such as /blog/*',
    de: '„{pattern}“ ist kein Muster: Eines beginnt mit / oder *, etwa /blog/*'
  },
  pattern_too_long: {
    en: '"{pattern}" is too long: a pattern has at most 200 letters and 8 stars',
    de: '„{pattern}“ ist zu lang: Ein Muster hat höchstens 200 Zeichen und 8 Sterne'
  },
  pattern_letters: {
    en: '"{pattern}" is no pattern: it holds a blank, # or \\',
    de: '„{pattern}“ ist kein Muster: Es enthält ein Leerzeichen, # oder \\'
  },
  pattern_means_all: {
    en: '"{pattern}" fits every page',
    de: '„{pattern}“ passt auf jede Seite'
  },
  patterns_not_applied: {
    en: 'The patterns were not applied: this crawler has no option for them.',
    de: 'Die Muster wurden nicht angewandt: Dieser Crawler hat dafür keine Option.'
  },
  pages_of_pattern_left: {
    en: 'Pages like {pattern} say the same again and again: {kept} are in the archive, the next {count} and what follows were left out.',
    de: 'Seiten wie {pattern} sagen immer dasselbe: {kept} sind im Archiv, die nächsten {count} und was folgt wurden ausgelassen.'
  },
  documents_want_built_in: {
    en: 'PDFs and EPUBs are in the archive, not in the document library: the container took the site.',
    de: 'PDFs und EPUBs sind im Archiv, nicht in der Dokumentenbibliothek: Der Container hat die Website geholt.'
  },
  documents_taken_in: {
    en: 'PDFs and EPUBs that went into the document library: {count}.',
    de: 'PDFs und EPUBs, die in die Dokumentenbibliothek gingen: {count}.'
  },
  documents_here_already: {
    en: 'PDFs and EPUBs that were here already: {count}.',
    de: 'PDFs und EPUBs, die schon da waren: {count}.'
  },
  documents_not_taken: {
    en: 'PDFs and EPUBs that were not taken: {count}.',
    de: 'PDFs und EPUBs, die nicht genommen wurden: {count}.'
  },
  documents_limit: {
    en: 'The limit of {limit} was reached: more PDFs and EPUBs are linked.',
    de: 'Die Grenze von {limit} wurde erreicht: Es sind mehr PDFs und EPUBs verlinkt.'
  },
  count_documents: { en: '{count} documents', de: '{count} Dokumenten' },
  page_answers: { en: 'the site answers {status}', de: 'die Website antwortet {status}' },
  page_robots_forbid: { en: 'robots.txt forbids it', de: 'robots.txt verbietet es' },
  document_is_none: { en: 'what came is no PDF and no EPUB', de: 'was kam, ist weder PDF noch EPUB' },
  crawl_station_stopped: { en: 'the station was stopped', de: 'die Station wurde angehalten' },
  crawl_station_cut_off: {
    en: 'the station was cut off (power, crash)',
    de: 'die Station wurde abgebrochen (Strom, Absturz)'
  }
}
