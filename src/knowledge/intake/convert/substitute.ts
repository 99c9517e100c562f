/** Stands for the characters that no font has. */
export interface Substitute {
  /** Characters that it stood for so far. */
  readonly drawn: number
  /** Width of `text` in points. */
  width: (text: string, size: number) => number
  /** Its upper left corner is at (x, y). */
  draw: (text: string, at: { x: number; y: number; size: number }) => void
  /** Writes what waits; nothing may be drawn afterwards. */
  end: () => void
}
