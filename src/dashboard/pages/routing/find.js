// Finding a name by a part of it, as people type: accents and capitals do not matter.

/** @param {string} text */
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Every word that was typed is in the name. @param {string} name @param {string} typed */
export function isLike(name, typed) {
  const whole = plain(name)
  return plain(typed)
    .split(/\s+/)
    .every((word) => whole.includes(word))
}
