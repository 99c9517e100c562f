import type { ODDITY_CODES } from '../reasons/oddities.ts'
import type { SentencesOf } from './sentence.ts'

export const ODDITY_SENTENCES = {
  odd_repeated_key: {
    en: 'this key stands twice: only the last one counts',
    de: 'dieser Schlüssel steht zweimal da: Nur der letzte zählt'
  },
  odd_key: {
    en: 'unknown key "{key}": it is kept, but does nothing',
    de: 'unbekannter Schlüssel „{key}“: Er bleibt stehen, bewirkt aber nichts'
  },
  odd_key_near: {
    en: 'unknown key "{key}": it is kept, but does nothing; did you mean "{near}"?',
    de: 'unbekannter Schlüssel „{key}“: Er bleibt stehen, bewirkt aber nichts; war „{near}“ gemeint?'
  },
  odd_family: { en: 'there is no family "{family}"', de: 'es gibt keine Familie „{family}“' },
  odd_family_near: {
    en: 'there is no family "{family}"; did you mean "{near}"?',
    de: 'es gibt keine Familie „{family}“; war „{near}“ gemeint?'
  },
  odd_region: { en: 'no area is named "{region}"', de: 'kein Gebiet heißt „{region}“' },
  odd_region_near: {
    en: 'no area is named "{region}"; did you mean "{near}"?',
    de: 'kein Gebiet heißt „{region}“; war „{near}“ gemeint?'
  },
  odd_destination: { en: 'no destination is named "{name}"', de: 'kein Ziel heißt „{name}“' },
  odd_destination_near: {
    en: 'no destination is named "{name}"; did you mean "{near}"?',
    de: 'kein Ziel heißt „{name}“; war „{near}“ gemeint?'
  },
  odd_regionless_row: {
    en: 'events of {family} have no region by nature: no cell of this row matches them, notifications.toggles.{family} decides',
    de: 'Ereignisse der Familie {family} haben ihrer Natur nach keine Region: Keine Zelle dieser Zeile trifft sie, notifications.toggles.{family} entscheidet'
  },
  odd_tagging_off: {
    en: 'the matrix is on, but coverage.region_tagging is off: no event gets a region, so no cell ever matches',
    de: 'die Matrix ist an, aber coverage.region_tagging ist aus: Kein Ereignis bekommt eine Region, also trifft nie eine Zelle'
  },
  odd_matrix_off: {
    en: 'the matrix has cells and is off: none of them sends anything. Write "enabled": true',
    de: 'die Matrix hat Zellen und ist aus: Keine davon sendet etwas. Schreiben Sie "enabled": true'
  },
  odd_imported_matrix: {
    en: 'THE MATRIX IS OFF and sends nothing: {keys} count only below the switch "enabled", which is not written. Write "enabled": true beside "cells" to switch it on; lookout import reads a whole configuration of the earlier system',
    de: 'DIE MATRIX IST AUS und sendet nichts: {keys} gelten nur unter dem Schalter "enabled", der nicht dasteht. Schreiben Sie "enabled": true neben "cells", um sie einzuschalten; lookout import liest eine ganze Konfiguration des früheren Systems'
  },
  odd_network_off: {
    en: 'the matrix is off for {network}, where cells name channels: they send nothing there, and nothing else broadcasts there what they match',
    de: 'die Matrix ist für {network} aus, wo Zellen Kanäle nennen: Sie senden dort nichts, und nichts anderes sendet dort, was sie treffen'
  },
  odd_mute: {
    en: 'a cell that is on sends: set enabled to false to mute it',
    de: 'eine Zelle, die an ist, sendet: Setzen Sie enabled auf false, um sie stumm zu schalten'
  },
  odd_unfoldable: {
    en: 'Japanese cannot be written in letters of ASCII: these texts stay as they are',
    de: 'Japanisch lässt sich nicht mit Buchstaben von ASCII schreiben: diese Texte bleiben, wie sie sind'
  },
  odd_fallback: {
    en: 'fallback needs a Meshtastic and a MeshCore channel: with one of them there is nothing to fall back to',
    de: 'das Ausweichen braucht einen Meshtastic- und einen MeshCore-Kanal: Mit einem allein gibt es nichts, worauf man ausweicht'
  },
  odd_step: {
    en: 'this dm step tells nobody: give it node_ids or contacts',
    de: 'dieser Schritt dm sagt es niemandem: Geben Sie ihm node_ids oder contacts'
  },
  odd_open_ring: {
    en: 'the last position of the ring is not the first: it is closed by a straight line',
    de: 'die letzte Position des Rings ist nicht die erste: Er wird durch eine gerade Linie geschlossen'
  },
  odd_empty_ring: {
    en: 'the ring has no area: only what touches this line or point matches',
    de: 'der Ring hat keine Fläche: Es trifft nur, was diese Linie oder diesen Punkt berührt'
  },
  odd_empty_box: {
    en: 'the box has no area: only what touches this line or point matches',
    de: 'das Rechteck hat keine Fläche: Es trifft nur, was diese Linie oder diesen Punkt berührt'
  },
  odd_empty_circle: {
    en: 'the circle has no area: only its centre matches',
    de: 'der Kreis hat keine Fläche: Es trifft nur sein Mittelpunkt'
  },
  odd_no_ring: {
    en: 'the polygon has no ring: nothing matches',
    de: 'das Polygon hat keinen Ring: Nichts trifft'
  },
  odd_self_crossing: {
    en: 'the ring crosses itself: parts of it count as outside',
    de: 'der Ring kreuzt sich selbst: Teile davon zählen als außen'
  },
  odd_winding: {
    en: 'the ring runs the other way round than GeoJSON asks (outer rings counter-clockwise): it is used all the same',
    de: 'der Ring läuft anders herum, als GeoJSON es will (äußere Ringe gegen den Uhrzeigersinn): Er wird trotzdem verwendet'
  },
  odd_longitude: {
    en: 'a longitude is beyond ±180: it counts modulo 360',
    de: 'eine Länge liegt jenseits von ±180: Sie zählt modulo 360'
  },
  odd_antimeridian: {
    en: 'west ({west}) is east of east ({east}): the box crosses the antimeridian. Swapped?',
    de: 'Westen ({west}) liegt östlich von Osten ({east}): Das Rechteck überquert den 180. Längengrad. Vertauscht?'
  },
  odd_same_name: {
    en: 'area {first} has the name "{name}" too: both are one region',
    de: 'auch Gebiet {first} heißt „{name}“: Beide sind eine Region'
  },
  odd_region_used: {
    en: 'no area is named "{region}", which is used by {places}',
    de: 'kein Gebiet heißt „{region}“; der Name steht aber hier: {places}'
  },
  silence_keeps_name: {
    en: 'a silence of "{region}" is in force: it keeps that name, so it silences nothing any more',
    de: 'eine Stille für „{region}“ ist in Kraft: Sie behält diesen Namen und bringt darum nichts mehr zum Schweigen'
  },
  used_by_matrix: { en: 'the matrix ({family})', de: 'Matrix ({family})' },
  used_by_policy: { en: 'the policy of {family}', de: 'Richtlinie von {family}' },
  used_by_rule: { en: 'the rule {name}', de: 'Regel {name}' },
  used_by_broadcast: { en: 'the broadcast {name}', de: 'Rundruf {name}' },
  used_by_source: { en: 'the source {kind}', de: 'Quelle {kind}' },
  odd_too_large: {
    en: 'The outlines are too large to be looked over for mistakes.',
    de: 'Die Umrisse sind zu groß, um sie auf Fehler durchzusehen.'
  }
} as const satisfies SentencesOf<typeof ODDITY_CODES>
