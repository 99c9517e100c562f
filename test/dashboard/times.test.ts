import t from 'tap'
import { duration, number, timeText } from '../../web/shared/times.js'

const HOUR_MS = 3_600_000

t.test(
  'a moment is written as Intl writes it, in every zone, over the change of summer time, however often it is asked',
  async (t) => {
    for (const zone of ['America/Boise', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC']) {
      const written = (ms: number): string => timeText(ms, { zone, clock: '24h' }, 'de', 'short')
      const intl = new Intl.DateTimeFormat('de-DE', {
        ...{ timeZone: zone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' },
        ...{ weekday: 'short', day: 'numeric', month: 'short' }
      })
      // Two days around the end of summer time, more minutes than are kept.
      for (let ms = Date.parse('2026-10-24T12:00:00Z'); ms < Date.parse('2026-10-26T12:00:00Z'); ms += 0.117 * HOUR_MS)
        for (const moment of [ms, ms, ms + 999])
          if (written(moment) !== intl.format(moment)) t.fail(`${zone} ${moment}`)
      t.equal(written(-1), 'Zeit unbekannt', 'a clock that nobody set told it')
    }
    t.throws(() => timeText(Number.NaN, { zone: 'UTC', clock: '24h' }, 'en', 'clock'), RangeError)
  }
)

t.test('numbers and durations are those of their language and their digits', async (t) => {
  t.same([number(1234.56, 'en', 1), number(1234.56, 'de', 1), number(1234.56, 'en')], ['1,234.6', '1.234,6', '1,235'])
  t.same([duration(93_600_000, 'en'), duration(93_600_000, 'de')], ['1 day 2 hr', '1 Tg. 2 Std.'])
})

t.test(
  'the clock of the station is that of every page in every language, as it is of the texts on the air',
  async (t) => {
    const evening = Date.parse('2026-07-01T18:14:00Z')
    const said = (language: string, clock: string) =>
      (['clock', 'short', 'full', 'dated', 'weekday'] as const).map((shape) =>
        /\d{1,2}:\d{2}(?:\s[AP]M)?/
          .exec(timeText(evening, { zone: 'UTC', clock }, language, shape))?.[0]
          .replace(/\s/, ' ')
      )
    for (const language of ['en', 'de']) {
      t.same(
        said(language, '12h'),
        Array.from({ length: 5 }, () => '6:14 PM'),
        language
      )
      t.same(
        said(language, '24h'),
        Array.from({ length: 5 }, () => '18:14'),
        language
      )
    }
  }
)
