/** The memory that the board has for one job; a process that never said so has no bound but those of each program. */
let most = Number.POSITIVE_INFINITY

/** From now on no program that reads untrusted files has more memory than this: what the profile gives a job. For a process that works on jobs. */
export function boundJobMemory(bytes: number): void {
  most = bytes
}

/** The memory of a program that would have so much by itself, and whether that is all the profile gives a job. */
export function withinJobMemory(bytes: number): { memoryBytes: number; isOfProfile: boolean } {
  return { memoryBytes: Math.min(bytes, most), isOfProfile: bytes > most }
}
