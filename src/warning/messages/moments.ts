import { put } from './catalogue/words.ts'
import type { TimeWord, TimeWords, Tongue } from './tongues.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A time of `instantText` in another tongue. */
export function momentIn({ days, months, dayMark = '', midnight, noon }: Tongue, moment: string): string {
  return moment
    .replace('midnight', midnight)
    .replace('noon', noon)
    .replace(/^[A-Z][a-z]{2}(?= \D| \d[\d:]*[ap]?$)/, (day) => days.split(' ')[DAYS.indexOf(day)] ?? day)
    .replace(/^([A-Z][a-z]{2}) (\d{1,2})(?= )/, (_, name: string, day: string) => {
      const at = MONTHS.indexOf(name)
      if (months === '') return `${at + 1}/${day}`
      return `${day}${dayMark} ${months.split(' ')[at] ?? name}`
    })
}

/** A word of time with its time: `til 6:45p`, `18:45まで`, `jusqu'au 14 avr`. */
export function timed(word: TimeWord, moment: string): string {
  const form: string = typeof word === 'string' ? word : formFor(word, moment)
  return form.includes('$') ? put(form, moment) : `${form} ${moment}`
}

function formFor({ hour, one = hour, day, date, name }: TimeWords, moment: string): string {
  if (/^\d{1,2}\.? \p{L}/u.test(moment)) return date
  if (/^0?1(?!\d)/.test(moment)) return one
  if (/^\d/.test(moment)) return hour
  return moment.includes(' ') ? day : name
}
