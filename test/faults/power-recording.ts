import { appendFileSync, readFileSync } from 'node:fs'

export interface NameStep {
  op: 'create' | 'unlink' | 'mkdir'
  inode: number
  path: string
}
export interface MoveStep {
  op: 'rename' | 'link'
  path: string
  to: string
}
/** One call that changed the data folder, or a mark of what the world outside had seen by then. */
export type Step =
  | NameStep
  | { op: 'write'; inode: number; path: string; at: number; data: Buffer }
  | { op: 'cut'; inode: number; path: string; size: number }
  | { op: 'sync'; inode: number; path: string }
  | MoveStep
  | { op: 'mark'; text: string }

const MAGIC = 0x4c4f4b31
/** magic, call, lengths of path, other path and data, filler, inode, offset: as the recorder writes them. */
const HEAD = 40

/** Reads what the recorder wrote, in the order in which it happened. */
export function readRecording(file: string): Step[] {
  const bytes = readFileSync(file)
  const steps: Step[] = []
  for (let at = 0; at < bytes.length; ) {
    if (bytes.readUInt32LE(at) !== MAGIC) throw new Error(`the recording is broken at byte ${at}`)
    const parts = [8, 12, 16].map((field) => bytes.readUInt32LE(at + field))
    const [inode, offset] = [Number(bytes.readBigUInt64LE(at + 24)), Number(bytes.readBigInt64LE(at + 32))]
    const op = String.fromCharCode(bytes.readUInt32LE(at + 4))
    at += HEAD
    const [first = 0, second = 0, third = 0] = parts
    const text = (from: number, length: number): string => bytes.toString('utf8', from, from + length)
    const data = bytes.subarray(at + first + second, at + first + second + third)
    steps.push(stepOf(op, { inode, offset, path: text(at, first), other: text(at + first, second), data }))
    at += first + second + third
  }
  return steps
}

function stepOf(
  op: string,
  { inode, offset, path, other, data }: { inode: number; offset: number; path: string; other: string; data: Buffer }
): Step {
  if (op === 'w') return { op: 'write', inode, path, at: offset, data }
  if (op === 't') return { op: 'cut', inode, path, size: offset }
  if (op === 's') return { op: 'sync', inode, path }
  if (op === 'c') return { op: 'create', inode, path }
  if (op === 'd') return { op: 'mkdir', inode, path }
  if (op === 'u') return { op: 'unlink', inode, path }
  if (op === 'r' || op === 'l') return { op: op === 'r' ? 'rename' : 'link', path, to: other }
  if (op === 'M') return { op: 'mark', text: String(data) }
  throw new Error(`the recording has an unknown call ${op}`)
}

/** Puts a mark behind all that happened until now. One write: others append to the same file. */
export function mark(file: string, what: object): void {
  const data = Buffer.from(`${JSON.stringify(what)}\n`)
  const head = Buffer.alloc(HEAD)
  head.writeUInt32LE(MAGIC, 0)
  head.writeUInt32LE('M'.charCodeAt(0), 4)
  head.writeUInt32LE(data.length, 16)
  appendFileSync(file, Buffer.concat([head, data]))
}
