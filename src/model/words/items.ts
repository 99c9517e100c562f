import type { ITEMS_CODES } from '../reasons/items.ts'
import type { SentencesOf } from './sentence.ts'

export const ITEMS_SENTENCES: SentencesOf<typeof ITEMS_CODES> = {
  area_no_outline: { en: 'no outline', de: 'kein Umriss' },
  outline_without_name: { en: 'an outline without a name', de: 'ein Umriss ohne Namen' },
  not_an_object: { en: 'not an object', de: 'kein Objekt' },
  no_area: { en: 'no area', de: 'kein Gebiet' },
  not_a_forecast: { en: 'not a forecast: {type}', de: 'keine Vorhersage: {type}' },
  no_publication_date: { en: 'no date of publication', de: 'kein Datum der Veröffentlichung' },
  no_danger_rating: { en: 'no danger rating', de: 'keine Gefahrenstufe' },
  no_id_or_properties: { en: 'no id or no properties', de: 'keine Kennung oder keine Eigenschaften' },
  off_season: { en: 'off season', de: 'außerhalb der Saison' },
  dated_in_future: { en: 'dated in the future', de: 'auf die Zukunft datiert' },
  item_over_since: { en: 'over since {since}', de: 'vorbei seit {since}' },
  fire_out_already: { en: 'out already', de: 'schon gelöscht' },
  no_incident_id: { en: 'no incident id', de: 'keine Kennung des Vorfalls' },
  no_location: { en: 'no location', de: 'kein Ort' },
  not_a_cap_alert: { en: 'not a CAP alert', de: 'keine CAP-Warnung' },
  no_time_of_sending: { en: 'no time of sending', de: 'keine Sendezeit' },
  partly_all_clear: {
    en: 'all clear for a part of it; the rest goes on',
    de: 'Entwarnung für einen Teil davon; der Rest geht weiter'
  },
  nothing_expected: { en: 'nothing is to be expected', de: 'es ist nichts zu erwarten' },
  detail_waits: { en: 'its detail waits for the next poll', de: 'die Einzelheiten warten auf die nächste Abfrage' },
  only_a_test: { en: 'test', de: 'Probe' },
  pixels_known_fire: {
    en: { by: 'count', one: '1 pixel in or near a known fire', other: '{count} pixels in or near a known fire' },
    de: {
      by: 'count',
      one: '1 Bildpunkt in oder bei einem bekannten Brand',
      other: '{count} Bildpunkte in oder bei einem bekannten Brand'
    }
  },
  clusters_too_weak: {
    en: {
      by: 'count',
      one: '1 cluster of too few and too weak pixels',
      other: '{count} clusters of too few and too weak pixels'
    },
    de: {
      by: 'count',
      one: '1 Haufen aus zu wenigen und zu schwachen Bildpunkten',
      other: '{count} Haufen aus zu wenigen und zu schwachen Bildpunkten'
    }
  },
  rows_unreadable: {
    en: { by: 'count', one: '1 more row could not be read', other: '{count} more rows could not be read' },
    de: { by: 'count', one: '1 weitere Zeile war nicht lesbar', other: '{count} weitere Zeilen waren nicht lesbar' }
  },
  pixels_doubtful: {
    en: { by: 'count', one: '1 pixel of low confidence', other: '{count} pixels of low confidence' },
    de: { by: 'count', one: '1 Bildpunkt von geringer Sicherheit', other: '{count} Bildpunkte von geringer Sicherheit' }
  },
  pixels_twice: {
    en: { by: 'count', one: '1 pixel listed twice', other: '{count} pixels listed twice' },
    de: { by: 'count', one: '1 Bildpunkt doppelt aufgeführt', other: '{count} Bildpunkte doppelt aufgeführt' }
  },
  reading_is_old: { en: 'the reading is {hours} h old', de: 'der Messwert ist {hours} h alt' },
  reading_from_future: { en: 'the reading is from the future', de: 'der Messwert ist aus der Zukunft' },
  older_than_reading: { en: 'older than the reading before', de: 'älter als der Messwert davor' },
  below_action_stage: { en: 'below action stage', de: 'unter der Meldestufe' },
  no_site_or_parameter: { en: 'no site or no parameter', de: 'keine Messstelle oder keine Messgröße' },
  daily_value: { en: 'a daily value says nothing about now', de: 'ein Tageswert sagt nichts über jetzt' },
  no_value: { en: 'no value', de: 'kein Wert' },
  no_reading_time: { en: 'no time of the reading', de: 'keine Zeit der Messung' },
  no_stage_nor_flow: { en: 'neither a stage nor a flow', de: 'weder ein Wasserstand noch ein Abfluss' },
  no_stages_set: { en: 'no flood stages are set for it', de: 'keine Hochwasserstufen sind dafür eingestellt' },
  other_unit: {
    en: 'measured in {unit}, flood stages are in {stages}',
    de: 'gemessen in {unit}, die Hochwasserstufen sind in {stages}'
  },
  no_name: { en: 'no name', de: 'kein Name' },
  no_reading: { en: 'no reading', de: 'kein Messwert' },
  no_category_no_stages: { en: 'no category and no flood stages', de: 'keine Stufe und keine Hochwassermarken' },
  older_episode: { en: 'an older episode of the same event', de: 'eine ältere Folge desselben Ereignisses' },
  no_event_id: { en: 'no event id', de: 'keine Kennung des Ereignisses' },
  no_position_given: { en: 'no position', de: 'keine Position' },
  no_time: { en: 'no time', de: 'keine Zeit' },
  no_alert: { en: 'no alert', de: 'keine Warnung' },
  over_and_untold: {
    en: 'it says that it is over, and was not told',
    de: 'es sagt, dass es vorbei ist, und wurde nicht gemeldet'
  },
  left_out_by_rule: { en: 'left out by a rule', de: 'durch eine Regel ausgelassen' },
  in_other_language: { en: 'in another language: {language}', de: 'in einer anderen Sprache: {language}' },
  no_id_no_link: { en: 'no id and no link', de: 'keine Kennung und kein Link' },
  no_title: { en: 'no title', de: 'kein Titel' },
  listed_twice: { en: 'listed twice', de: 'doppelt aufgeführt' },
  only_names_report: {
    en: 'the list only names its report: read {report}',
    de: 'die Liste nennt nur seinen Bericht: lesen Sie {report}'
  },
  no_event_id_or_time: { en: 'no event id or no time', de: 'keine Kennung des Ereignisses oder keine Zeit' },
  older_than_a_day: { en: 'older than a day', de: 'älter als ein Tag' },
  not_felt_in_japan: { en: 'not felt in Japan', de: 'in Japan nicht spürbar' },
  below_intensity: { en: 'below intensity {least}', de: 'unter Intensität {least}' },
  no_report_time: { en: 'no time of the report', de: 'keine Zeit des Berichts' },
  no_properties: { en: 'no properties', de: 'keine Eigenschaften' },
  no_id_or_event: { en: 'no id or no event', de: 'keine Kennung oder kein Ereignis' },
  no_storm_number: { en: 'no number of a storm, such as AL142024', de: 'keine Nummer eines Sturms, etwa AL142024' },
  no_name_or_class: { en: 'no name or no known class', de: 'kein Name oder keine bekannte Klasse' },
  no_centre: { en: 'no centre', de: 'kein Zentrum' },
  no_advisory_time: { en: 'no time of the advisory', de: 'keine Zeit der Mitteilung' },
  no_line_of_codes: { en: 'no line of codes', de: 'keine Zeile mit Codes' },
  product_no_alert: { en: '{product} is no alert', de: '{product} ist keine Warnung' },
  watch_by_states: { en: 'a watch by states', de: 'eine Vorwarnung nach Bundesstaaten' },
  no_id: { en: 'no id', de: 'keine Kennung' },
  no_event_name: { en: 'no event name', de: 'kein Name des Ereignisses' },
  no_readable_sent: { en: 'no readable time of sending', de: 'keine lesbare Sendezeit' },
  marine_zones_only: { en: 'marine zones only', de: 'nur Seegebiete' },
  off_by_overrides: { en: 'switched off by overrides', de: 'durch overrides ausgeschaltet' },
  is_not_bbox: { en: 'is not [west, south, east, north]', de: 'ist nicht [Westen, Süden, Osten, Norden]' },
  is_not_geometry: { en: 'is not a GeoJSON geometry', de: 'ist keine GeoJSON-Geometrie' },
  is_not_text: { en: 'is not a text', de: 'ist kein Text' },
  is_not_number: { en: 'is not a number', de: 'ist keine Zahl' },
  is_not_time: { en: 'is not a time', de: 'ist keine Zeit' },
  has_more_entries: { en: 'has more than {most} entries', de: 'hat mehr als {most} Einträge' },
  is_not_texts: { en: 'is not a list of texts', de: 'ist keine Liste von Texten' },
  is_not_fact: {
    en: 'is not a text, a number or a list of them',
    de: 'ist kein Text, keine Zahl und keine Liste davon'
  },
  message_many_items: {
    en: 'The message has more than {most} items.',
    de: 'Die Nachricht hat mehr als {most} Einträge.'
  },
  message_empty: { en: 'The message is empty.', de: 'Die Nachricht ist leer.' },
  message_not_json_at_all: {
    en: 'A web page or XML came instead of JSON.',
    de: 'Statt JSON kam eine Webseite oder XML.'
  },
  message_too_deep: {
    en: 'The JSON is nested deeper than {most}.',
    de: 'Das JSON ist tiefer als {most} verschachtelt.'
  },
  message_not_json: {
    en: 'The message is not complete JSON; it was cut off or garbled.',
    de: 'Die Nachricht ist kein vollständiges JSON; sie wurde abgeschnitten oder verstümmelt.'
  },
  is_not_object: { en: 'is not an object', de: 'ist kein Objekt' },
  is_a_draft: { en: 'draft', de: 'Entwurf' },
  no_change_time: { en: 'no time of its last change', de: 'keine Zeit der letzten Änderung' },
  not_for_public: { en: 'not for the public', de: 'nicht für die Öffentlichkeit' },
  no_record: { en: 'no record', de: 'kein Datensatz' },
  no_situation_id: { en: 'no situation id', de: 'keine Kennung der Lage' },
  nothing_announced: { en: 'nothing announced', de: 'nichts angekündigt' },
  is_over: { en: 'over', de: 'vorbei' },
  second_set: {
    en: 'a second set of satellite {number}; the newer one counts',
    de: 'ein zweiter Satz des Satelliten {number}; der neuere zählt'
  },
  row_lacks_cells: {
    en: 'it has not as many cells as the head',
    de: 'die Zeile hat nicht so viele Zellen wie der Kopf'
  },
  no_catalogue_number: { en: 'it has no catalogue number', de: 'ohne Katalognummer' },
  no_such_satellite: {
    en: 'the listing has no satellite of this name or number',
    de: 'die Liste hat keinen Satelliten dieses Namens oder dieser Nummer'
  },
  line_missing: {
    en: 'one of its two lines is missing or garbled',
    de: 'eine der zwei Zeilen fehlt oder ist verstümmelt'
  },
  lines_of_two: { en: 'its lines are of two satellites', de: 'die Zeilen gehören zu zwei Satelliten' },
  elements_for_xp: {
    en: 'its elements are for SGP4-XP, not for SGP4',
    de: 'die Bahnelemente sind für SGP4-XP, nicht für SGP4'
  },
  no_observed_level: { en: 'no observed level', de: 'keine beobachtete Stufe' },
  older_than_read: { en: 'older than what was read before', de: 'älter als das zuletzt Gelesene' },
  below_min_scale: { en: 'below min_scale', de: 'unter min_scale' },
  no_epicentre: { en: 'no epicentre', de: 'kein Epizentrum' },
  no_origin_time: { en: 'no origin time', de: 'keine Herdzeit' },
  quake_twice: { en: 'the same earthquake is listed twice', de: 'dasselbe Erdbeben ist doppelt aufgeführt' },
  no_magnitude: { en: 'no magnitude', de: 'keine Magnitude' },
  below_magnitude: {
    en: 'below the floor: M {magnitude} < {least}',
    de: 'unter der Schwelle: M {magnitude} < {least}'
  },
  no_volcano: { en: 'no volcano', de: 'kein Vulkan' },
  no_volcano_or_level: { en: 'no volcano or no level', de: 'kein Vulkan oder keine Stufe' },
  no_alert_level: { en: 'no alert level', de: 'keine Alarmstufe' },
  back_to_normal: { en: 'back to normal', de: 'wieder normal' },
  older_notice: { en: 'an older notice of the same volcano', de: 'eine ältere Mitteilung desselben Vulkans' },
  no_issue_time: { en: 'no time of issue', de: 'keine Ausgabezeit' },
  no_irwin_id: { en: 'no IRWIN id', de: 'keine IRWIN-Kennung' },
  marked_deleted: { en: 'marked as deleted', de: 'als gelöscht markiert' },
  not_a_fire: { en: 'not a fire: {type}', de: 'kein Brand: {type}' },
  twice_among: { en: 'listed twice among the {layer}', de: 'doppelt aufgeführt unter {layer}' },
  danger_below: { en: 'danger {danger}, below {least}', de: 'Gefahr {danger}, unter {least}' },
  danger_unknown: { en: 'danger not given, below {least}', de: 'Gefahr nicht angegeben, unter {least}' },
  detail_failed: { en: 'its detail failed: {why}', de: 'die Einzelheiten kamen nicht: {why}' },
  index_lacks: {
    en: 'the index does not say the {missing}; only the detail does',
    de: 'die Liste sagt {missing} nicht; nur die Einzelheiten tun es'
  },
  not_in_archive: { en: 'not in the archive: {why}', de: 'nicht im Archiv: {why}' },
  other_sender: { en: 'another sender', de: 'ein anderer Absender' },
  other_area: { en: 'another area', de: 'ein anderes Gebiet' },
  below_severity: { en: 'below {least}', de: 'unter {least}' },
  no_event_type: { en: 'event type missing', de: 'die Art des Ereignisses fehlt' },
  other_event_type: { en: 'event type {type}', de: 'Art des Ereignisses {type}' },
  alert_level_missing: { en: 'alert level missing', de: 'die Alarmstufe fehlt' },
  other_alert_level: { en: 'alert level {level}', de: 'Alarmstufe {level}' },
  status_missing: { en: 'status missing', de: 'status fehlt' },
  other_status: { en: 'status {status}', de: 'status {status}' },
  msg_type_missing: { en: 'msgType missing', de: 'msgType fehlt' },
  other_msg_type: { en: 'msgType {type}', de: 'msgType {type}' },
  other_scope: { en: 'scope {scope}', de: 'scope {scope}' },
  no_identifier_or_sender: { en: 'no identifier or no sender', de: 'keine Kennung oder kein Absender' },
  quake_no_type: { en: 'not an earthquake: no type', de: 'kein Erdbeben: ohne Art' },
  not_a_quake: { en: 'not an earthquake: {type}', de: 'kein Erdbeben: {type}' },
  volcano_level_missing: { en: 'no alert level: missing', de: 'keine Alarmstufe: sie fehlt' },
  volcano_level_unknown: { en: 'no alert level: {level}', de: 'keine Alarmstufe: {level}' },
  colour_code_missing: { en: 'no colour code: missing', de: 'keine Farbstufe: sie fehlt' },
  colour_code_unknown: { en: 'no colour code: {colour}', de: 'keine Farbstufe: {colour}' },
  product_cut_off: { en: 'cut off: no end mark', de: 'abgeschnitten: ohne Endzeichen' },
  longer_than_product: { en: 'longer than any product', de: 'länger als jedes Produkt' },
  told_without_codes: {
    en: 'told, but its line of codes cannot be read',
    de: 'gemeldet, aber die Zeile mit Codes ist nicht lesbar'
  },
  told_unread_codes: {
    en: 'told, but the codes {codes} cannot be read',
    de: 'gemeldet, aber die Codes {codes} sind nicht lesbar'
  },
  segment_many_codes: {
    en: 'more than {most} codes in one segment: the first {most} are told',
    de: 'mehr als {most} Codes in einem Abschnitt: die ersten {most} werden gemeldet'
  },
  product_without_name: { en: 'a product without a name is no alert', de: 'ein Produkt ohne Namen ist keine Warnung' },
  family_not_allowed: {
    en: 'family {family} is not in allow.families',
    de: 'die Familie {family} steht nicht in allow.families'
  },
  source_not_allowed: {
    en: 'source {source} is not in allow.sources',
    de: 'die Quelle {source} steht nicht in allow.sources'
  },
  below_allowed_severity: { en: 'below allow.min_severity', de: 'unter allow.min_severity' },
  none_in_force: { en: 'nothing in force', de: 'nichts in Kraft' },
  value_said: { en: '{value}', de: '{value}' },
  at_pointer: { en: '{pointer}: {why}', de: '{pointer}: {why}' },
  of_field: { en: '{why} ({field})', de: '{why} ({field})' },
  nothing_is_here: { en: 'nothing is here ({field})', de: 'hier ist nichts ({field})' },
  not_in_its_table: { en: '"{value}" is not in its table', de: '„{value}“ steht nicht in der Tabelle' },
  no_features_here: { en: 'there are no GeoJSON Features here', de: 'hier sind keine GeoJSON-Features' },
  no_list_nor_object: { en: 'neither a list nor an object is here', de: 'hier ist weder eine Liste noch ein Objekt' },
  radius_needs_position: { en: 'a radius needs lat and lon', de: 'ein Radius braucht lat und lon' },
  not_current: { en: 'not current', de: 'nicht aktuell' },
  a_drought: { en: 'a drought', de: 'eine Dürre' },
  colour_green: { en: 'green', de: 'grün' },
  other_message_type: { en: 'message type {type}', de: 'Art der Nachricht {type}' },
  awareness_green: { en: 'awareness level green', de: 'Warnstufe grün' },
  elements_days_old: {
    en: 'its elements are {days} days old, more than {most}',
    de: 'die Bahnelemente sind {days} Tage alt, mehr als {most}'
  },
  elements_days_ahead: {
    en: 'its elements are {days} days ahead, more than {most}',
    de: 'die Bahnelemente sind {days} Tage voraus, mehr als {most}'
  },
  line_cut_off: { en: 'one of its lines is cut off', de: 'eine der Zeilen ist abgeschnitten' },
  wrong_checksum: { en: 'its checksum is wrong', de: 'die Prüfsumme ist falsch' },
  elements_not_sgp4: { en: 'its elements are not for SGP4', de: 'die Bahnelemente sind nicht für SGP4' },
  not_round_earth: { en: 'it does not go round the earth', de: 'der Satellit umkreist nicht die Erde' },
  frame_not_teme: { en: 'its frame is not TEME', de: 'das Bezugssystem ist nicht TEME' },
  time_not_utc: { en: 'its time is not UTC', de: 'die Zeit ist nicht UTC' },
  has_decayed: {
    en: 'it has decayed, or its elements lead nowhere',
    de: 'der Satellit ist verglüht, oder die Bahnelemente führen nirgendwohin'
  },
  will_decay: {
    en: 'it decays before the end of the time asked for',
    de: 'der Satellit verglüht vor dem Ende des gefragten Zeitraums'
  },
  planned_work: { en: 'planned work', de: 'geplante Arbeiten' },
  planned_not_begun: { en: 'planned closure that has not begun', de: 'geplante Sperrung, die nicht begonnen hat' },
  prescribed_burn: { en: 'a prescribed burn', de: 'ein geplantes Abbrennen' },
  readings_not_current: { en: 'its readings are not current', de: 'die Messwerte sind nicht aktuell' },
  out_of_service: { en: 'out of service', de: 'außer Betrieb' },
  no_flood_categories: {
    en: 'no flood categories are defined for it',
    de: 'für ihn sind keine Hochwasserstufen festgelegt'
  },
  no_message_code: {
    en: 'no message code or no serial number',
    de: 'kein Code der Nachricht oder keine laufende Nummer'
  },
  no_bulletin_type: {
    en: 'neither a watch, a warning, an alert nor a summary',
    de: 'weder Vorwarnung, Warnung, Meldung noch Zusammenfassung'
  },
  k_below_storm: { en: 'K index below a storm', de: 'K-Index unter einem Sturm' },
  no_noaa_scale: { en: 'no NOAA scale: {product}', de: 'keine NOAA-Skala: {product}' },
  told_from_scales: { en: 'observed: told from noaa-scales.json', de: 'beobachtet: gemeldet aus noaa-scales.json' },
  forecasts_off: { en: 'forecasts are off', de: 'Vorhersagen sind ausgeschaltet' },
  below_min_scale_at: { en: 'below min_scale: {scale}', de: 'unter min_scale: {scale}' },
  not_so_many_columns: {
    en: 'not as many columns as the head names',
    de: 'nicht so viele Spalten, wie der Kopf nennt'
  },
  unknown_warning_kind: {
    en: 'no kind of warning known here: {kind}',
    de: 'keine hier bekannte Art von Warnung: {kind}'
  },
  message_unreadable: { en: 'It could not be read: {said}', de: 'Sie konnte nicht gelesen werden: {said}' },
  other_reasons: { en: 'others', de: 'weitere Gründe' },
  element_impossible: {
    en: 'its {part} is missing or impossible',
    de: 'unter den Bahnelementen fehlt {part}, oder der Wert ist unmöglich'
  }
}
