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
  }
}
