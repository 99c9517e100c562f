import type { NewUpload } from '../catalogue/uploads.ts'
import type { Part } from './parts.ts'
import { sniffFile } from './receive.ts'
import { type CaptionParts, keepCaptions, keepRecording } from './take-captions.ts'
import { keepPage, readableOf } from './take-page.ts'
import { takeTranscript } from './take-transcript.ts'
import { UPLOAD_TYPES } from './upload-type.ts'
import { type ComingFile, type FetchedFile, type FetchedPage, fetchAddress } from './web-page.ts'

export interface AddressAsk {
  url: string
  category?: string
  /** Of captions: where the recording is watched. */
  source_url?: string
}

/** The file that came of an address. */
export type TakenAddress = NewUpload & { url: string }

/**
 * Takes in what stands at an address, with the address in its sidecar: a web page as its text, captions and the page of a recording that names
 * its captions as a transcript, a document of the formats that are uploaded as that file.
 * @throws AppError as `fetchAddress` does; `invalid` when there is no text; `unsupported`; DuplicateError.
 */
export async function takeAddress(ask: AddressAsk, parts: CaptionParts): Promise<TakenAddress> {
  const { maxBytes } = parts.receiver.settings
  const found = await fetchAddress(ask.url, { ...parts, maxBytes }, (file) => store(file, parts))
  return { ...(await kept(found, ask, parts)), url: found.url }
}

interface Stored {
  part: Part
  filename: string
}

async function store({ filename, announced, content }: ComingFile, { receiver }: CaptionParts): Promise<Stored> {
  return { part: await receiver.store(content, { announced, filename }), filename }
}

async function kept(
  found: FetchedPage | FetchedFile<Stored>,
  ask: AddressAsk,
  parts: CaptionParts
): Promise<NewUpload> {
  const { url } = found
  if (found.kind === 'file') return keepFile(found.kept, { ...ask, url }, parts)
  if (found.kind === 'captions')
    return keepCaptions(found.body, { ...ask, url, filename: new URL(url).pathname }, parts)
  const page = await readableOf(found, parts)
  const recording = await keepRecording(page, { ...ask, url }, parts)
  return recording ?? keepPage(page, { category: ask.category, url }, parts.receiver)
}

/** A document under the name it has there; captions without a type of their own are told by their content. */
async function keepFile({ part, filename }: Stored, ask: AddressAsk, parts: CaptionParts): Promise<NewUpload> {
  const { receiver } = parts
  try {
    const { type } = await sniffFile(part.path, part.size, filename)
    if (type === '.vtt' || type === '.srt')
      return await takeTranscript(receiver, part, { ...ask, filename }, parts.videoPlatform)
    const facts = { filename, category: ask.category ?? '', source: 'web', more: { url: ask.url } }
    return await receiver.accept(part, facts, UPLOAD_TYPES)
  } finally {
    await receiver.drop(part)
  }
}
