import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { jsonOr } from '../../platform/bytes/json-or.ts'
import { AppError } from '../../platform/errors.ts'
import type { NewUpload } from '../catalogue/uploads.ts'
import { looksLikeTtml } from '../enrich/ttml.ts'
import type { CaptionTrack } from './convert/caption-tracks.ts'
import { inChild, isAlmostEmpty, type KeptPage, type PageParts } from './take-page.ts'
import { takeTranscript } from './take-transcript.ts'
import { fetchText } from './web-page.ts'

export interface CaptionParts extends PageParts {
  /** ISO 639-1 codes of the languages that are read, the first one first. */
  languages: readonly string[]
  /** The source of what is said in a recording. */
  videoPlatform: string
}

interface Where {
  url: string
  category?: string
  source_url?: string
}

/** Paths by which PeerTube calls a video, on whatever host. */
const PEERTUBE_VIDEO = /^\/(?:w|videos\/(?:watch|embed))\/([\w-]{10,64})\/?$/
/** Sites that hold recordings and nothing to read: without captions there is nothing to take. */
const RECORDINGS = /(?:^|\.)(?:youtube\.com|youtube-nocookie\.com|youtu\.be)$/i

/** `GET /api/v1/videos/:id/captions` of PeerTube; older releases name the file by its path alone. */
const peertubeCaptions = v.object({
  data: v.array(
    v.object({
      language: v.object({ id: v.string(), label: v.optional(v.string(), '') }),
      captionPath: v.nullish(v.string()),
      fileUrl: v.nullish(v.string()),
      automaticallyGenerated: v.optional(v.boolean(), false)
    })
  )
})

/**
 * The captions of the recording that a page is about, as a transcript whose citations lead to the moment on that page. Null when the page is
 * none of a recording. @throws AppError `invalid` when it is, and has no captions; what fetching them throws; DuplicateError.
 */
export async function keepRecording(page: KeptPage, where: Where, parts: CaptionParts): Promise<NewUpload | null> {
  const tracks = await tracksOf(page, where.url, parts)
  if (tracks === null) return null
  const { host } = new URL(where.url)
  const track = chosen(tracks, parts.languages)
  if (track === null) throw new AppError('invalid', because('recording_without_captions', { host }))
  const text = await fetched(track, where.url, parts)
  // A platform may name its captions and hand out none.
  if (text.trim() === '') throw new AppError('invalid', because('captions_are_empty', { host }))
  const language = primary(track.language)
  const title = page.title || host
  const facts = { title, language, filename: `${title}.${language || 'captions'}.vtt`.replace(/[/\\]/g, ' ') }
  return keepCaptions(text, { ...where, ...facts, source_url: where.source_url || where.url }, parts)
}

/** Captions in any of the forms that are read. @throws AppError `invalid` when there is next to no text; DuplicateError. */
export async function keepCaptions(
  text: string,
  facts: Where & { filename: string; title?: string; language?: string },
  parts: CaptionParts
): Promise<NewUpload> {
  const { receiver, videoPlatform } = parts
  const name = facts.filename.split('/').at(-1) ?? ''
  const isTtml = looksLikeTtml(text)
  const readable = isTtml ? await inChild(text, { role: 'convert:ttml', ending: 'ttml' }, parts) : text
  const filename = isTtml ? `${name.replace(/\.\w{2,4}$/, '')}.vtt` : name
  const part = await receiver.store(bytesOf(readable), { filename })
  const language = facts.language ?? languageIn(name)
  return takeTranscript(receiver, part, { ...facts, filename, language }, videoPlatform)
}

/** Null: the page is none of a recording. */
async function tracksOf(page: KeptPage, url: string, parts: CaptionParts): Promise<CaptionTrack[] | null> {
  const { tracks, platform } = page.recording
  const { pathname, hostname, origin } = new URL(url)
  const id = PEERTUBE_VIDEO.exec(pathname)?.[1]
  const isPeertube = /^peertube$/i.test(platform)
  if (id !== undefined && (isPeertube || (tracks.length === 0 && isAlmostEmpty(page)))) {
    const answer = await fetchText(`${origin}/api/v1/videos/${id}/captions`, parts)
    const told = v.safeParse(peertubeCaptions, jsonOr(null, answer))
    if (told.success) return told.output.data.flatMap(peertubeTrack)
    if (isPeertube) throw new AppError('unavailable', because('captions_not_told', { host: hostname }))
  }
  if (tracks.length > 0) return tracks
  return RECORDINGS.test(hostname) ? [] : null
}

type PeertubeCaption = v.InferOutput<typeof peertubeCaptions>['data'][number]

function peertubeTrack({ language, captionPath, fileUrl, automaticallyGenerated }: PeertubeCaption): CaptionTrack[] {
  const address = fileUrl ?? captionPath ?? ''
  if (address === '') return []
  const { id, label } = language
  return [{ address, language: id, label, machine: automaticallyGenerated, first: false }]
}

/** The best of them: in a language that is read, by people before by a machine, the one that would be shown. */
function chosen(tracks: readonly CaptionTrack[], languages: readonly string[]): CaptionTrack | null {
  const rank = ({ language, machine, first }: CaptionTrack): number => {
    const at = languages.indexOf(primary(language))
    return (at < 0 ? languages.length : at) * 4 + (machine ? 2 : 0) + (first ? 0 : 1)
  }
  return tracks.toSorted((a, b) => rank(a) - rank(b))[0] ?? null
}

async function fetched({ address }: CaptionTrack, page: string, parts: CaptionParts): Promise<string> {
  const { host } = new URL(page)
  if (!URL.canParse(address, page)) throw new AppError('invalid', because('captions_are_empty', { host }))
  const url = new URL(address, page)
  // The platform's own form has no times that are read here.
  if (RECORDINGS.test(url.hostname) && url.pathname === '/api/timedtext') url.searchParams.set('fmt', 'vtt')
  try {
    return await fetchText(url.href, parts)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, because('captions_not_fetched', { host, said: error.reason }), { cause: error })
  }
}

/** `pt-BR` → `pt`; empty for what is no code. */
function primary(tag: string): string {
  return /^([a-z]{2,3})(?:[-_]|$)/i.exec(tag.trim())?.[1]?.toLowerCase() ?? ''
}

/** `talk.en.vtt`, and `UUID-en.vtt` of PeerTube: the way files of captions are called. */
function languageIn(name: string): string {
  return /(?:\.|[0-9a-f]{12}-)([a-z]{2,3})\.(?:vtt|srt|ttml|dfxp)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}
