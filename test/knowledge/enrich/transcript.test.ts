import fc from 'fast-check'
import t from 'tap'
import { readCues } from '../../../src/knowledge/enrich/captions.ts'
import { timedAddress } from '../../../src/knowledge/enrich/timed-address.ts'
import { transcriptPages } from '../../../src/knowledge/enrich/transcript.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { anyText } from '../../helpers/any-text.ts'
import { growthOfEightfold, MOST_GROWTH } from '../../helpers/growth.ts'

const stamp = (seconds: number, mark = '.') => {
  const part = (value: number, length = 2) => String(Math.floor(value)).padStart(length, '0')
  return `${part(seconds / 3600)}:${part((seconds / 60) % 60)}:${part(seconds % 60)}${mark}${part(Math.round((seconds % 1) * 1000), 3)}`
}
const vtt = (cues: [number, number, string][]) =>
  `WEBVTT\n\n${cues.map(([from, to, text]) => `${stamp(from)} --> ${stamp(to)}\n${text}\n`).join('\n')}`
const srt = (cues: [number, number, string][]) =>
  cues
    .map(([from, to, text], at) => `${at + 1}\r\n${stamp(from, ',')} --> ${stamp(to, ',')}\r\n${text}\r\n`)
    .join('\r\n')

const TALK: [number, number, string][] = [
  [0.5, 4, 'Welcome to the second part of our series on clean water.'],
  [4, 8, 'Today we build a filter from a barrel,\nfrom sand and from charcoal.'],
  [8, 12, 'The sand must be washed five times.']
]
const PROSE =
  'Welcome to the second part of our series on clean water. Today we build a filter from a barrel, from sand and from charcoal. The sand must be washed five times.'

t.test('WebVTT and SubRip give the same prose', async (t) => {
  for (const text of [
    vtt(TALK),
    srt(TALK),
    `\ufeff${vtt(TALK)}`,
    vtt(TALK).replace(/\n/g, '\r\n'),
    vtt(TALK).replace(/00:00:/g, '00:')
  ])
    t.match(transcriptPages(text), [{ number: 1, text: PROSE, startSeconds: 0.5, method: 'text' }])
  const header = `WEBVTT - A talk\nKind: captions\nLanguage: en\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:r1\n\nNOTE this is\nnot said\n\n`
  const withIds = vtt(TALK)
    .replace('WEBVTT\n\n', header)
    .replace(/(00:00:04\.000 -->.*)/, 'chapter-2\n$1 align:start position:0%')
  t.equal(transcriptPages(withIds)[0]?.text, PROSE)
})

t.test('tags, times within a line and entities go; who speaks stays', async (t) => {
  const { cues } = readCues(
    'WEBVTT\n\n00:01.000 --> 00:02.000\n<v.loud Ann Lee>Boil &amp; <i>filter</i> it &lt;now&gt;</v>\n<00:01.500><c.yellow>please</c>&nbsp;&#233;&#x2019;s\n\n1\n00:03,000 --> 00:04,000\n{\\an8}<font color="#fff">At the top</font>\n<b></b>\n'
  )
  t.same(
    cues.map(({ lines }) => lines),
    [['Ann Lee: Boil & filter it <now>', 'please é’s'], ['At the top']]
  )
})

t.test('captions that roll or grow are told once, and what is really said twice stays', async (t) => {
  const rolling: [number, number, string][] = [
    [0, 2, 'so today we are going to'],
    [2, 2.01, 'so today we are going to'],
    [2.01, 4, 'so today we are going to\nbuild a filter from sand'],
    [4, 4.01, 'build a filter from sand'],
    [4.01, 6, 'build a filter from sand\nand a bucket of charcoal'],
    [6, 8, 'and a bucket of charcoal that was burnt'],
    [8, 9, 'Stop!'],
    [9, 10, 'Look here.'],
    [10, 11, 'Stop!']
  ]
  t.equal(
    transcriptPages(vtt(rolling))[0]?.text,
    'so today we are going to build a filter from sand and a bucket of charcoal that was burnt Stop! Look here. Stop!'
  )
  const growing: [number, number, string][] = [
    'we',
    'we are',
    'we are building',
    'we are building a solar still from a sheet of plastic foil and a cup'
  ].map((text, at) => [at, at + 1, text])
  t.equal(
    transcriptPages(vtt(growing))[0]?.text,
    'we are building a solar still from a sheet of plastic foil and a cup'
  )
})

t.test('pages are about two minutes long, end with a sentence, and know where they begin', async (t) => {
  const long: [number, number, string][] = Array.from({ length: 200 }, (_, at) => [
    at * 5,
    at * 5 + 5,
    at % 3 === 2 ? `that is step ${at}.` : `and then comes part ${at}`
  ])
  const pages = transcriptPages(vtt(long))
  t.ok(pages.length >= 7 && pages.length <= 9)
  t.same(
    pages.map(({ number }) => number),
    pages.map((_, at) => at + 1)
  )
  for (const [at, page] of pages.entries()) {
    if (at + 1 < pages.length) t.match(page.text, /\.$/)
    const next = pages[at + 1]?.startSeconds
    if (typeof next === 'number') t.ok(next - (page.startSeconds ?? 0) >= 120 && next - (page.startSeconds ?? 0) <= 150)
  }
  t.same(
    pages
      .map(({ text }) => text)
      .join(' ')
      .split(/\s+/),
    long.flatMap(([, , text]) => text.split(' ')),
    'every word once'
  )
  const unending = transcriptPages(vtt(long.map(([from, to], at) => [from, to, `word ${at} without end`])))
  t.ok(
    unending.every(
      ({ startSeconds }, at) => at === 0 || (startSeconds ?? 0) - (unending[at - 1]?.startSeconds ?? 0) <= 155
    )
  )
  const still = transcriptPages(
    vtt(Array.from({ length: 400 }, (_, at) => [0, 0, `Line number ${at} of a file whose times say nothing.`]))
  )
  t.ok(still.length > 1 && still.every(({ text }) => text.length < 8000))
  t.match(
    transcriptPages(
      vtt([
        [0, 2, 'First we talk about the well in the garden.'],
        [9, 12, 'Then about the roof.']
      ])
    )[0]?.text,
    /garden\.\n\nThen/,
    'a silence is a paragraph'
  )
})

t.test('malformed cues are left out, the rest is read', async (t) => {
  const broken = [
    'WEBVTT',
    '',
    'nonsense --> more',
    'never said',
    '',
    '00:00:01.000 -> 00:00:04.000',
    'Welcome to the second part of our series on clean water.',
    '7',
    '00:00:04,000 --> 00:00:08,000',
    'Today we build a filter from a barrel,',
    'from sand and from charcoal.',
    '00:00:08.000 --> 00:00:02.000',
    'The sand must be washed five times.',
    '00:00:12.000 -->',
    '',
    '00:00:13.000 --> 00:00:14.000'
  ].join('\n')
  const { cues, broken: count } = readCues(broken)
  t.equal(count, 1)
  t.equal(cues.filter(({ lines }) => lines.length > 0).length, 3)
  t.ok(cues.every(({ start, end }) => end >= start))
  t.equal(transcriptPages(broken)[0]?.text, PROSE)
})

t.test('less than fifty characters is no transcript, and the reason says what there was', async (t) => {
  for (const [text, reason] of [
    ['', /only 0 characters of text: 0 captions/],
    ['WEBVTT', /0 captions/],
    [vtt([[0, 1, '[Music]']]), /only 7 characters of text: 1 captions/],
    ['a plain text that is long enough but has no captions at all, not a single one of them', /0 captions/],
    ['x --> y\nWelcome to the second part of our series on clean water.', /1 whose time cannot be read/]
  ] as const)
    t.throws(() => transcriptPages(text), { code: 'invalid', message: reason })
})

t.test('no file at all makes it throw anything else or go on for ever', async (t) => {
  const parts = fc.constantFrom(
    '00:00:01.000 --> 00:00:02.000',
    '-->',
    '->',
    'WEBVTT',
    '<v A>',
    '<',
    '>',
    '&amp;',
    '&#99999999;',
    '&#xD800;',
    '{\\an8',
    '1',
    'word',
    '\n',
    '\n',
    '\r\n',
    ' ',
    '9999:99:99,999 --> 0:0'
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(parts, { maxLength: 150 }).map((list) => list.join('')),
        anyText()
      ),
      (text) => {
        try {
          return transcriptPages(text).every(
            ({ startSeconds, text: words }) => Number.isFinite(startSeconds) && words !== ''
          )
        } catch (error) {
          return error instanceof AppError
        }
      }
    ),
    { numRuns: 1000 }
  )
  const started = performance.now()
  for (const part of ['<v ', '<', '&', '{\\', '-->\n', '00:00 --> ', '1\n', '- '])
    readCues(`WEBVTT\n\n00:00.000 --> 00:01.000\n${part.repeat(100_000)}`)
  t.ok(performance.now() - started < 10_000)
})

t.test('a citation leads to the moment, in the way of each site', async (t) => {
  for (const [address, timed] of [
    ['https://www.youtube.com/watch?v=abc', 'https://www.youtube.com/watch?v=abc&t=95'],
    ['https://youtu.be/abc?t=3', 'https://youtu.be/abc?t=95'],
    ['https://m.youtube.com/watch?v=abc#x', 'https://m.youtube.com/watch?v=abc&t=95#x'],
    ['https://peertube.example/w/9c9de5e8-0a1e', 'https://peertube.example/w/9c9de5e8-0a1e?start=95s'],
    ['https://tube.example/videos/watch/abc?x=1', 'https://tube.example/videos/watch/abc?x=1&start=95s'],
    ['https://example.org/talk.mp4#t=2', 'https://example.org/talk.mp4#t=95'],
    ['https://notyoutube.com/watch', 'https://notyoutube.com/watch#t=95'],
    ['no address', 'no address']
  ] as const)
    t.equal(timedAddress(address, 95.7), timed)
  t.equal(timedAddress('https://example.org/a', -3), 'https://example.org/a#t=0')
})

t.test('captions cost what their length does', async (t) => {
  const shown = (words: string): string => `WEBVTT\n\n00:00.000 --> 00:09.000\n${words}\n`
  for (const make of [
    (times: number) => '-'.repeat(times),
    (times: number) => `00:00:01,000 ${'-'.repeat(times)} 00:02`,
    (times: number) => shown('<v.'.repeat(times)),
    (times: number) => shown(`<v${' '.repeat(times)}`),
    (times: number) => shown('{\\'.repeat(times))
  ])
    t.ok(growthOfEightfold(make, (text) => void readCues(text), 3000) < MOST_GROWTH, make(2))
})
