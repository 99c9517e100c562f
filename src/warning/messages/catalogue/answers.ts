import type { AirLanguage } from '../../../model/air-languages.ts'
import type { Pattern } from './words.ts'

/** The words of answers by radio and of all-clears. `$1` is what is said, `$2` the region or channel. */
export interface Answers {
  noAlerts: string
  noAlertsKnown: string
  noneInForce: string
  nothingInForce: string
  nothingKnown: string
  forRegion: string
  onChannel: string
  /** `$` the reasons. */
  noAllClear: Pattern
  /** `$` the number that was looked at. */
  tooMany: Pattern
  noRegion: Pattern
  regions: Pattern
  ask: Pattern
  alert: string
  alerts: Pattern
  waiting: Pattern
  silenced: Pattern
  up: Pattern
  stop: string
  states: Readonly<Record<'connecting' | 'ready' | 'suspect' | 'down' | 'closed', string>>
  blind: Readonly<Record<Blind, Pattern>>
  noBands: string
  noPasses: string
}

export type Blind =
  | 'no_hazard_source'
  | 'source_silent'
  | 'source_blocked'
  | 'source_down'
  | 'source_failing'
  | 'clock_unknown'
  | 'clock_from_radio'
  | 'storage_failing'
  | 'no_named_area'
  | 'tagging_off'
  | 'zones_unplaced'

const blindIn = (
  none: string,
  [silent, blocked, down, failing]: readonly [string, string, string, string],
  [clock, radioClock, disk]: readonly [string, string, string],
  [unnamed, untagged, unplaced]: readonly [string, string, string]
): Answers['blind'] => ({
  no_hazard_source: none,
  source_silent: silent,
  source_blocked: blocked,
  source_down: down,
  source_failing: failing,
  clock_unknown: clock,
  clock_from_radio: radioClock,
  storage_failing: disk,
  no_named_area: unnamed,
  tagging_off: untagged,
  zones_unplaced: unplaced
})

const en: Answers = {
  noAlerts: 'No alerts',
  noAlertsKnown: 'No alerts known',
  noneInForce: 'No alerts in force',
  nothingInForce: 'Nothing in force',
  nothingKnown: 'Nothing known in force',
  forRegion: '$1 for $2',
  onChannel: '$1 on channel $2',
  noAllClear: 'No all-clear: $',
  tooMany: 'Not known: $ or more graver alerts go on elsewhere, others were not looked at.',
  noRegion: 'No region is called $ here.',
  regions: 'Regions: $.',
  ask: 'Ask: $',
  alert: '1 alert',
  alerts: '$ alerts',
  waiting: '($ wait)',
  silenced: '$ silenced',
  up: 'up $',
  stop: '.',
  states: { connecting: 'connecting', ready: 'ready', suspect: 'suspect', down: 'down', closed: 'closed' },
  blind: blindIn(
    'no source of warnings is on',
    ['$ is silent', '$ refuses us', '$ is down', '$ fails'],
    ['the clock is not set', "the time is a radio's", 'the disk fails'],
    ['no area has a name', 'alerts get no regions', 'a warning has no known place']
  ),
  noBands: 'Band conditions: nothing heard',
  noPasses: 'No satellite passes known'
}

const de: Answers = {
  noAlerts: 'Keine Warnungen',
  noAlertsKnown: 'Keine Warnungen bekannt',
  noneInForce: 'Keine Warnungen in Kraft',
  nothingInForce: 'Nichts in Kraft',
  nothingKnown: 'Nichts bekannt, was in Kraft wäre',
  forRegion: '$1 für $2',
  onChannel: '$1 auf Kanal $2',
  noAllClear: 'Keine Entwarnung: $',
  tooMany: 'Nicht bekannt: $ oder mehr schwerere Warnungen gelten anderswo, weitere wurden nicht angesehen.',
  noRegion: 'Keine Region heißt hier $.',
  regions: 'Regionen: $.',
  ask: 'Fragen: $',
  alert: '1 Warnung',
  alerts: '$ Warnungen',
  waiting: '($ wartend)',
  silenced: '$ stumm',
  up: 'läuft $',
  stop: '.',
  states: { connecting: 'verbindet', ready: 'bereit', suspect: 'fraglich', down: 'gestört', closed: 'aus' },
  blind: blindIn(
    'keine Warnquelle ist an',
    ['$ schweigt', '$ weist uns ab', '$ ist gestört', '$ hat Fehler'],
    ['die Uhr ist nicht gestellt', 'die Zeit stammt von einem Funkgerät', 'der Datenträger versagt'],
    ['kein Gebiet hat einen Namen', 'Warnungen haben keine Region', 'eine Warnung hat keinen bekannten Ort']
  ),
  noBands: 'Funkwetter: nichts gehört',
  noPasses: 'Keine Überflüge bekannt'
}

const fr: Answers = {
  noAlerts: 'Aucune alerte',
  noAlertsKnown: 'Aucune alerte connue',
  noneInForce: 'Aucune alerte en vigueur',
  nothingInForce: 'Rien en vigueur',
  nothingKnown: 'Rien de connu en vigueur',
  forRegion: '$1 pour $2',
  onChannel: '$1 sur le canal $2',
  noAllClear: "Pas de fin d'alerte: $",
  tooMany: "Inconnu: $ alertes plus graves ou plus sont en cours ailleurs, les autres n'ont pas été vues.",
  noRegion: "Aucune région ne s'appelle $ ici.",
  regions: 'Régions: $.',
  ask: 'Demandez: $',
  alert: '1 alerte',
  alerts: 'alertes: $',
  waiting: '($ en attente)',
  silenced: '$ en silence',
  up: 'en marche depuis $',
  stop: '.',
  states: { connecting: 'connexion', ready: 'prêt', suspect: 'douteux', down: 'en panne', closed: 'fermé' },
  blind: blindIn(
    "aucune source d'alertes n'est active",
    ['$ est muet', '$ nous refuse', '$ est en panne', '$ a des erreurs'],
    ["l'horloge n'est pas réglée", "l'heure vient d'une radio", 'le disque est défaillant'],
    ["aucune zone n'a de nom", "les alertes n'ont pas de région", 'une alerte a un lieu inconnu']
  ),
  noBands: 'Propagation: rien reçu',
  noPasses: 'Aucun passage de satellite connu'
}

const es: Answers = {
  noAlerts: 'Sin avisos',
  noAlertsKnown: 'Sin avisos conocidos',
  noneInForce: 'Sin avisos en vigor',
  nothingInForce: 'Nada en vigor',
  nothingKnown: 'Nada conocido en vigor',
  forRegion: '$1 para $2',
  onChannel: '$1 en el canal $2',
  noAllClear: 'Sin fin de alerta: $',
  tooMany: 'No se sabe: hay $ o más avisos más graves en otros lugares, los demás no se miraron.',
  noRegion: 'Aquí ninguna región se llama $.',
  regions: 'Regiones: $.',
  ask: 'Pregunte: $',
  alert: '1 aviso',
  alerts: '$ avisos',
  waiting: '($ en espera)',
  silenced: '$ en silencio',
  up: 'en marcha $',
  stop: '.',
  states: { connecting: 'conectando', ready: 'listo', suspect: 'dudoso', down: 'averiado', closed: 'cerrado' },
  blind: blindIn(
    'no hay fuente de avisos activa',
    ['$ está en silencio', '$ nos rechaza', '$ está caída', '$ falla'],
    ['el reloj no está en hora', 'la hora es de una radio', 'el disco falla'],
    ['ninguna zona tiene nombre', 'los avisos no tienen región', 'un aviso tiene lugar desconocido']
  ),
  noBands: 'Propagación: nada recibido',
  noPasses: 'Sin pasos de satélite conocidos'
}

const it: Answers = {
  noAlerts: 'Nessuna allerta',
  noAlertsKnown: 'Nessuna allerta nota',
  noneInForce: 'Nessuna allerta in vigore',
  nothingInForce: 'Nulla in vigore',
  nothingKnown: 'Nulla di noto in vigore',
  forRegion: '$1 per $2',
  onChannel: '$1 sul canale $2',
  noAllClear: 'Nessun cessato pericolo: $',
  tooMany: 'Non noto: $ o più allerte più gravi sono in corso altrove, le altre non sono state viste.',
  noRegion: 'Nessuna regione si chiama $ qui.',
  regions: 'Regioni: $.',
  ask: 'Chiedere: $',
  alert: '1 allerta',
  alerts: '$ allerte',
  waiting: '($ in attesa)',
  silenced: '$ in silenzio',
  up: 'attivo da $',
  stop: '.',
  states: { connecting: 'in connessione', ready: 'pronto', suspect: 'dubbio', down: 'guasto', closed: 'chiuso' },
  blind: blindIn(
    'nessuna fonte di allerte attiva',
    ['$ tace', '$ ci rifiuta', '$ è guasta', '$ dà errori'],
    ["l'orologio non è regolato", "l'ora è di una radio", 'il disco è guasto'],
    ['nessuna zona ha un nome', 'le allerte non hanno regione', "un'allerta ha luogo ignoto"]
  ),
  noBands: 'Propagazione: nulla ricevuto',
  noPasses: 'Nessun passaggio di satellite noto'
}

const pt: Answers = {
  noAlerts: 'Sem alertas',
  noAlertsKnown: 'Sem alertas conhecidos',
  noneInForce: 'Sem alertas em vigor',
  nothingInForce: 'Nada em vigor',
  nothingKnown: 'Nada conhecido em vigor',
  forRegion: '$1 para $2',
  onChannel: '$1 no canal $2',
  noAllClear: 'Sem fim de alerta: $',
  tooMany: 'Não se sabe: há $ ou mais alertas mais graves noutros locais, os outros não foram vistos.',
  noRegion: 'Nenhuma região se chama $ aqui.',
  regions: 'Regiões: $.',
  ask: 'Pergunte: $',
  alert: '1 alerta',
  alerts: '$ alertas',
  waiting: '($ em espera)',
  silenced: '$ em silêncio',
  up: 'ativo há $',
  stop: '.',
  states: { connecting: 'a ligar', ready: 'pronto', suspect: 'duvidoso', down: 'avariado', closed: 'fechado' },
  blind: blindIn(
    'nenhuma fonte de alertas ativa',
    ['$ está em silêncio', '$ recusa-nos', '$ está em baixo', '$ falha'],
    ['o relógio não está certo', 'a hora é de um rádio', 'o disco falha'],
    ['nenhuma zona tem nome', 'os alertas não têm região', 'um alerta tem local desconhecido']
  ),
  noBands: 'Propagação: nada recebido',
  noPasses: 'Sem passagens de satélite conhecidas'
}

const nl: Answers = {
  noAlerts: 'Geen waarschuwingen',
  noAlertsKnown: 'Geen waarschuwingen bekend',
  noneInForce: 'Geen waarschuwingen van kracht',
  nothingInForce: 'Niets van kracht',
  nothingKnown: 'Niets bekend dat van kracht is',
  forRegion: '$1 voor $2',
  onChannel: '$1 op kanaal $2',
  noAllClear: 'Geen sein veilig: $',
  tooMany: 'Niet bekend: elders gelden $ of meer ernstigere waarschuwingen, andere zijn niet bekeken.',
  noRegion: 'Geen regio heet hier $.',
  regions: "Regio's: $.",
  ask: 'Vraag: $',
  alert: '1 waarschuwing',
  alerts: '$ waarschuwingen',
  waiting: '($ wachtend)',
  silenced: '$ gedempt',
  up: 'actief $',
  stop: '.',
  states: { connecting: 'verbindt', ready: 'gereed', suspect: 'onzeker', down: 'storing', closed: 'gesloten' },
  blind: blindIn(
    'geen bron van waarschuwingen staat aan',
    ['$ zwijgt', '$ weigert ons', '$ ligt eruit', '$ geeft fouten'],
    ['de klok is niet gezet', 'de tijd komt van een radio', 'de schijf faalt'],
    ['geen gebied heeft een naam', 'waarschuwingen hebben geen regio', 'een waarschuwing heeft geen bekende plaats']
  ),
  noBands: 'Propagatie: niets gehoord',
  noPasses: 'Geen satellietovergangen bekend'
}

const pl: Answers = {
  noAlerts: 'Brak ostrzeżeń',
  noAlertsKnown: 'Brak znanych ostrzeżeń',
  noneInForce: 'Brak obowiązujących ostrzeżeń',
  nothingInForce: 'Nic nie obowiązuje',
  nothingKnown: 'Nic znanego nie obowiązuje',
  forRegion: '$1, $2',
  onChannel: '$1, kanał $2',
  noAllClear: 'To nie odwołanie: $',
  tooMany: 'Nie wiadomo: gdzie indziej trwa $ lub więcej poważniejszych ostrzeżeń, innych nie sprawdzono.',
  noRegion: 'Żaden region nie nazywa się tu $.',
  regions: 'Regiony: $.',
  ask: 'Zapytaj: $',
  alert: '1 ostrzeżenie',
  alerts: 'ostrzeżeń: $',
  waiting: '(czeka: $)',
  silenced: 'wyciszonych: $',
  up: 'działa $',
  stop: '.',
  states: { connecting: 'łączy się', ready: 'gotowe', suspect: 'niepewne', down: 'awaria', closed: 'zamknięte' },
  blind: blindIn(
    'żadne źródło ostrzeżeń nie działa',
    ['$ milczy', '$ nas odrzuca', '$ nie działa', '$ zgłasza błędy'],
    ['zegar nie jest ustawiony', 'czas pochodzi z radia', 'dysk zawodzi'],
    ['żaden obszar nie ma nazwy', 'ostrzeżenia nie mają regionu', 'ostrzeżenie ma nieznane miejsce']
  ),
  noBands: 'Propagacja: nic nie odebrano',
  noPasses: 'Brak znanych przelotów satelitów'
}

const ja: Answers = {
  noAlerts: '警報なし',
  noAlertsKnown: '把握している警報なし',
  noneInForce: '発表中の警報なし',
  nothingInForce: '発表中のものなし',
  nothingKnown: '把握している発表なし',
  forRegion: '$2: $1',
  onChannel: 'チャンネル$2: $1',
  noAllClear: '安全とは言えません: $',
  tooMany: '不明: 他の地域でより重大な警報が$件以上継続中、残りは未確認。',
  noRegion: '$という地域はありません。',
  regions: '地域: $。',
  ask: '質問: $',
  alert: '警報1件',
  alerts: '警報$件',
  waiting: '(待機$)',
  silenced: '消音$件',
  up: '稼働$',
  stop: '。',
  states: { connecting: '接続中', ready: '正常', suspect: '要確認', down: '停止', closed: '閉' },
  blind: blindIn(
    '有効な警報源なし',
    ['$応答なし', '$が拒否', '$停止', '$エラー'],
    ['時計が未設定', '時刻は無線機由来', 'ディスク障害'],
    ['名前のある地域なし', '警報に地域が付かない', '場所不明の警報あり']
  ),
  noBands: '電波状況: 受信なし',
  noPasses: '衛星通過の情報なし'
}

export const ANSWERS: Readonly<Record<AirLanguage, Answers>> = { en, de, fr, es, it, pt, nl, pl, ja }
