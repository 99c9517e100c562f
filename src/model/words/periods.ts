import type { PERIODS_CODES } from '../reasons/periods.ts'
import type { SentencesOf } from './sentence.ts'

export const PERIODS_SENTENCES: SentencesOf<typeof PERIODS_CODES> = {
  day_is_written: {
    en: 'a day is written as 2027-07-01, and there is one of that name',
    de: 'ein Tag wird als 2027-07-01 geschrieben, und es gibt ihn'
  },
  period_is_written: {
    en: 'a time is a day (2027-07-01), a time of the station (2027-07-01T07:00) or RFC 3339 (2027-07-01T07:00:00Z)',
    de: 'eine Zeit ist ein Tag (2027-07-01), eine Zeit der Station (2027-07-01T07:00) oder RFC 3339 (2027-07-01T07:00:00Z)'
  },
  period_or_day: {
    en: 'say a day, or from and to, not both',
    de: 'nennen Sie einen Tag, oder from und to, nicht beides'
  },
  period_ends_before: {
    en: 'the period ends before it begins: to lies after from',
    de: 'der Zeitraum endet, bevor er beginnt: to liegt nach from'
  },
  period_too_long: {
    en: 'at most {days} days at once: ask for the rest in a second log',
    de: 'höchstens {days} Tage auf einmal: fragen Sie den Rest in einem zweiten Protokoll ab'
  }
}
