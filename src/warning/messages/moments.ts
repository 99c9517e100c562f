import type { Tongue } from './tongues.ts'

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
