import type { Replies } from './sentences.ts'

/** Polish. Figures stand behind a colon, so that no noun depends on them. */
export const pl: Replies = {
  units: ['d', 'h', 'min'],
  usage: {
    region: 'region',
    reason: 'powód',
    code: 'KOD',
    question: 'PYTANIE',
    name: 'NAZWA',
    target: 'RODZAJ|REGION|#KOD'
  },
  whichAlert: 'Które ostrzeżenie? Podaj kod, np. K7QF. Lista: !alerts.',
  noSuchCode: 'Żadne ostrzeżenie nie ma kodu $. Lista: !alerts.',
  notStored: 'Nie zapisano: dysk zawodzi, po restarcie to przepadnie.',
  acknowledged: '#$1 potwierdzono o $2.',
  nothingFollows: 'Dalszych kroków nie będzie.',
  acknowledgedBefore: 'Wcześniej: $1, $2.',
  tooManyCommands: 'Za dużo poleceń: $1 w 10 minut. Spróbuj o $2.',
  tooManyQuestions: 'Za dużo pytań: $1 w 10 minut. Spróbuj o $2.',
  refused: {
    unproven:
      'Odmowa: tekst nie był zaszyfrowany kluczem twojego węzła, mógł go wysłać każdy. Użyj firmware 2.5 lub nowszego.',
    other_key:
      'Odmowa: twój węzeł miał wcześniej inny klucz. Jeśli ustawiono go od nowa, operator usuwa stary klucz na stronie Radios.',
    new_key: 'Odmowa: klucz twojego węzła jest tu znany krócej niż dobę. Użyj kodu stacji.'
  },
  onlyAdmins: {
    ack: 'Potwierdzać mogą tylko węzły admina.',
    silence: 'Wyciszać mogą tylko węzły admina.',
    ask: 'Pytać bibliotekę mogą tylko węzły admina.',
    hotspot: 'Przełączać hotspot mogą tylko węzły admina.',
    who: 'Pytać, gdzie są węzły, mogą tylko węzły admina.',
    claim: 'Prosić o kod mogą tylko węzły admina.'
  },
  sendDirect: 'Wyślij !$ jako wiadomość bezpośrednią.',
  sendDirectAsNamesProveNothing: 'Wyślij !$ bezpośrednio: na kanale nazwa niczego nie dowodzi.',
  sendOnChannel: 'Wyślij !$ na kanale tej stacji.',
  noClaim: 'Ta stacja nie podaje kodów przez radio.',
  claimCode: 'Kod $1, jednorazowy, na $2 min: otwórz /sign-in na stacji i ustaw nowe hasło. Kończy wszystkie sesje.',
  hotspot: {
    none: 'Nie ma tu hotspotu do przełączania.',
    unset: 'Hotspot nie ma jeszcze nazwy ani hasła: ustaw je na jego stronie.',
    usage: 'Użycie: !hotspot on, !hotspot off albo samo !hotspot, by poznać stan.',
    switchingOn: 'Hotspot: włączanie. !hotspot powie, czy się udało.',
    switchingOff: 'Hotspot: wyłączanie. !hotspot powie, czy się udało.',
    state: 'Hotspot$1: $2$3.',
    states: { on: 'włączony', off: 'wyłączony', failed: 'awaria' },
    changing: ', trwa zmiana'
  },
  library: {
    perhaps: 'Może: ',
    notFound: 'Nie znaleziono. Najbliżej: $',
    page: 's.$',
    nothing: 'Biblioteka nic o tym nie mówi.',
    none: 'Ta stacja nie ma biblioteki.',
    ask: 'Co chcesz wiedzieć? !ask jak uzdatnić wodę',
    closed: 'Biblioteki tej stacji nie da się teraz otworzyć.',
    empty: 'Biblioteka tej stacji jest pusta.',
    busy: 'Biblioteka teraz nie odpowiada. Zapytaj później.'
  },
  silence: {
    usage: 'Użycie: !silence RODZAJ|REGION|#KOD 2h [powód], najwyżej 7d. !silence NAZWA off to kończy.',
    notImmediate: 'Bezpośredniego zagrożenia nie wyciszysz przez radio, tylko na stronach stacji.',
    neither: '$ to tutaj ani rodzaj, ani region.',
    until: '$1: cisza $2, poza bezpośrednim zagrożeniem.',
    howToEnd: '!silence $ off to kończy.',
    wasNot: '$: nie było wyciszenia.',
    over: '$: koniec wyciszenia.'
  },
  who: {
    noArea: '#$: brak obszaru, który da się narysować; nie wiadomo, kto w nim jest.',
    inside: '#$1: w obszarze $2 z $3 znanych pozycji',
    insidePart: '#$1: w części, którą da się narysować, $2 z $3 znanych pozycji',
    untold: '. Węzły bez pozycji: $.'
  },
  why: {
    noLongerStored: '#$: już nie jest zapisane.',
    acknowledged: 'potwierdzono $1, $2',
    notSent: 'nie wysłano',
    direct: 'bezpośr.',
    states: {
      queued: 'czeka',
      transmitting: 'wysyłane',
      sent: 'wysłane',
      heard: 'usłyszane',
      delivered: 'doręczone',
      unconfirmed: 'niepotwierdzone',
      held: 'wstrzymane',
      suppressed: 'nie wysłano',
      merged: 'połączone',
      stood_down: 'podała inna stacja',
      expired: 'przeterminowane',
      failed: 'nieudane',
      sent_unknown: 'być może wysłane'
    },
    reasons: {
      off: 'powiadomienia wyłączone',
      turn: 'czeka na kolej',
      peer: 'podaje inna stacja',
      airtime: 'brak czasu antenowego',
      again: 'kolejna próba',
      no_radio: 'radio niegotowe',
      no_answer: 'radio nie odpowiada',
      refused: 'radio odmówiło',
      no_channel: 'radio nie ma kanału',
      nobody_heard: 'nie słychać powtórzenia',
      too_late: 'czekało za długo',
      quiet_hours: 'godziny ciszy',
      cooldown: 'przerwa po poprzednim',
      summary: 'będzie w zestawieniu',
      inhibited: 'trwa poważniejsze',
      over: 'zakończone',
      silenced: 'wyciszone',
      newer: 'nieaktualne',
      matrix_off: 'macierz wyłączona',
      same_text: 'już podano',
      no_addressee: 'adresat nieznany',
      server: 'serwer nie przyjął',
      no_text: 'brak tekstu',
      outside: 'poza obszarami',
      unplaced: 'miejsce nieznane',
      stale: 'za stare',
      known: 'trwało już przy starcie',
      muted: 'komórka wyciszona',
      floor: 'poniżej progu',
      no_route: 'brak kanału'
    }
  },
  notice: {
    faults: {
      full: 'dysk pełny',
      io: 'błędy dysku',
      read_only: 'dysk tylko do odczytu',
      gone: 'brak folderu danych',
      damaged: 'uszkodzona baza danych'
    },
    nothingStored: '$: nic się nie zapisuje.',
    goesOut: 'Krytyczne i wyższe wychodzą, po restarcie może dwa razy.',
    storesAgain: 'znów zapisuje po $.',
    madeAnew: 'miał uszkodzoną bazę danych i utworzył ją od nowa. Sprawdź dysk.',
    timeUnknown: 'czas nieznany'
  },
  bands: {
    bands: 'PROPAGACJA $',
    stop: '. ',
    noStorm: 'Bez burzy',
    effects: { R: 'KF słabnie po stronie dziennej', S: 'KF przy biegunach słaba', G: 'KF niestabilna, zorza' },
    passes: 'PRZELOTY $',
    noPass: 'brak w $ h'
  }
}
