/** The detector of encodings, `lookout work convert:encoding`: bytes on standard input, a label of the Encoding standard as a line of the output. */
export const encodingRoles: Record<string, () => Promise<() => Promise<void>>> = {
  'convert:encoding': async () => guessed
}

async function guessed(): Promise<void> {
  const { guessEncoding } = await import('./guess.ts')
  const parts: Buffer[] = []
  for await (const part of process.stdin as AsyncIterable<Buffer>) parts.push(part)
  const encoding = await guessEncoding(Buffer.concat(parts))
  // The process ends after us: the line must be out by then.
  await new Promise<void>((resolve) => process.stdout.write(`${encoding}\n`, () => resolve()))
}
