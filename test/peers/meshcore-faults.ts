/**
 * A fault that the peer can be told to have. `command` limits it to one command byte; `times` is how often, once unless
 * given.
 */
export interface PeerFault {
  kind:
    | 'drop' /* the link ends instead of the answer */
    | 'drop-after' /* the link ends after the answer */
    | 'garbage' /* `hex` before the answer */
    | 'garble' /* a bit of the command changes on the way to the node */
    | 'slow' /* the answer comes `ms` late */
    | 'half' /* the answer stops in its middle, and never goes on */
    | 'refuse' /* error `code` */
    | 'discard' /* the command is not read: no answer, no effect */
    | 'lost-answer' /* the command takes effect, its answer does not come */
    | 'push' /* pushes come between the command and its answer */
    | 'bytewise' /* the answer comes byte by byte */
    | 'stop' /* nothing is answered any more until `mend` */
    | 'swallow' /* OK, but it never goes on the air */
    | 'pool-full' /* the next texts find no free packet */
    | 'ack-late' /* the acknowledgement comes `ms` later */
    | 'ack-never'
    | 'ack-twice'
    | 'no-repeat' /* no repeater passes the next text on */
  command?: number
  times?: number
  ms?: number
  hex?: string
  code?: number
}

export class Faults {
  readonly #active: (PeerFault & { left: number })[] = []

  add(fault: PeerFault): void {
    this.#active.push({ ...fault, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#active.length = 0
  }

  /** The fault of one of `kinds` that is due for `command`, counted down. */
  take(kinds: readonly PeerFault['kind'][], command?: number): PeerFault | null {
    const found = this.#active.find(
      (fault) =>
        kinds.includes(fault.kind) &&
        fault.left > 0 &&
        (command === undefined || fault.command === undefined || fault.command === command)
    )
    if (found === undefined) return null
    if (found.kind !== 'stop') found.left--
    if (found.left <= 0) this.#active.splice(this.#active.indexOf(found), 1)
    return found
  }
}
