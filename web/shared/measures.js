// Measured numbers as people read them, for charts on the server and what a hand points at in them.

import { number } from './times.js'

/** @param {number} value @param {string} language */
function bytes(value, language) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)))
  const shown = value / 1000 ** power
  return `${number(shown, language, shown >= 100 || power === 0 ? 0 : 1)} ${units[power]}`
}

/** @param {number} value @param {string} language */
const tenth = (value, language) => number(value, language, 1)
/** @param {number} value @param {string} language */
const whole = (value, language) => number(value, language)

/** @typedef {'percent' | 'milliseconds' | 'whole' | 'tenth' | 'celsius' | 'bytes'} Measure */
/** @type {Readonly<Record<Measure, (value: number, language: string) => string>>} */
export const MEASURES = {
  percent: (value, language) => `${whole(value, language)} %`,
  milliseconds: (value, language) => `${whole(value, language)} ms`,
  whole,
  tenth,
  celsius: (value, language) => `${tenth(value, language)} °C`,
  bytes
}
