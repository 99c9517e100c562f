import t, { type Test } from 'tap'
import { recordingOf } from '../../../src/knowledge/intake/convert/caption-tracks.ts'
import { takeAddress } from '../../../src/knowledge/intake/take-address.ts'
import type { CaptionParts } from '../../../src/knowledge/intake/take-captions.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { ownProgram } from '../../../src/platform/process/own-program.ts'
import { intake, pdf } from '../../helpers/knowledge.ts'
import { guard, site } from '../../helpers/public-site.ts'
import { runnable } from '../../helpers/runnable.ts'

const { flags: execArgv, file: entry } = runnable('test/helpers/work-entry.ts')

const VTT =
  'WEBVTT\n\n00:00:01.000 --> 00:00:06.000\nToday we boil the water for one full minute.\n\n00:02:30.000 --> 00:02:36.000\nAfter that we let it cool in the covered pot.\n'
const SRT =
  '1\n00:00:01,000 --> 00:00:06,000\nHeute kochen wir das Wasser eine volle Minute lang.\n\n2\n00:00:07,000 --> 00:00:09,000\nDann lassen wir es im Topf abkühlen.\n'
const TTML =
  '<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="6s">Today we boil the water for one full minute.</p><p begin="7s" end="9s">After that we let it cool.</p></div></body></tt>'
const PEERTUBE =
  '<!doctype html><html><head><meta property="og:platform" content="PeerTube"><meta property="og:title" content="Boiling water"><title>Boiling water - Tube</title></head><body><my-app></my-app></body></html>'
const UUID = '9c9de5e8-0a1e-484a-b099-e80766180a6d'

type Answer = { type?: string; body: string | Buffer; status?: number }

/** A site with these answers by path, and the intake that takes from it. */
async function platform(
  t: Test,
  answers: (url: string) => Record<string, Answer>,
  names: Record<string, string[][]> = {}
) {
  let base = ''
  const { url, port, seen } = await site(t, (req, res) => {
    const {
      type = 'text/html; charset=utf-8',
      body,
      status = 200
    } = answers(base)[req.url ?? ''] ?? {
      body: 'none',
      status: 404
    }
    res.writeHead(status, { 'Content-Type': type }).end(body)
  })
  base = url
  const made = await intake(t)
  const parts: CaptionParts = {
    receiver: made.receiver,
    userAgent: 'Lookout/1',
    languages: ['en', 'de'],
    videoPlatform: 'video',
    guard: guard(names).guard,
    program: (args) => ownProgram(args, { entry, execArgv })
  }
  const take = (path: string, rest = {}) =>
    takeAddress({ url: /^https?:/.test(path) ? path : url + path, ...rest }, parts)
  return { ...made, url, port, seen, take }
}

async function refusal(work: Promise<unknown>): Promise<AppError> {
  try {
    await work
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it was not refused')
}

t.test('a file of captions is a transcript, in each of its forms, however its server calls it', async (t) => {
  const { take, uploads, files, url } = await platform(t, () => ({
    '/talk.en.vtt': { type: 'text/vtt', body: VTT },
    '/vortrag.de.srt': { type: 'application/octet-stream', body: SRT },
    '/talk.ttml': { type: 'application/ttml+xml', body: TTML }
  }))
  const vtt = await take('/talk.en.vtt', { source_url: 'https://tube.example/w/talk', category: 'Water' })
  t.match(uploads.get(vtt.hash), {
    extension: '.vtt',
    filename: 'talk.en.vtt',
    source: 'video',
    source_type: 'transcript',
    category: 'Water',
    sidecar: { source_url: 'https://tube.example/w/talk', language: 'en', url: `${url}/talk.en.vtt` }
  })
  const srt = await take('/vortrag.de.srt')
  t.match(uploads.get(srt.hash), { extension: '.srt', sidecar: { language: 'de' } })
  const ttml = await take('/talk.ttml')
  t.match(uploads.get(ttml.hash), { extension: '.vtt', filename: 'talk.vtt' })
  t.match(files()[`acquired/transcript/${ttml.hash}.vtt`], /^WEBVTT\n\n00:00:01\.000 --> 00:00:06\.000\nToday we boil/)
})

t.test('a page that names its captions gives those of a language that is read, with links to the moment', async (t) => {
  const { take, uploads, seen, url } = await platform(t, () => ({
    '/watch': {
      body: '<!doctype html><title>Boiling water</title><video src="a.mp4"><track src="fr.vtt" srclang="fr" default><track kind="captions" src="subs/en.vtt" srclang="en-GB" label="English"><track kind="chapters" src="no.vtt" srclang="en"></video>'
    },
    '/subs/en.vtt': { type: 'text/plain', body: VTT }
  }))
  const taken = await take('/watch')
  t.match(uploads.get(taken.hash), {
    title: 'Boiling water',
    extension: '.vtt',
    sidecar: { source_url: `${url}/watch`, language: 'en' }
  })
  t.same(
    seen.map((one) => one.replace(/^[^/]+/, '')),
    ['/watch', '/subs/en.vtt']
  )
})

t.test('PeerTube is asked for the captions of a video, by people before by a machine', async (t) => {
  const { take, uploads, url } = await platform(t, (base) => ({
    [`/videos/watch/${UUID}`]: { body: PEERTUBE },
    [`/api/v1/videos/${UUID}/captions`]: {
      type: 'application/json',
      body: JSON.stringify({
        total: 3,
        data: [
          {
            language: { id: 'en', label: 'English' },
            captionPath: '/lazy-static/auto.vtt',
            automaticallyGenerated: true
          },
          { language: { id: 'fr', label: 'French' }, captionPath: '/lazy-static/fr.vtt' },
          { language: { id: 'en', label: 'English' }, captionPath: null, fileUrl: `${base}/lazy-static/en.vtt` }
        ]
      })
    },
    '/lazy-static/en.vtt': { type: 'text/vtt', body: VTT }
  }))
  const taken = await take(`/videos/watch/${UUID}`)
  t.match(uploads.get(taken.hash), {
    title: 'Boiling water',
    filename: 'Boiling water.en.vtt',
    sidecar: { source_url: `${url}/videos/watch/${UUID}`, language: 'en' }
  })
})

t.test('a recording without captions, or whose captions are not handed out, is said as such', async (t) => {
  const none = await platform(t, () => ({
    '/w/kkGMgK9ZtnKfYAgnEtQxbv': { body: PEERTUBE },
    '/api/v1/videos/kkGMgK9ZtnKfYAgnEtQxbv/captions': { type: 'application/json', body: '{"total":0,"data":[]}' }
  }))
  t.match(await refusal(none.take('/w/kkGMgK9ZtnKfYAgnEtQxbv')), {
    code: 'invalid',
    message: /This recording on .* has no captions/
  })
  const lost = await platform(t, () => ({
    '/watch': { body: '<title>x</title><video><track src="gone.vtt" srclang="en"></video>' }
  }))
  t.match(await refusal(lost.take('/watch')), { message: /captions were not fetched from .*answers 404/ })
  const silent = await platform(t, () => ({
    [`/w/${UUID}`]: { body: PEERTUBE },
    [`/api/v1/videos/${UUID}/captions`]: { body: '<html>sign in</html>' }
  }))
  t.match(await refusal(silent.take(`/w/${UUID}`)), { code: 'unavailable', message: /does not say which captions/ })
})

t.test('captions of a player stand in a script of its page; empty ones are not hidden', async (t) => {
  const player = (base: string, tracks: string) =>
    `<!doctype html><title>Boiling water - Site</title><script>var ytInitialPlayerResponse = {"captions":{"playerCaptionsTracklistRenderer":{"captionTracks":${tracks.replaceAll('BASE', base)},"x":["]"]}}};</script><div id="player"></div>`
  const tracks =
    '[{"baseUrl":"BASE/api/timedtext?v=1\\u0026lang=de","name":{"simpleText":"Deutsch ]"},"languageCode":"de","kind":"asr"},{"baseUrl":"BASE/api/timedtext?v=1\\u0026lang=en","name":{"runs":[{"text":"English"}]},"languageCode":"en"}]'
  t.match(recordingOf(player('https://x.example', tracks)).tracks, [
    { language: 'de', machine: true, label: 'Deutsch ]' },
    { language: 'en', machine: false, label: 'English', address: 'https://x.example/api/timedtext?v=1&lang=en' }
  ])
  const names = { 'www.youtube.com': [['127.0.0.2']] }
  const s = await platform(
    t,
    () => ({
      '/watch?v=1': { body: player(`http://www.youtube.com:${s.port}`, tracks) },
      '/api/timedtext?v=1&lang=en&fmt=vtt': { type: 'text/vtt', body: VTT },
      '/watch?v=2': { body: player(`http://www.youtube.com:${s.port}`, tracks.replaceAll('v=1', 'v=2')) },
      '/api/timedtext?v=2&lang=en&fmt=vtt': { body: '' },
      '/watch?v=3': { body: '<title>Silent</title><script>var player = {}</script>' }
    }),
    names
  )
  const base = `http://www.youtube.com:${s.port}`
  const taken = await s.take(`${base}/watch?v=1`)
  t.match(s.uploads.get(taken.hash), { sidecar: { source_url: `${base}/watch?v=1`, language: 'en' } })
  t.match(await refusal(s.take(`${base}/watch?v=2`)), {
    message: /names captions of this recording, but hands out none/
  })
  t.match(await refusal(s.take(`${base}/watch?v=3`)), { message: /has no captions/ })
})

t.test('a document by its address is kept as the file it is, under the name it has there', async (t) => {
  const bytes = pdf('a manual')
  const { take, uploads, files, url, names } = await platform(t, () => ({
    '/files/Well%20Manual.pdf': { type: 'application/pdf', body: bytes },
    '/called-a-page': { type: 'text/html', body: bytes },
    '/notes': { type: 'application/octet-stream', body: 'Notes that are long enough to be read by somebody, once.' },
    '/picture.pdf': { type: 'application/pdf', body: Buffer.from('\x89PNG\r\n\x1a\n picture', 'latin1') }
  }))
  const taken = await take('/files/Well%20Manual.pdf')
  t.match(uploads.get(taken.hash), {
    filename: 'Well Manual.pdf',
    extension: '.pdf',
    size: bytes.length,
    source: 'web',
    sidecar: { url: `${url}/files/Well%20Manual.pdf` }
  })
  t.equal(files()[`acquired/pdf/${taken.hash}.pdf`], bytes.toString('latin1'))
  const again = await refusal(take('/called-a-page'))
  t.match(again, { code: 'conflict', existing: { hash: taken.hash } }, 'the same bytes under another name')
  t.match(uploads.get((await take('/notes')).hash), { extension: '.txt' })
  t.match(await refusal(take('/picture.pdf')), { code: 'unsupported', message: /a picture \(PNG\)/ })
  t.same(
    names().filter((name) => name.includes('.parts')),
    []
  )
})

t.test('data of a player that never ends cost no more than their length', async (t) => {
  const cost = (length: number): number => {
    const page = `<script>"captionTracks":[${'"\\"'.repeat(length / 3)}</script>`
    const before = process.cpuUsage()
    t.same(recordingOf(page).tracks, [])
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  cost(30_000)
  const [small, large] = [cost(300_000), cost(2_400_000)]
  t.ok(large < 100 + 40 * small, `${large} ms for eight times what took ${small} ms`)
})
