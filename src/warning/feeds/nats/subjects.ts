/** True when a subject, with * and > as wildcards, fits the subject of a message (NATS "Subject-Based Messaging"). */
export function subjectFits(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.')
  const tokens = subject.split('.')
  for (const [index, token] of wanted.entries()) {
    if (token === '>') return tokens.length > index
    if (index >= tokens.length || (token !== '*' && token !== tokens[index])) return false
  }
  return wanted.length === tokens.length
}

/** The narrowest single subject that holds all of these: servers before 2.10 let a consumer name only one. */
export function coveringSubject(subjects: readonly string[]): string {
  const all = subjects.map((subject) => subject.split('.'))
  const [first = ['>']] = all
  const isEven = all.every((tokens) => tokens.length === first.length && !tokens.includes('>'))
  // `>` stands for at least one part, so the shortest subject leaves it one.
  const fixed = isEven ? first.length : Math.min(...all.map(({ length }) => length)) - 1
  const cover = first.slice(0, fixed).map((token, at) => (all.every((tokens) => tokens[at] === token) ? token : '*'))
  return (isEven ? cover : [...cover, '>']).join('.')
}
