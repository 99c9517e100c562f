// How the state of a source or a radio looks: a shape and a colour of the style sheet, beside its word.

/** @type {Readonly<Partial<Record<string, 'good' | 'bad' | 'off'>>>} */
const TONES = {
  ok: 'good',
  unchanged: 'good',
  ready: 'good',
  failing: 'bad',
  stale: 'bad',
  blocked: 'bad',
  down: 'bad',
  suspect: 'bad',
  off: 'off',
  closed: 'off'
}

/** @param {string} state */
export function stateTone(state) {
  return TONES[state] ?? 'waiting'
}
