// Measured numbers as people read them, for charts on the server and what a hand points at in them.

/** @param {number} value */
function bytes(value) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)))
  const shown = value / 1000 ** power
  return `${shown >= 100 || power === 0 ? Math.round(shown) : Math.round(shown * 10) / 10} ${units[power]}`
}

/** @param {number} value */
const tenth = (value) => String(Math.round(value * 10) / 10)

/** @typedef {'percent' | 'milliseconds' | 'whole' | 'tenth' | 'celsius' | 'bytes'} Measure */
/** @type {Readonly<Record<Measure, (value: number) => string>>} */
export const MEASURES = {
  percent: (value) => `${Math.round(value)} %`,
  milliseconds: (value) => `${Math.round(value)} ms`,
  whole: (value) => String(Math.round(value)),
  tenth,
  celsius: (value) => `${tenth(value)} °C`,
  bytes
}
