import * as v from 'valibot'
import { type TranscriptFacts, takeTranscript as takeIn } from '../../knowledge/intake/take-transcript.ts'
import { because } from '../../model/reason.ts'
import { parseWith } from '../../platform/config/issues.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { readJsonBody } from '../server/body.ts'
import { readUploadForm } from '../server/body-stream.ts'
import { knowledgeOf } from '../server/knowledge.ts'
import { json, type Reply } from '../server/reply.ts'
import {
  type Handler,
  post,
  type Route,
  type StreamDocs,
  type StreamHandler,
  type Told,
  upload
} from '../server/route.ts'
import { uploadedAnswer, webPageAnswer } from './answers/knowledge.ts'
import type { Services } from './services.ts'
import { accepted, statusPath } from './uploads.ts'

const category = v.pipe(v.optional(v.pipe(v.string(), v.maxLength(200)), ''), v.description('For the catalogue.'))

export const webBody = looseObject({
  url: v.pipe(
    v.string('url says which page'),
    v.maxLength(2000, 'an address has 2000 characters at most'),
    v.description('The address of a page, a document or captions; of the public Internet.')
  ),
  source_url: v.pipe(
    v.optional(v.pipe(v.string(), v.maxLength(2000)), ''),
    v.description('Of captions: where the recording is watched.')
  ),
  category
})
export type WebBody = v.InferOutput<typeof webBody>

const transcriptBody = looseObject({
  text: v.pipe(v.string('text is the transcript itself, WebVTT or SubRip'), v.minLength(1)),
  filename: v.optional(v.pipe(v.string(), v.maxLength(400)), 'transcript.vtt'),
  title: v.optional(v.pipe(v.string(), v.maxLength(300)), ''),
  source_url: v.optional(v.pipe(v.string(), v.maxLength(2000)), ''),
  language: v.optional(v.string(), ''),
  category
})

export const transcriptDocs: StreamDocs = {
  media: 'multipart/form-data',
  statuses: [
    ['201', 'It has arrived'],
    ['400', 'Cut off, or a broken form'],
    ['409', 'It is here already; `existing` names it'],
    ['413', 'Too large for a transcript'],
    ['415', 'Neither a form nor JSON'],
    ['422', 'No captions, or nearly no text in them'],
    ['507', 'Not enough space']
  ]
}

/** `POST /api/ingest/url`: fetches what stands at an address and takes it in; 201 once it is safe on the disk. */
export function takeWebPage({ context }: Services): Handler<unknown, WebBody, Told<typeof webPageAnswer>> {
  return async ({ body: { url, source_url, category: named } }) => {
    const { takeAddress } = knowledgeOf(context)
    const taken = await accepted(takeAddress({ url, source_url, category: named }))
    return created(taken, { url: taken.url, title: taken.title })
  }
}

/** `POST /api/ingest/transcript`: a form with `file`, or JSON with `text`; `source_url` says where it is watched. */
export function takeTranscript({ context }: Services): StreamHandler<unknown, Told<typeof uploadedAnswer>> {
  return async (_call, { req, res }) => {
    const { receiver } = knowledgeOf(context)
    const isForm = /^multipart\/form-data\b/i.test(req.headers['content-type'] ?? '')
    const { part, facts } = isForm
      ? await readUploadForm(req, res, {
          store: (content, filename) => receiver.store(content, { filename }),
          drop: (stored) => receiver.drop(stored)
        }).then(({ part: stored, filename, fields }) => ({ part: stored, facts: { ...fields, filename } }))
      : await readJson(await readJsonBody(req, res), (text) => receiver.store(bytesOf(text)))
    if (part === null) throw new AppError('invalid', because('no_file_sent'))
    const { video_platform } = context.config.current().knowledge
    return created(await accepted(takeIn(receiver, part, facts, video_platform)), {})
  }
}

async function readJson<Stored>(
  body: unknown,
  store: (text: string) => Promise<Stored>
): Promise<{ part: Stored; facts: TranscriptFacts }> {
  const { text, filename, category: named, ...rest } = parseWith(transcriptBody, body, 'the body')
  return {
    part: await store(text),
    facts: { filename, title: rest.title, source_url: rest.source_url, language: rest.language, category: named }
  }
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

function created<More extends object>(
  { hash, filename }: { hash: string; filename: string },
  more: More
): Reply<Told<typeof uploadedAnswer> & More> {
  const status_url = statusPath(hash)
  const view = { hash, filename, status: 'pending' as const, ...more, status_url }
  return json(view, { status: 201, headers: { Location: status_url } })
}

export const intakeRoutes = (services: Services): Route[] => [
  post('/api/ingest/url', {
    summary: 'Takes in what stands at an address.',
    about:
      'Body: `{url, category?, source_url?}`, fetched from the public Internet within two minutes. Of a web page (HTML or plain text, at most 10 MB) the readable text is kept; a document (PDF, EPUB, Word, Mobipocket) is kept as it is, within the limits of uploads; captions (WebVTT, SubRip, TTML), and the captions that the page of a recording names (elements `track`, PeerTube, `captionTracks`), become a transcript whose citations lead to the moment there, or at `source_url`. Answers `{hash, filename, status: "pending", url, title, status_url}`; `hash` is the SHA-256 of what is kept: the same again is 409 with `existing`. 422 for an address that is not public, a page that is not there, one without text, a recording without captions; 415 for another type; 503 when the site does not answer.',
    body: webBody,
    done: [201, 'It has arrived'],
    answer: webPageAnswer,
    handle: takeWebPage(services)
  }),
  upload('POST', '/api/ingest/transcript', {
    summary: 'Takes in captions.',
    about:
      'Body: `multipart/form-data` with `file` (WebVTT or SubRip), `source_url?`, `title?`, `language?`, `category?`; or JSON `{text, filename?, source_url?, title?, language?, category?}`. Citations lead to the minute at `source_url`. Answers `{hash, filename, status: "pending", status_url}`. 422 when there is next to no text; 409 as for uploads.',
    access: 'operator',
    docs: transcriptDocs,
    answer: uploadedAnswer,
    handle: takeTranscript(services)
  })
]
