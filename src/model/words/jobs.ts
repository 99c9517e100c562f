import type { JOBS_CODES } from '../reasons/jobs.ts'
import type { SentencesOf } from './sentence.ts'

export const JOBS_SENTENCES: SentencesOf<typeof JOBS_CODES> = {
  program_stopping: { en: 'the program is stopping', de: 'das Programm wird beendet' },
  program_ended_times: {
    en: 'the program ended {times} times while working on it',
    de: 'das Programm endete {times}-mal während der Arbeit daran'
  },
  lease_lost: {
    en: 'the lease was lost: the job was removed or taken over',
    de: 'die Zuteilung ging verloren: Die Arbeit wurde entfernt oder übernommen'
  },
  others_first: { en: 'others go first', de: 'andere kommen zuerst' },
  out_of_memory: { en: 'memory ran out ({how})', de: 'der Speicher ging aus ({how})' },
  needs_more_memory: {
    en: 'it needs more memory than this profile gives: it ended the worker {times} times, at last while it ran alone',
    de: 'es braucht mehr Speicher, als dieses Profil gibt: Es hat den Arbeiter {times}-mal beendet, zuletzt, als es allein lief'
  },
  worker_ended_times: {
    en: 'it ended the worker {times} times, at last while it ran alone: {how}',
    de: 'es hat den Arbeiter {times}-mal beendet, zuletzt, als es allein lief: {how}'
  },
  runs_alone: {
    en: 'it runs alone and last because the worker ended {times} times while it ran',
    de: 'es läuft allein und zuletzt, weil der Arbeiter {times}-mal endete, während es lief'
  },
  behind_others: {
    en: { by: 'count', one: 'behind 1 other', other: 'behind {count} others' },
    de: { by: 'count', one: 'hinter 1 anderen', other: 'hinter {count} anderen' }
  },
  rests_until: { en: 'it rests until {until}', de: 'es ruht bis {until}' },
  rests_until_because: { en: '{why}; it is tried again at {until}', de: '{why}; der nächste Versuch ist um {until}' },
  worker_again_after: {
    en: 'the worker starts again after it ended while working on {what}: {how}',
    de: 'der Arbeiter startet neu, nachdem er bei der Arbeit an {what} endete: {how}'
  }
}
