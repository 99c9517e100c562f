import { AppError, errorText } from '../lib/errors.ts'
import { exportsOf } from '../lib/exports-of.ts'

/**
 * Unpacks one XZ stream (archives made before 2021) that begins with what `next` gives; null from it means that there is no
 * more. @throws AppError `bad-input`, `too-large` beyond `limit` bytes.
 */
export async function unxz(next: () => Buffer | null, limit: number): Promise<Buffer> {
  const { XzReadableStream } = exportsOf(await import('xz-decompress'))
  const packed = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const bytes = next()
        // The decoder would wait for ever for what does not come.
        if (bytes === null) controller.error(new AppError('bad-input', 'the archive is cut off within a cluster'))
        else controller.enqueue(bytes)
      }
    },
    // Nothing is read before it is asked for.
    { highWaterMark: 0 }
  )
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of new XzReadableStream(packed)) {
      length += chunk.length
      if (length > limit)
        throw new AppError('too-large', `a cluster of the archive holds more than ${limit / 2 ** 20} MiB`)
      if (chunk.length > 0) chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('bad-input', `the archive is damaged: ${errorText(error)}`, { cause: error })
  }
  return Buffer.concat(chunks)
}
