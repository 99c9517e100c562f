/** A file of an archive. */
export interface TarFile {
  /** ASCII, at most 100 bytes, relative, with `/`. */
  path: string
  bytes: Uint8Array
}

const BLOCK = 512
const NAME_BYTES = 100
/** The largest size that eleven octal digits say. */
const MOST_BYTES = 0o77777777777

/**
 * An archive of plain files in the form every `tar` reads (POSIX.1-1988 ustar): each of `mode` 0600, nobody's, made at `at` (epoch
 * milliseconds). @throws Error for a path or a size that this form cannot say: the caller names its files itself.
 */
export function tarOf(files: readonly TarFile[], at: number): Buffer {
  const parts = files.flatMap(({ path, bytes }) => [tarHeader(path, bytes.length, at), bytes, tarPadding(bytes.length)])
  return Buffer.concat([...parts, TAR_END])
}

/** Two blocks of zeros end an archive. */
export const TAR_END: Uint8Array = Buffer.alloc(2 * BLOCK)

/** True for a path that a ustar header says by itself. */
export const isPlainTarPath = (path: string): boolean =>
  /^[\w.-]+(?:\/[\w.-]+)*$/.test(path) && path.length <= NAME_BYTES

/** The block before the bytes of a file. @param at epoch milliseconds. @throws Error as `tarOf` does */
export function tarHeader(path: string, size: number, at: number, type = '0'): Buffer {
  if (!isPlainTarPath(path)) throw new Error(`no name for ustar: ${path}`)
  if (size > MOST_BYTES) throw new Error(`${path} is too large for ustar`)
  const block = Buffer.alloc(BLOCK)
  block.write(path, 0, 'latin1')
  block.write(`${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100, 'latin1')
  block.write(`${octal(size, 11)}\0${octal(Math.max(0, Math.floor(at / 1000)), 11)}\0`, 124, 'latin1')
  // The checksum is taken with blanks in its own place.
  block.write(`${' '.repeat(8)}${type}`, 148, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148, 'latin1')
  return block
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

/** The zeros after the bytes of a file: every header begins at a whole block. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
