import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Parsers that read files ask the operating system through a pool of threads: for a file of some hundred bytes in memory
 * that is most of what a case costs. In the thread of the fuzzer every such call is answered at once.
 */

type Call = (...args: never[]) => unknown

/** The same call with its answer in a callback, after the caller has returned. A read is told its buffer too. */
const calling =
  (call: Call) =>
  (...args: unknown[]): void => {
    const done = args.pop() as (...told: unknown[]) => void
    try {
      process.nextTick(done, null, call(...(args as never[])), args[1])
    } catch (error) {
      process.nextTick(done, error)
    }
  }

const promising =
  (call: Call) =>
  async (...args: unknown[]): Promise<unknown> =>
    call(...(args as never[]))

interface Reading {
  buffer: Buffer
  position: number
}

/** The parsers ask no more than this of an open file. */
function handleOf(fd: number): object {
  const read = ({ buffer, position }: Reading): object => ({
    bytesRead: fs.readSync(fd, buffer, 0, buffer.length, position),
    buffer
  })
  return { fd, read: promising(read), close: promising(() => fs.closeSync(fd)) }
}

/** For the rest of this thread. */
export function filesAtOnce(): void {
  const { readFileSync, statSync, openSync, readSync, fstatSync, closeSync, readdirSync } = fs
  Object.assign(fs, {
    open: calling(openSync),
    read: calling(readSync),
    fstat: calling(fstatSync),
    close: calling(closeSync)
  })
  Object.assign(fs.promises, {
    readFile: promising(readFileSync),
    readdir: promising(readdirSync),
    stat: promising(statSync),
    open: promising((path: string, flags: string) => handleOf(openSync(path, flags)))
  })
  syncBuiltinESMExports()
}
