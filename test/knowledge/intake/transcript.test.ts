import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { kindOf } from '../../../src/knowledge/intake/read-source.ts'
import { takeTranscript } from '../../../src/knowledge/intake/take-transcript.ts'
import { intake } from '../../helpers/knowledge.ts'

const VTT =
  'WEBVTT\n\n00:00:01.000 --> 00:00:05.000\nBoil the water for one minute before you drink it.\n\n00:00:05.000 --> 00:00:09.000\nThen let it cool in the pot.\n'
const SRT = VTT.replace('WEBVTT\n\n', '1\n').replace(/\./g, ',')

async function* bytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

t.test('captions come in with the address of their recording, as an upload does', async (t) => {
  const { receiver, uploads, files } = await intake(t)
  const take = async (text: string, facts: Parameters<typeof takeTranscript>[2]) =>
    takeTranscript(receiver, await receiver.store(bytes(text)), facts)
  const vtt = await take(VTT, { filename: 'talk.en.vtt', title: 'A talk', source_url: 'https://tube.example/w/abc' })
  t.match(uploads.get(vtt.hash), {
    filename: 'talk.en.vtt',
    extension: '.vtt',
    source: 'video',
    source_type: 'transcript',
    title: 'A talk',
    sidecar: { source_url: 'https://tube.example/w/abc' }
  })
  t.ok(files()[`acquired/transcript/${vtt.hash}.vtt`])
  const srt = await take(SRT, { filename: 'talk.srt' })
  t.match(uploads.get(srt.hash), { extension: '.srt' })
  const bare = await take(VTT.replace('WEBVTT\n', '\n'), { filename: '' })
  t.match(uploads.get(bare.hash), { filename: 'transcript.vtt', extension: '.txt', source_type: 'transcript' })
  await t.rejects(take(VTT, { filename: 'again.vtt' }), { code: 'conflict', existing: { hash: vtt.hash } })
  await t.rejects(take('WEBVTT\n\n00:01.000 --> 00:02.000\n[Music]\n', { filename: 'music.vtt' }), {
    code: 'invalid',
    message: /only 7 characters/
  })
  await t.rejects(take(VTT.replace('Boil', 'Heat'), { filename: 'x.vtt', source_url: 'ftp://example.org/x' }), {
    code: 'invalid',
    message: /address of a web page/
  })
  await t.rejects(take(VTT.replace('Boil', 'Warm'), { filename: 'x.vtt', source_url: 'https://me:you@example.org/' }), {
    code: 'invalid',
    message: /password/
  })
  await t.rejects(take(`${VTT}${'x'.repeat(9_000_000)}`, { filename: 'x.vtt' }), { code: 'too-large' })
  t.same(
    Object.keys(files()).filter((name) => name.includes('.parts')),
    [],
    'nothing is left of what was refused'
  )
})

t.test('a dropped file with its sidecar is the same', async (t) => {
  const { folder, folders, uploads, clock } = await intake(t)
  const place = join(folder, 'acquired', 'transcript')
  writeFileSync(join(place, 'My talk.vtt'), VTT)
  writeFileSync(
    join(place, 'My talk.meta.json'),
    JSON.stringify({ source_url: 'https://www.youtube.com/watch?v=abc', title: 'My talk', speaker: 'Ann' })
  )
  await clock.runTo(Date.now() + 20_000)
  t.match(await folders.look(), { taken: 1 })
  const [upload] = uploads.list({ limit: 5 })
  t.match(upload, {
    filename: 'My talk.vtt',
    extension: '.vtt',
    source: 'folder',
    source_type: 'transcript',
    sidecar: { source_url: 'https://www.youtube.com/watch?v=abc', speaker: 'Ann' }
  })
  if (upload !== undefined) t.equal(kindOf(upload, 'video'), 'transcript')
})

t.test('L8: what a file becomes follows from its bytes and its source, in one place', async (t) => {
  for (const [extension, source_type, kind] of [
    ['.pdf', 'pdf', 'pdf'],
    ['.pdf', 'web', 'pdf'],
    ['.epub', 'pdf', 'pdf'],
    ['.txt', 'text', 'text'],
    ['.txt', 'anything', 'text'],
    ['.txt', 'web', 'web'],
    ['.txt', 'transcript', 'transcript'],
    ['.vtt', 'web', 'transcript'],
    ['.srt', 'transcript', 'transcript']
  ] as const)
    t.equal(kindOf({ extension, source_type, source: 'folder' }, 'video'), kind, `${extension} of ${source_type}`)
  const talk = { extension: '.txt', source_type: 'text', source: 'peertube' }
  t.equal(kindOf(talk, 'video'), 'text')
  t.equal(kindOf(talk, 'peertube'), 'transcript', 'whatever text comes from the video platform (contract §7)')
  t.equal(kindOf({ ...talk, extension: '.pdf' }, 'peertube'), 'pdf')
})
