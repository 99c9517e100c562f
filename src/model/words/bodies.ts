import type { BODIES_CODES } from '../reasons/bodies.ts'
import type { SentencesOf } from './sentence.ts'

export const BODIES_SENTENCES: SentencesOf<typeof BODIES_CODES> = {
  body_no_outlines: {
    en: '{feed}: no outlines. Is areas_url the address of the areas?',
    de: '{feed}: keine Umrisse. Ist areas_url die Adresse der Gebiete?'
  },
  service_error: {
    en: '{feed}: the service answered with an error: {said}.',
    de: '{feed}: der Dienst antwortet mit einem Fehler: {said}.'
  },
  body_no_forecasts: { en: '{feed}: neither forecasts nor outlines.', de: '{feed}: weder Vorhersagen noch Umrisse.' },
  body_no_map_layer: {
    en: '{feed}: not a FeatureCollection. Is this the address of the map layer?',
    de: '{feed}: keine FeatureCollection. Ist das die Adresse der Kartenebene?'
  },
  body_no_alert_list: {
    en: '{feed}: the JSON is no list of alerts. Is this the address of an index?',
    de: '{feed}: das JSON ist keine Liste von Warnungen. Ist das die Adresse einer Liste?'
  },
  body_no_index: {
    en: '{feed}: the document is a <{root}>: neither an index nor an alert.',
    de: '{feed}: das Dokument ist ein <{root}>: weder eine Liste noch eine Warnung.'
  },
  body_other_format: {
    en: '{feed}: the answer is of the format {found}; the source is set to {wanted}.',
    de: '{feed}: die Antwort hat das Format {found}; die Quelle ist auf {wanted} eingestellt.'
  },
  body_no_alert: {
    en: '{feed}: the document is a <{root}>, not an <alert>.',
    de: '{feed}: das Dokument ist ein <{root}>, kein <alert>.'
  },
  detail_did_not_come: { en: 'The detail did not come.', de: 'Die Einzelheiten kamen nicht.' },
  no_alert_behind_entry: { en: 'There is no alert behind the entry.', de: 'Hinter dem Eintrag steht keine Warnung.' },
  no_kind_of_source: {
    en: 'there is no kind of source "{kind}". Known: {known}.',
    de: 'es gibt keine Art von Quelle „{kind}“. Bekannt: {known}.'
  },
  poll_given_up: { en: 'the poll was given up', de: 'die Abfrage wurde aufgegeben' },
  demo_needs_file: {
    en: 'The demo scenario needs {file} in {folder} ({said}).',
    de: 'Das Vorführszenario braucht {file} in {folder} ({said}).'
  },
  demo_not_json: { en: 'scenario.json is not JSON: {said}', de: 'scenario.json ist kein JSON: {said}' },
  nested_too_deep: { en: 'its lists and objects nest too deep', de: 'Listen und Objekte sind zu tief verschachtelt' },
  events_no_list: {
    en: 'Events: neither a JSON array nor one JSON object per line.',
    de: 'Ereignisse: weder eine JSON-Liste noch ein JSON-Objekt je Zeile.'
  },
  wants_bbox: {
    en: '{feed}: set bbox; the coverage has no outline that could be asked for.',
    de: '{feed}: setzen Sie bbox; das Gebiet hat keinen Umriss, nach dem gefragt werden könnte.'
  },
  body_cut_in_row: {
    en: '{feed}: the file was cut off inside its last row.',
    de: '{feed}: die Datei bricht in ihrer letzten Zeile ab.'
  },
  web_page_for_csv: { en: '{feed}: a web page came instead of CSV.', de: '{feed}: statt CSV kam eine Webseite.' },
  body_is_empty: {
    en: '{feed}: the body is empty. Nothing is changed; try again later.',
    de: '{feed}: der Inhalt ist leer. Nichts wird geändert; versuchen Sie es später noch einmal.'
  },
  body_no_hotspots: {
    en: '{feed}: not a list of hotspots: "{said}".',
    de: '{feed}: keine Liste von Brandherden: „{said}“.'
  },
  body_not_csv: { en: '{feed}: the file is not CSV ({said}).', de: '{feed}: die Datei ist kein CSV ({said}).' },
  body_no_series: {
    en: '{feed}: neither features nor time series. Is this the address of the newest values?',
    de: '{feed}: weder Features noch Zeitreihen. Ist das die Adresse der neuesten Werte?'
  },
  body_no_gauges: {
    en: '{feed}: no gauges. Is this the address of the list of gauges, or of one?',
    de: '{feed}: keine Pegel. Ist das die Adresse der Liste der Pegel, oder eines Pegels?'
  },
  body_not_rss: {
    en: '{feed}: the document is a <{root}>, not an RSS feed.',
    de: '{feed}: das Dokument ist ein <{root}>, kein RSS-Feed.'
  },
  no_such_category: {
    en: 'there is no category "{category}". Name one of docs/configuration.md in category or in the rule.',
    de: 'es gibt keine Kategorie „{category}“. Nennen Sie eine aus docs/configuration.md in category oder in der Regel.'
  },
  body_too_many_items: {
    en: '{feed}: more than {most} items. Is there an address for current ones only?',
    de: '{feed}: mehr als {most} Einträge. Gibt es eine Adresse nur für die aktuellen?'
  },
  body_no_rss_nor_atom: {
    en: '{feed}: the document is a <{root}>, neither RSS nor Atom. Look at the address.',
    de: '{feed}: das Dokument ist ein <{root}>, weder RSS noch Atom. Prüfen Sie die Adresse.'
  },
  body_no_tsunami: {
    en: '{feed}: {name} is no forecast of a tsunami.',
    de: '{feed}: {name} ist keine Tsunami-Vorhersage.'
  },
  body_unknown_list: {
    en: '{feed}: a list, but not of earthquakes, tsunamis, volcanoes or warnings. Look at the address.',
    de: '{feed}: eine Liste, aber nicht von Erdbeben, Tsunamis, Vulkanen oder Warnungen. Prüfen Sie die Adresse.'
  },
  body_only_points: {
    en: '{feed}: this feed only points to reports. Give a report, or let the source ask for itself.',
    de: '{feed}: diese Liste verweist nur auf Berichte. Geben Sie einen Bericht an, oder lassen Sie die Quelle selbst fragen.'
  },
  body_no_report: {
    en: '{feed}: neither one of its lists nor a report with Head and Body.',
    de: '{feed}: weder eine der Listen noch ein Bericht mit Head und Body.'
  },
  report_of_nothing: {
    en: '{feed}: the report "{title}" tells of no earthquake and no tsunami, and warns of no weather.',
    de: '{feed}: der Bericht „{title}“ meldet kein Erdbeben und keinen Tsunami und warnt vor keinem Wetter.'
  },
  body_not_a_list: { en: '{feed}: not a list.', de: '{feed}: keine Liste.' },
  mesh_health_no_file: {
    en: 'mesh_health looks at the radios of the running station: there is no file to read',
    de: 'mesh_health sieht die Funkgeräte der laufenden Station an: es gibt keine Datei zu lesen'
  },
  body_no_alert_collection: {
    en: '{feed}: not a FeatureCollection. Is this the address of the alerts as GeoJSON?',
    de: '{feed}: keine FeatureCollection. Ist das die Adresse der Warnungen als GeoJSON?'
  },
  body_no_storms: {
    en: '{feed}: there is no list activeStorms. Is url that of CurrentStorms.json?',
    de: '{feed}: es gibt keine Liste activeStorms. Ist url die von CurrentStorms.json?'
  },
  body_not_rss_look: {
    en: '{feed}: the document is a <{root}>, not an RSS feed. Look at the address.',
    de: '{feed}: das Dokument ist ein <{root}>, kein RSS-Feed. Prüfen Sie die Adresse.'
  },
  body_too_long: { en: '{feed}: longer than any text product.', de: '{feed}: länger als jedes Textprodukt.' },
  body_no_alerts: {
    en: '{feed}: neither a FeatureCollection nor a @graph. Is this the address of the alerts?',
    de: '{feed}: weder eine FeatureCollection noch ein @graph. Ist das die Adresse der Warnungen?'
  },
  body_not_object: {
    en: '{feed}: the body is JSON, but not an object.',
    de: '{feed}: der Inhalt ist JSON, aber kein Objekt.'
  },
  web_page_for_json: {
    en: '{feed}: a web page came instead of JSON data.',
    de: '{feed}: statt JSON-Daten kam eine Webseite.'
  },
  body_not_json: {
    en: '{feed}: the body is not complete JSON; it was cut off or garbled.',
    de: '{feed}: der Inhalt ist kein vollständiges JSON; er wurde abgeschnitten oder verstümmelt.'
  },
  body_not_xml: {
    en: '{feed}: not complete, well-formed XML ({said}).',
    de: '{feed}: kein vollständiges, wohlgeformtes XML ({said}).'
  },
  web_page_for_feed: {
    en: '{feed}: a web page came instead of a feed.',
    de: '{feed}: statt eines Feeds kam eine Webseite.'
  },
  body_has_doctype: {
    en: '{feed}: documents with a DOCTYPE are refused.',
    de: '{feed}: Dokumente mit einem DOCTYPE werden abgelehnt.'
  },
  body_too_deep: { en: '{feed}: elements are nested too deep.', de: '{feed}: Elemente sind zu tief verschachtelt.' },
  body_no_element: { en: '{feed}: there is no element in it.', de: '{feed}: es enthält kein Element.' },
  encoding_unknown: {
    en: 'The encoding {label} is not known here; save the file as UTF-8.',
    de: 'Die Kodierung {label} ist hier nicht bekannt; speichern Sie die Datei als UTF-8.'
  },
  unknown_kind: {
    en: 'Unknown kind {kind}. Known kinds: {known}.',
    de: 'Unbekannte Art {kind}. Bekannte Arten: {known}.'
  },
  body_no_events: {
    en: '{feed}: there is no list of events. Is this the address of the events?',
    de: '{feed}: es gibt keine Liste von Ereignissen. Ist das die Adresse der Ereignisse?'
  },
  body_no_publication: {
    en: '{feed}: there is no situation publication in it.',
    de: '{feed}: es enthält keine Situation Publication.'
  },
  body_no_traffic: {
    en: '{feed}: no features. Is this the address of the traffic messages?',
    de: '{feed}: keine Features. Ist das die Adresse der Verkehrsmeldungen?'
  },
  body_too_many_pages: {
    en: '{feed}: more than {most} pages. Narrow it down in url.',
    de: '{feed}: mehr als {most} Seiten. Grenzen Sie es in url ein.'
  },
  body_no_work_zones: {
    en: '{feed}: not a FeatureCollection. Is this the address of a work zone feed?',
    de: '{feed}: keine FeatureCollection. Ist das die Adresse eines Baustellen-Feeds?'
  },
  no_plain_file: {
    en: 'it is no plain file of at most 16 MiB',
    de: 'es ist keine einfache Datei von höchstens 16 MiB'
  },
  web_page_for_elements: {
    en: '{feed}: XML or a web page came; ask for TLE, or for OMM as JSON or CSV.',
    de: '{feed}: XML oder eine Webseite kam; verlangen Sie TLE, oder OMM als JSON oder CSV.'
  },
  body_no_elements: { en: '{feed}: none in it. It says: {said}', de: '{feed}: keine darin. Es sagt: {said}' },
  body_too_many_sets: { en: '{feed}: more than {most} sets.', de: '{feed}: mehr als {most} Sätze.' },
  none_can_be_read: {
    en: '{feed}: none of {count} can be read. {id}: {why}',
    de: '{feed}: keiner von {count} ist lesbar. {id}: {why}'
  },
  other_product: {
    en: '{feed}: {path} holds another product ({kind}).',
    de: '{feed}: {path} enthält ein anderes Produkt ({kind}).'
  },
  listing_suddenly_empty: {
    en: '{feed}: an empty listing, although {count} were listed just before.',
    de: '{feed}: eine leere Liste, obwohl eben noch {count} aufgeführt waren.'
  },
  body_no_summary: {
    en: '{feed}: not a FeatureCollection. Is this the address of a summary listing?',
    de: '{feed}: keine FeatureCollection. Ist das die Adresse einer Übersichtsliste?'
  },
  body_no_volcanoes: {
    en: "{feed}: neither a list of volcanoes, nor a notice, nor GeoNet's alert levels. Look at the address.",
    de: '{feed}: weder eine Liste von Vulkanen noch eine Mitteilung noch die Alarmstufen von GeoNet. Prüfen Sie die Adresse.'
  },
  volcanoes_suddenly_none: {
    en: '{feed}: an empty listing, although {count} were above normal just before.',
    de: '{feed}: eine leere Liste, obwohl eben noch {count} über normal waren.'
  },
  body_no_layer: {
    en: '{feed}: not a FeatureCollection. Is this the address of a layer?',
    de: '{feed}: keine FeatureCollection. Ist das die Adresse einer Ebene?'
  },
  page_did_not_come: {
    en: '{feed}: a whole page was asked for and did not come.',
    de: '{feed}: eine ganze Seite wurde verlangt und kam nicht.'
  },
  too_many_fires: {
    en: '{feed}: more fires than {most} pages hold; set states or bbox.',
    de: '{feed}: mehr Brände, als {most} Seiten fassen; setzen Sie states oder bbox.'
  },
  body_no_incidents: { en: '{feed}: not a list of incidents.', de: '{feed}: keine Liste von Vorfällen.' },
  demo_refused: { en: 'scenario.json: {place}: {said}', de: 'scenario.json: {place}: {said}' },
  demo_file_refused: { en: 'scenario.json: the file: {said}', de: 'scenario.json: die Datei: {said}' },
  feed_file_empty: {
    en: 'The file is empty. Known kinds: {known}.',
    de: 'Die Datei ist leer. Bekannte Arten: {known}.'
  },
  feed_file_unknown: {
    en: 'The content is of no known kind. Known kinds: {known}. Name one with --as.',
    de: 'Der Inhalt ist von keiner bekannten Art. Bekannte Arten: {known}. Nennen Sie eine mit --as.'
  },
  feed_file_not_cap: {
    en: 'The document is a <{root}>, not a CAP <alert>. Known kinds: {known}.',
    de: 'Das Dokument ist ein <{root}>, kein CAP-<alert>. Bekannte Arten: {known}.'
  },
  feed_file_not_json: {
    en: 'The content is not complete JSON; it was cut off or garbled. Known kinds: {known}.',
    de: 'Der Inhalt ist kein vollständiges JSON; er wurde abgeschnitten oder verstümmelt. Bekannte Arten: {known}.'
  },
  web_page_for_product: {
    en: '{feed}: not a text product: a web page came instead.',
    de: '{feed}: kein Textprodukt: statt dessen kam eine Webseite.'
  },
  no_product_heading: {
    en: '{feed}: not a text product: no heading such as WFUS54 KJAN 291656 in it.',
    de: '{feed}: kein Textprodukt: es enthält keine Kopfzeile wie WFUS54 KJAN 291656.'
  },
  no_product_read: {
    en: '{feed}: none of the products this source reads.',
    de: '{feed}: keines der Produkte, die diese Quelle liest.'
  },
  product_for_people: {
    en: '{feed}: a text product for people; its facts come with products/alerts.json and products/noaa-scales.json.',
    de: '{feed}: ein Textprodukt für Menschen; seine Fakten kommen mit products/alerts.json und products/noaa-scales.json.'
  },
  no_items_fit: {
    en: 'None of {count} items can be an event. {id}: {why}',
    de: 'Keiner von {count} Einträgen kann ein Ereignis sein. {id}: {why}'
  },
  no_vona_notices: { en: '{feed}: no VONA notices in it.', de: '{feed}: es enthält keine VONA-Mitteilungen.' },
  too_many_vona_notices: {
    en: '{feed}: more than {most} VONA notices in it.',
    de: '{feed}: es enthält mehr als {most} VONA-Mitteilungen.'
  },
  scales_without_time: {
    en: '{feed}: the scales do not say when they were observed.',
    de: '{feed}: die Skalen sagen nicht, wann beobachtet wurde.'
  },
  scales_without_value: {
    en: '{feed}: none of the scales R, S and G has a value.',
    de: '{feed}: keine der Skalen R, S und G hat einen Wert.'
  },
  list_is_empty: {
    en: '{feed}: the list is empty. Nothing is changed; try again later.',
    de: '{feed}: die Liste ist leer. Nichts wird geändert; versuchen Sie es später noch einmal.'
  }
}
