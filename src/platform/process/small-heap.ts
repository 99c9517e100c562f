import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the space for young objects at its first size (V8: 1 MB instead of up to 16, twice). Under load that is some 25 MB
 * less resident memory for a fifth more time spent collecting: right on a board with 512 MB, wrong elsewhere. Takes effect
 * at once, whatever flags the program was started with.
 */
export function keepYoungSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
