import type { DOCUMENTS_CODES } from '../reasons/documents.ts'
import type { SentencesOf } from './sentence.ts'

export const DOCUMENTS_SENTENCES: SentencesOf<typeof DOCUMENTS_CODES> = {
  in_catalogue_already: {
    en: 'this is in the catalogue already: {filename}',
    de: 'das steht schon im Katalog: {filename}'
  },
  document_gone: { en: 'document {id} is gone', de: 'Dokument {id} ist nicht mehr da' },
  document_nothing_to_do: {
    en: 'document {id} is {status}: nothing to {stage}',
    de: 'Dokument {id} ist {status}: nichts zu tun ({stage})'
  },
  status_pending: {
    en: 'It has arrived and waits to be looked at.',
    de: 'Es ist angekommen und wartet darauf, angesehen zu werden.'
  },
  status_processing: {
    en: 'It is being converted, named and filed.',
    de: 'Es wird umgewandelt, benannt und abgelegt.'
  },
  status_needs_review: {
    en: 'It is probably a copy of another document: somebody must decide.',
    de: 'Es ist wahrscheinlich die Kopie eines anderen Dokuments: Jemand muss entscheiden.'
  },
  status_rejected: { en: 'It cannot be taken in.', de: 'Es kann nicht angenommen werden.' },
  status_duplicate: {
    en: 'It is a copy of a document that is here already.',
    de: 'Es ist die Kopie eines Dokuments, das schon da ist.'
  },
  status_queued: {
    en: 'It is filed and waits to be read.',
    de: 'Es ist abgelegt und wartet darauf, gelesen zu werden.'
  },
  status_extracting: { en: 'Its pages are being read.', de: 'Seine Seiten werden gelesen.' },
  status_extracted: {
    en: 'Its pages are read; its text waits to be taken apart.',
    de: 'Seine Seiten sind gelesen; sein Text wartet darauf, zerlegt zu werden.'
  },
  status_enriching: { en: 'Its text is being taken apart.', de: 'Sein Text wird zerlegt.' },
  status_enriched: {
    en: 'It is found by its words; its vectors are still to be made.',
    de: 'Es wird über seine Wörter gefunden; seine Vektoren fehlen noch.'
  },
  status_embedding: {
    en: 'It is found by its words; its vectors are being made.',
    de: 'Es wird über seine Wörter gefunden; seine Vektoren entstehen gerade.'
  },
  status_complete: { en: 'It is searchable.', de: 'Es wird gefunden.' },
  status_skipped: { en: 'It was left out.', de: 'Es wurde ausgelassen.' },
  status_failed: {
    en: 'Something went wrong; it can be tried again.',
    de: 'Etwas ging schief; es kann noch einmal versucht werden.'
  },
  file_came_already: { en: 'this file has come already: {filename}', de: 'diese Datei ist schon gekommen: {filename}' },
  vector_of: { en: 'vector {number} of {count}', de: 'Vektor {number} von {count}' },
  vectors_incomplete: {
    en: '{stored} of {count} vectors were stored: trying again',
    de: '{stored} von {count} Vektoren wurden gespeichert: neuer Versuch'
  },
  embedding_model_changed: {
    en: 'the embedding model changed half-way: beginning again',
    de: 'das Vektormodell wechselte mittendrin: von vorn'
  },
  embedding_server: { en: 'the embedding server ({provider})', de: 'der Vektorserver ({provider})' },
  embedding_wrong_count: {
    en: '{from} answered {found} vectors to {expected} texts',
    de: '{from} antwortete mit {found} Vektoren auf {expected} Texte'
  },
  embedding_wrong_length: {
    en: '{from} answered a vector of {found} numbers instead of {expected}',
    de: '{from} antwortete mit einem Vektor aus {found} Zahlen statt {expected}'
  },
  embedding_no_numbers: {
    en: '{from} answered a vector with numbers that are none',
    de: '{from} antwortete mit einem Vektor aus ungültigen Zahlen'
  },
  embedding_unanswered: {
    en: 'the embedding server ({provider}) has not answered yet',
    de: 'der Vektorserver ({provider}) hat noch nicht geantwortet'
  },
  embedding_lengths_differ: {
    en: 'embedding ({provider}): vectors of different lengths came',
    de: 'Vektoren ({provider}): Es kamen Vektoren verschiedener Länge'
  },
  embedding_no_folder_named: {
    en: 'knowledge.embedding.model names no folder: put a model into models/NAME of the data folder, and name it there',
    de: 'knowledge.embedding.model nennt keinen Ordner: Legen Sie ein Modell in models/NAME des Datenordners und nennen Sie es dort'
  },
  embedding_file_missing: {
    en: '{file} cannot be read: a model is a folder with model.safetensors and tokenizer.json',
    de: '{file} lässt sich nicht lesen: Ein Modell ist ein Ordner mit model.safetensors und tokenizer.json'
  },
  embedding_file_damaged: {
    en: '{file} is no file of a model of static embeddings, or not whole: bring it anew',
    de: '{file} gehört zu keinem Modell statischer Vektoren oder ist nicht ganz: Bringen Sie die Datei neu'
  },
  embedding_words_without_rows: {
    en: '{file} has {rows} rows for {words} tokens: the two files belong to different models',
    de: '{file} hat {rows} Zeilen für {words} Token: Die beiden Dateien gehören zu verschiedenen Modellen'
  },
  embedding_no_vector: {
    en: '{file} makes no vector of words of its own vocabulary: the two files belong to different models, or it is empty',
    de: '{file} macht aus Wörtern des eigenen Wortschatzes keinen Vektor: Die beiden Dateien gehören zu verschiedenen Modellen, oder sie ist leer'
  },
  model_name_odd: {
    en: 'The name of a model begins with a letter or a digit, and has letters, digits, dots, hyphens and underscores after it, 100 at most.',
    de: 'Der Name eines Modells beginnt mit einem Buchstaben oder einer Ziffer; dahinter stehen Buchstaben, Ziffern, Punkte, Binde- und Unterstriche, höchstens 100.'
  },
  model_file_odd: {
    en: 'A model is two files, model.safetensors and tokenizer.json: {file} is called otherwise.',
    de: 'Ein Modell besteht aus zwei Dateien, model.safetensors und tokenizer.json: {file} heißt anders.'
  },
  model_file_too_large: {
    en: '{file} has more than {limit} MB, the most this station takes.',
    de: '{file} hat mehr als {limit} MB; mehr nimmt diese Station nicht an.'
  },
  model_too_heavy: {
    en: 'This board could not open the model: it is too large for its memory, or takes too long ({said})',
    de: 'Dieses Gerät konnte das Modell nicht öffnen: Es ist zu groß für den Speicher oder dauert zu lange ({said})'
  },
  model_refused: {
    en: '{said}. Neither file was kept, and nothing else has changed: choose both again.',
    de: '{said}. Keine der beiden Dateien blieb hier, und sonst hat sich nichts geändert: Wählen Sie beide noch einmal.'
  },
  model_not_here: { en: 'No model of this name is here.', de: 'Ein Modell dieses Namens ist nicht hier.' },
  model_in_use: {
    en: 'This model is in use: choose another one, or the built-in embedding in the settings, first.',
    de: 'Dieses Modell ist in Gebrauch: Wählen Sie erst ein anderes oder in den Einstellungen die eingebauten Vektoren.'
  },
  embedding_failed: { en: 'embedding ({provider}): {said}', de: 'Vektoren ({provider}): {said}' },
  embedding_none: {
    en: '{host}: what came from {path} is no embedding',
    de: '{host}: Was von {path} kam, sind keine Vektoren'
  },
  page_of: { en: 'page {page} of {count}', de: 'Seite {page} von {count}' },
  model_missed_pages: {
    en: 'The language model wrote nothing for pages {pages}: {why}',
    de: 'Das Sprachmodell schrieb nichts zu den Seiten {pages}: {why}'
  },
  model_missed_more_pages: {
    en: 'The language model wrote nothing for pages {pages} and {more} more: {why}',
    de: 'Das Sprachmodell schrieb nichts zu den Seiten {pages} und {more} weiteren: {why}'
  },
  it_failed: { en: 'it failed', de: 'es schlug fehl' },
  same_text: { en: 'it has the same text', de: 'es hat denselben Text' },
  nearly_same_text: { en: 'it has nearly the same text', de: 'es hat fast denselben Text' },
  no_text_in_document: {
    en: 'the document holds no text that can be read',
    de: 'das Dokument enthält keinen lesbaren Text'
  },
  no_text_yet: {
    en: 'no text was found in it. What is drawn or photographed could not be read: {why}',
    de: 'es wurde kein Text darin gefunden. Gezeichnetes oder Fotografiertes konnte nicht gelesen werden: {why}'
  },
  text_too_many_pages: {
    en: 'the text has more than {limit} pages, most of them cut by form feeds: split it',
    de: 'der Text hat mehr als {limit} Seiten, die meisten durch Seitenvorschübe getrennt: Teilen Sie ihn'
  },
  page_too_much_text: {
    en: 'one page of it holds more than {limit} characters: that is no page to read',
    de: 'eine Seite enthält mehr als {limit} Zeichen: Das ist keine Seite zum Lesen'
  },
  reading_text_page: { en: 'reading page {page}', de: 'Seite {page} wird gelesen' },
  comparing_page: {
    en: 'comparing page {page} with what is here',
    de: 'Seite {page} wird mit dem Vorhandenen verglichen'
  },
  indexing_item: {
    en: 'putting passage {number} of {count} into the index',
    de: 'Abschnitt {number} von {count} kommt in den Index'
  },
  reading_pages: { en: 'reading {count} pages', de: '{count} Seiten werden gelesen' },
  reading_scanned_page: {
    en: 'reading scanned page {page} ({at} of {count})',
    de: 'gescannte Seite {page} wird gelesen ({at} von {count})'
  },
  scanned_unreadable: {
    en: '{count} scanned pages could not be read: {pages}.',
    de: '{count} gescannte Seiten konnten nicht gelesen werden: {pages}.'
  },
  all_pages_pictures: {
    en: 'all {count} pages are pictures without text. {why}',
    de: 'alle {count} Seiten sind Bilder ohne Text. {why}'
  },
  some_pages_pictures: {
    en: '{empty} of {count} pages are pictures without usable text. {why}',
    de: '{empty} von {count} Seiten sind Bilder ohne brauchbaren Text. {why}'
  },
  language_not_allowed: {
    en: 'the text is in {language} ({code}), not one of knowledge.allowed_languages: {allowed}',
    de: 'der Text ist in der Sprache {language} ({code}), nicht in einer von knowledge.allowed_languages: {allowed}'
  },
  model_window: { en: 'language model: window {window} of {count}', de: 'Sprachmodell: Fenster {window} von {count}' },
  model_not_asked: { en: 'not asked: {said}', de: 'nicht gefragt: {said}' },
  model_no_json: {
    en: 'the answer was not the JSON that was asked for',
    de: 'die Antwort war nicht das verlangte JSON'
  },
  model_request_withheld: {
    en: '{host}: the request was withheld ({why})',
    de: '{host}: die Anfrage wurde zurückgehalten ({why})'
  },
  model_answer_too_long: {
    en: '{host}: the answer did not fit into the limit of tokens',
    de: '{host}: die Antwort passte nicht in die Grenze der Tokens'
  },
  model_answer_withheld_why: {
    en: '{host}: the answer was withheld ({why})',
    de: '{host}: die Antwort wurde zurückgehalten ({why})'
  },
  model_no_answer: {
    en: '{host}: no answer of a language model came',
    de: '{host}: Es kam keine Antwort eines Sprachmodells'
  },
  model_refuses: { en: '{host}: the model refuses to answer', de: '{host}: das Modell verweigert die Antwort' },
  model_thought_too_long: {
    en: '{host}: all tokens were used up by thinking',
    de: '{host}: alle Tokens gingen für das Nachdenken auf'
  },
  model_answer_withheld: { en: '{host}: the answer was withheld', de: '{host}: die Antwort wurde zurückgehalten' },
  program_needed: {
    en: '{program} is not installed; it {use}. Install it: {install}',
    de: '{program} ist nicht installiert; es {use}. Zu installieren mit: {install}'
  },
  use_pdftotext: { en: 'reads the text of PDF files', de: 'liest den Text von PDF-Dateien' },
  use_pdfinfo: { en: 'reads the facts of PDF files', de: 'liest die Angaben von PDF-Dateien' },
  use_pdftoppm: { en: 'draws scanned pages for reading', de: 'zeichnet gescannte Seiten zum Lesen' },
  use_pdfimages: { en: 'finds the pictures of scanned pages', de: 'findet die Bilder gescannter Seiten' },
  use_tesseract: { en: 'reads scanned pages', de: 'liest gescannte Seiten' },
  use_soffice: { en: 'converts .doc and .docx files', de: 'wandelt Dateien .doc und .docx um' },
  use_catdoc: { en: 'reads the text of .doc files', de: 'liest den Text von Dateien .doc' },
  use_mobitool: { en: 'unpacks .mobi files', de: 'packt Dateien .mobi aus' },
  use_ebook_convert: { en: 'converts .epub and .mobi files', de: 'wandelt Dateien .epub und .mobi um' },
  ocr_off: {
    en: 'Reading of scanned pages is off (knowledge.ocr).',
    de: 'Das Lesen gescannter Seiten ist aus (knowledge.ocr).'
  },
  tesseract_data: { en: "tesseract's data for {languages}", de: 'die Sprachdaten von tesseract für {languages}' },
  not_installed_apt: {
    en: '{what} is not installed. Install it: sudo apt install {packages}',
    de: '{what}: nicht installiert. Zu installieren mit: sudo apt install {packages}'
  },
  page_not_drawn: { en: 'page {page} cannot be drawn', de: 'Seite {page} kann nicht gezeichnet werden' },
  page_not_read: { en: 'page {page} cannot be read: {said}', de: 'Seite {page} kann nicht gelesen werden: {said}' },
  xfa_form: {
    en: 'this PDF is a form that only Adobe Reader can show (XFA); any other program finds one page that says "Please wait". Open it in Adobe Reader, print it to a PDF or save it as an ordinary one, and send that.',
    de: 'dieses PDF ist ein Formular, das nur Adobe Reader zeigen kann (XFA); jedes andere Programm findet eine einzige Seite mit „Bitte warten“. Öffnen Sie es im Adobe Reader, drucken Sie es in ein PDF oder speichern Sie es als gewöhnliches, und senden Sie dieses.'
  },
  pdf_encrypted: {
    en: 'encrypted: the PDF opens only with a password. Save it without one and send it again.',
    de: 'verschlüsselt: Das PDF öffnet sich nur mit einem Passwort. Speichern Sie es ohne und senden Sie es noch einmal.'
  },
  pdf_too_many_pages: {
    en: 'the PDF has {pages} pages; the limit is {limit}: split it',
    de: 'das PDF hat {pages} Seiten; die Grenze ist {limit}: Teilen Sie es'
  },
  pdf_damaged: {
    en: 'the PDF is damaged, cut off or has no pages',
    de: 'das PDF ist beschädigt, abgeschnitten oder hat keine Seiten'
  },
  pdf_damaged_said: {
    en: 'the PDF is damaged, cut off or has no pages ({said})',
    de: 'das PDF ist beschädigt, abgeschnitten oder hat keine Seiten ({said})'
  },
  pdf_text_unreadable: {
    en: 'the text of the PDF cannot be read: {said}',
    de: 'der Text des PDF kann nicht gelesen werden: {said}'
  },
  pdf_text_may_be_missing: {
    en: 'The PDF is damaged: some of its text may be missing.',
    de: 'Das PDF ist beschädigt: Ein Teil des Textes kann fehlen.'
  },
  no_stored_file: {
    en: '{filename} has no stored file to read',
    de: '{filename} hat keine gespeicherte Datei zum Lesen'
  },
  text_too_large: {
    en: 'the text is {size} bytes large; the limit is {limit}: split it',
    de: 'der Text ist {size} Bytes groß; die Grenze ist {limit}: Teilen Sie ihn'
  },
  transcript_too_short: {
    en: 'the transcript holds only {length} characters of text: {cues} captions',
    de: 'das Transkript enthält nur {length} Zeichen Text: {cues} Untertitel'
  },
  transcript_too_short_broken: {
    en: 'the transcript holds only {length} characters of text: {cues} captions, and {broken} whose time cannot be read',
    de: 'das Transkript enthält nur {length} Zeichen Text: {cues} Untertitel, und {broken}, deren Zeit nicht lesbar ist'
  },
  domain_too_few_words: {
    en: 'too few words that tell its domain',
    de: 'zu wenige Wörter, die sein Sachgebiet verraten'
  },
  domain_one_of_two: { en: 'could be {first} or {second}', de: 'könnte {first} oder {second} sein' },
  domain_several: { en: 'it is about several domains', de: 'es behandelt mehrere Sachgebiete' },
  status_pending_why: {
    en: 'It has arrived and waits to be looked at: {why}',
    de: 'Es ist angekommen und wartet darauf, angesehen zu werden: {why}'
  },
  status_processing_why: {
    en: 'It is being converted, named and filed: {why}',
    de: 'Es wird umgewandelt, benannt und abgelegt: {why}'
  },
  status_needs_review_why: {
    en: 'It is probably a copy of another document: somebody must decide, {why}',
    de: 'Es ist wahrscheinlich die Kopie eines anderen Dokuments: Jemand muss entscheiden, {why}'
  },
  status_rejected_why: { en: 'It cannot be taken in: {why}', de: 'Es kann nicht angenommen werden: {why}' },
  status_duplicate_why: {
    en: 'It is a copy of a document that is here already: {why}',
    de: 'Es ist die Kopie eines Dokuments, das schon da ist: {why}'
  },
  status_queued_why: {
    en: 'It is filed and waits to be read: {why}',
    de: 'Es ist abgelegt und wartet darauf, gelesen zu werden: {why}'
  },
  status_extracting_why: { en: 'Its pages are being read: {why}', de: 'Seine Seiten werden gelesen: {why}' },
  status_extracted_why: {
    en: 'Its pages are read; its text waits to be taken apart: {why}',
    de: 'Seine Seiten sind gelesen; sein Text wartet darauf, zerlegt zu werden: {why}'
  },
  status_enriching_why: { en: 'Its text is being taken apart: {why}', de: 'Sein Text wird zerlegt: {why}' },
  status_enriched_why: {
    en: 'It is found by its words; its vectors are still to be made: {why}',
    de: 'Es wird über seine Wörter gefunden; seine Vektoren fehlen noch: {why}'
  },
  status_embedding_why: {
    en: 'It is found by its words; its vectors are being made: {why}',
    de: 'Es wird über seine Wörter gefunden; seine Vektoren entstehen gerade: {why}'
  },
  status_complete_why: { en: 'It is searchable: {why}', de: 'Es wird gefunden: {why}' },
  status_skipped_why: { en: 'It was left out: {why}', de: 'Es wurde ausgelassen: {why}' },
  status_failed_why: {
    en: 'Something went wrong; it can be tried again: {why}',
    de: 'Etwas ging schief; es kann noch einmal versucht werden: {why}'
  },
  detector_broken: {
    en: 'the language detector {detector} does not work: {said}',
    de: 'die Spracherkennung {detector} arbeitet nicht: {said}'
  }
}
