import { because } from '../../model/reason.ts'
import { AppError, issueOf } from '../../platform/errors.ts'
import type { NewUpload } from '../catalogue/uploads.ts'
import { readTextFile } from '../enrich/read-text.ts'
import { transcriptPages } from '../enrich/transcript.ts'
import type { Part } from './parts.ts'
import type { Intake } from './take-page.ts'
import { pageAddress } from './web-page.ts'

/** Captions of a whole day are 3 MB. */
const MAX_BYTES = 8 * 1024 * 1024

export interface TranscriptFacts {
  filename: string
  title?: string
  category?: string
  /** The address where the recording is watched: citations lead there, to the minute. */
  source_url?: string
  /** ISO 639 code, as the sender says; empty: unknown. */
  language?: string
  /** The address that the captions themselves were fetched from. */
  url?: string
}

/**
 * Takes captions in (WebVTT or SubRip), as a file that goes the way of every file. They are read once before: what holds
 * no text is refused at once. The part is gone afterwards. @throws AppError `invalid`, `too-large`; DuplicateError.
 */
export async function takeTranscript(
  receiver: Pick<Intake, 'accept' | 'drop'>,
  part: Part,
  { filename, title = '', category = '', source_url: address = '', language = '', url: from = '' }: TranscriptFacts,
  source = 'video'
): Promise<NewUpload> {
  try {
    const url = address.trim() === '' ? {} : { source_url: watchAddress(address) }
    const fetched = from === '' ? {} : { url: from }
    const spoken = language.trim() === '' ? {} : { language: languageCode(language) }
    if (part.size > MAX_BYTES) throw new AppError('too-large', because('transcript_too_large'))
    transcriptPages(await readTextFile(part.path, MAX_BYTES))
    const named = /\.\w{2,4}$/.test(filename) ? filename : `${filename || 'transcript'}.vtt`
    return await receiver.accept(
      part,
      { filename: named, title, category, source, sourceType: 'transcript', more: { ...url, ...spoken, ...fetched } },
      // Captions whose form is not recognised at once (no header, no numbers) are read all the same.
      ['.vtt', '.srt', '.txt']
    )
  } finally {
    await receiver.drop(part)
  }
}

function languageCode(text: string): string {
  const code = text.trim().toLowerCase()
  if (/^[a-z]{2,3}$/.test(code)) return code
  const why = because('language_is_iso639')
  throw new AppError('invalid', because('language_not_valid', { why }), {
    issues: [issueOf('/language', 'format', why)]
  })
}

function watchAddress(text: string): string {
  const url = pageAddress(text)
  if (url.username !== '' || url.password !== '') throw new AppError('invalid', because('recording_address_secret'))
  return url.href
}
