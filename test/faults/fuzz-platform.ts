import { because } from '../../src/model/reason.ts'
import { formatTime, isTime, parseTime, utcOrNull } from '../../src/model/time.ts'
import { sentenceOf } from '../../src/model/words/sentences.ts'
import { ChainCheck, NO_HEAD, readLine, sealedLine } from '../../src/platform/audit/chain.ts'
import { canonicalJson, revisionMatches, revisionOf } from '../../src/platform/bytes/canonical-json.ts'
import { jsonOr } from '../../src/platform/bytes/json-or.ts'
import { decodeWindows1252 } from '../../src/platform/bytes/windows-1252.ts'
import { durationText, parseDuration } from '../../src/platform/clock/duration.ts'
import { locatePointer, readJson, repeatedKeys } from '../../src/platform/config/locate.ts'
import { storedReason } from '../../src/platform/database/stored-reason.ts'
import { redirectTarget } from '../../src/platform/net/fetch.ts'
import { retryAfterMs } from '../../src/platform/net/post.ts'
import { isPublicAddress } from '../../src/platform/net/public-address.ts'
import { readClaimCode } from '../../src/platform/sessions/claim-code.ts'
import { judgeConfig } from '../../src/settings/document.ts'
import { must, ofBytes, ofJson, ofText, type Parser } from './fuzz-parser.ts'

export const CONFIG = {
  station: { name: 'Ridge', timezone: 'America/Boise', units: 'metric', contact: 'ops@valley.example' },
  coverage: {
    areas: [
      {
        name: 'North',
        type: 'polygon',
        points: [
          [44, -114],
          [44, -113],
          [45, -113]
        ]
      },
      { name: 'Hill', type: 'circle', lat: 44, lon: -114, radius_km: 12.5 }
    ]
  },
  radios: [{ id: 'mt', type: 'meshtastic', link: { type: 'tcp', host: '10.0.0.2', port: 4403 } }],
  sources: [
    { kind: 'nws', area: ['ID'], interval_seconds: 120 },
    { kind: 'usgs', enabled: false }
  ],
  notifications: {
    quiet_hours: { from: '22:00', to: '06:00' },
    region_routes: { enabled: true, cells: { fire: { North: { enabled: true, mt: [1] } } } }
  },
  schedule: { broadcasts: [{ time: '08:00', days: ['mon'], channels: ['mt:1'], text: 'Good morning' }] }
}

const record = (seq: number) => ({
  seq,
  at: '2026-03-01T22:00:00.000Z',
  by: 'Ann',
  what: because('note', { text: 'a drill' }),
  more: { was: [1, null] }
})
const first = sealedLine(record(1), NO_HEAD)
const second = sealedLine(record(2), first.head)

const words: readonly Parser[] = [
  ofText({
    name: 'time',
    covers: ['model/time.ts parseTime', 'model/time.ts utcOrNull'],
    most: 64 * 1024,
    corpus: [
      '2026-07-01T12:00:00Z',
      '2026-02-29t23:59:60.123+05:30',
      ' 0000-01-01 00:00:00Z ',
      '9999-12-31T23:59:59.999-23:59'
    ],
    run: (text) => {
      const ms = parseTime(text)
      must(ms === null || (isTime(ms) && parseTime(formatTime(ms)) === ms), 'a time is not read again as it is written')
      must(utcOrNull(text) === (ms === null ? null : formatTime(ms)), 'two readers of one time')
    }
  }),
  ofText({
    name: 'duration',
    covers: ['platform/clock/duration.ts parseDuration'],
    corpus: ['30m', '2h', '1d12h', '365D', '1d0h1m'],
    words: ['d', 'h', 'm', '9', '99999'],
    run: (text) => {
      const ms = parseDuration(text)
      must(ms === null || (ms > 0 && parseDuration(durationText(ms)) === ms), 'it is not read again as it is written')
    }
  }),
  ofText({
    name: 'claim-code',
    covers: ['platform/sessions/claim-code.ts readClaimCode'],
    most: 16 * 1024,
    corpus: ['ABCD-EFGH', ' abcd efgh ', 'O0I1-lS5Z'],
    run: (text) => must(readClaimCode(text).length <= 3 * text.length + 8, 'a code longer than what was typed')
  }),
  ofText({
    name: 'retry-after',
    covers: ['platform/net/post.ts retryAfterMs', 'platform/net/fetch.ts redirectTarget'],
    most: 16 * 1024,
    corpus: [
      '120',
      '1.5',
      'Sun, 01 Mar 2026 22:00:00 GMT',
      '/elsewhere?a=b',
      'https://feed.example/x',
      '//other.example:8080/',
      'http://[::1]/'
    ],
    run: (text) => {
      const ms = retryAfterMs(text, 1_772_402_400_000)
      must(ms === null || (ms > 0 && ms <= 86_400_000), 'a wait of more than a day')
      const to = redirectTarget(text, new URL('https://feed.example/list'))
      must(to.protocol === 'https:', 'a redirect to another protocol')
    }
  }),
  ofText({
    name: 'public-address',
    covers: ['platform/net/public-address.ts isPublicAddress'],
    most: 16 * 1024,
    corpus: [
      '8.8.8.8',
      '127.0.0.1',
      '::ffff:10.0.0.1',
      '2001:4860::8888',
      '64:ff9b::7f00:1',
      'fe80::1%eth0',
      '0x7f.1',
      '2130706433'
    ],
    run: (text) =>
      must(!isPublicAddress(text) || !/^(?:0*127|10|192\.168|169\.254)\./.test(text), 'a private address is public')
  })
]

const documents: readonly Parser[] = [
  ofJson({
    name: 'config-text',
    covers: ['platform/config/locate.ts readJson', 'platform/bytes/json-or.ts jsonOr'],
    most: 1024 * 1024,
    corpus: [CONFIG, { 'a/b': { '~': [1, -2.5e3, true, null, 'é\n'] } }, []],
    run: (text) => {
      const read = readJson(text)
      const value = jsonOr(undefined, text)
      if (!read.ok) {
        must(
          read.place.offset <= text.length && read.place.line >= 1 && read.place.column >= 1,
          'a place outside of the text'
        )
        return
      }
      must(
        value !== undefined && JSON.stringify(value) === JSON.stringify(read.value),
        'it is read otherwise than JSON'
      )
      for (const { path } of repeatedKeys(read.root)) locatePointer(text, read.root, path)
    }
  }),
  ofJson({
    name: 'config',
    covers: ['settings/document.ts judgeConfig'],
    most: 1024 * 1024,
    corpus: [CONFIG],
    words: ['"__proto__"', '"constructor"', '"sources"', '"radios"'],
    run: (text) => {
      const judged = judgeConfig(Buffer.from(text), 'config.json')
      must(judged.ok || judged.problems.every(({ message }) => message !== ''), 'a problem without words')
    }
  }),
  ofJson({
    name: 'canonical-json',
    covers: ['platform/bytes/canonical-json.ts canonicalJson', 'platform/bytes/canonical-json.ts revisionMatches'],
    corpus: [CONFIG, { b: 1, a: [[[1, 2]]] }],
    run: (text) => {
      const value = jsonOr(null, text)
      // JSON has 1e999, which becomes Infinity.
      const plain: unknown = JSON.parse(JSON.stringify(value))
      const written = canonicalJson(plain)
      must(canonicalJson(JSON.parse(written)) === written, 'it is not written again as it is read')
      must(revisionMatches(`W/"x", "${revisionOf(plain)}"`, revisionOf(plain)), 'a revision that does not match itself')
      revisionMatches(text.slice(0, 16_384), 'abc')
    }
  }),
  ofJson({
    name: 'stored-reason',
    covers: ['platform/database/stored-reason.ts storedReason'],
    corpus: [
      because('note', { text: 'x' }),
      because('refused', { said: because('note', { text: 'y' }) }),
      { code: 'kept_as_fallback', params: { channel: 'mc:a', primaries: ['mt:1'] } }
    ],
    words: ['"code"', '"params"', '"toString"', '"__proto__"'],
    run: (text) => {
      const reason = storedReason(text)
      if (reason !== null)
        for (const language of ['en', 'de'] as const)
          must(typeof sentenceOf(reason, language) === 'string', 'a reason without a sentence')
    }
  })
]

const lines: readonly Parser[] = [
  ofText({
    name: 'audit-line',
    covers: ['platform/audit/chain.ts readLine', 'platform/audit/chain.ts ChainCheck'],
    most: 64 * 1024,
    corpus: [first.line.trimEnd(), second.line.trimEnd(), `${first.line}${second.line}`],
    words: [',"hash":"', '"prev":"', '"seq":', '"}'],
    run: (text) => {
      const check = new ChainCheck()
      for (const [at, line] of text.split('\n').entries()) check.take(line, { file: 'audit.log', line: at + 1 })
      check.end()
      const read = readLine(text)
      must(read === null || [first.head.hash, second.head.hash].includes(read.head.hash), 'a line that nobody sealed')
    }
  }),
  ofBytes({
    name: 'windows-1252',
    covers: ['platform/bytes/windows-1252.ts decodeWindows1252'],
    corpus: [Buffer.from([0x80, 0x93, 0x41, 0xe9, 0xff, 0x81])],
    run: (bytes) => must(decodeWindows1252(bytes).length === bytes.length, 'not one letter a byte')
  })
]

/** Parsers of files, configuration and answers, below all rooms. */
export const PLATFORM_PARSERS: readonly Parser[] = [...words, ...documents, ...lines]
