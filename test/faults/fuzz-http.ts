import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { deliveriesQuery, documentsQuery, eventsQuery } from '../../src/dashboard/api/query.ts'
import { coverageBody } from '../../src/dashboard/editing/coverage-document.ts'
import { readMatrix } from '../../src/dashboard/editing/matrix-document.ts'
import { isListed, isLoopback, plainAddress } from '../../src/dashboard/server/addresses.ts'
import { backPath } from '../../src/dashboard/server/back.ts'
import { MAX_BODY_BYTES, readFormBody, readJsonBody } from '../../src/dashboard/server/body.ts'
import { readUploadForm } from '../../src/dashboard/server/body-stream.ts'
import { accepts } from '../../src/dashboard/server/encoding.ts'
import { publicUrls } from '../../src/dashboard/server/guest.ts'
import { isSameOrigin, readAuthority } from '../../src/dashboard/server/hosts.ts'
import { sessionToken } from '../../src/dashboard/server/identity.ts'
import { cameByHttps } from '../../src/dashboard/server/in-clear.ts'
import { namesLoopback } from '../../src/dashboard/server/local-operator.ts'
import { readTarget } from '../../src/dashboard/server/path.ts'
import { THEMES, themeOf } from '../../src/dashboard/server/theme.ts'
import { languageOf } from '../../src/dashboard/words/language.ts'
import { fullMatch, parseQuestion } from '../../src/knowledge/search/question.ts'
import { isTooDeep } from '../../src/model/depth.ts'
import { familyKeys } from '../../src/model/families.ts'
import { jsonOr } from '../../src/platform/bytes/json-or.ts'
import { parseWith } from '../../src/platform/config/issues.ts'
import { AppError } from '../../src/platform/errors.ts'
import { readCircle } from '../../src/warning/coverage/circle.ts'
import { canonicalCode } from '../../src/warning/coverage/codes.ts'
import { readBox, readShape } from '../../src/warning/coverage/shape.ts'
import { eventFromFeature, taggableEvent } from '../../src/warning/events/feature.ts'
import { parseEventInput } from '../../src/warning/events/input.ts'
import { soundEvent, soundReading } from './fuzz-feeds.ts'
import { must, ofJson, ofText, type Parser } from './fuzz-parser.ts'

/** The most that Node takes in all headers of a request. */
const HEADER_BYTES = 16 * 1024
const RESPONSE = new EventEmitter().setMaxListeners(0) as ServerResponse
/** A client that gets no answer leaves. Milliseconds. */
const PATIENCE_MS = 40

/** A request as far as readers of bodies look at it. */
function request(body: Uint8Array, headers: IncomingHttpHeaders): IncomingMessage {
  const stream = new PassThrough()
  stream.end(body)
  return Object.assign(stream, {
    headers: { 'content-length': String(body.length), ...headers }
  }) as unknown as IncomingMessage
}

const headers: readonly Parser[] = [
  ofText({
    name: 'http-target',
    covers: ['dashboard/server/path.ts readTarget', 'dashboard/api/query.ts eventsQuery'],
    most: HEADER_BYTES,
    corpus: [
      '/api/events?limit=10&since=2026-07-01T12:00:00Z&q=tornado%20dawson&family=weather',
      '/',
      '/a/b%2Fc/?x=1&x=2#y',
      'http://lookout.local:8080/alerts',
      '/api/deliveries?state=heard&transport=mt&format=csv&cursor=12',
      '/api/documents?status=ready&badge=pdf&review=true',
      '*'
    ],
    words: ['%2e%2e', '%00', '%', '&limit=501', '&cursor=9007199254740993', '&family=__proto__', '&__proto__=1'],
    run: (text) => {
      const target = readTarget(text)
      if (target === null) return
      must(
        target.path.startsWith('/') && !/[\s\\\0]|\/\//.test(target.path),
        'a path with an empty segment, a blank or a backslash'
      )
      must(readTarget(target.path)?.path === target.path, 'a path is not read again as it is written')
      const asked = Object.fromEntries(target.query)
      for (const schema of [eventsQuery, deliveriesQuery, documentsQuery])
        refusable(() => parseWith(schema, asked, 'the query'))
    }
  }),
  ofText({
    name: 'http-headers',
    covers: [
      'server/hosts.ts readAuthority',
      'server/hosts.ts isSameOrigin',
      'server/identity.ts sessionToken',
      'server/theme.ts themeOf',
      'server/encoding.ts accepts',
      'server/in-clear.ts cameByHttps',
      'server/local-operator.ts namesLoopback',
      'server/addresses.ts plainAddress',
      'words/language.ts languageOf'
    ].map((one) => `dashboard/${one}`),
    most: HEADER_BYTES,
    corpus: [
      'lookout.local:8080',
      '[::1]:8080',
      '127.0.0.1',
      'http://lookout.lan',
      'theme=night; lang=de; lookout_session=abc_DEF-123',
      'de-DE,de;q=0.9,en;q=0.8,*;q=0',
      'gzip, br;q=0, *;q=0.5',
      '::ffff:127.0.0.1%eth0',
      '10.0.0.0/8',
      'https',
      '"abc", W/"def", *'
    ],
    words: ['; lookout_session=', '; theme=', '; lang=', ';q=0', ',', '%eth0', '::ffff:', ':99999', '@', 'xn--'],
    run: (text) => {
      const authority = readAuthority(text)
      must(authority === null || !/[\s/?#@]/.test(authority.name), 'a host with other parts of an address in it')
      must(
        !isSameOrigin(text, 'lookout.local:8080') || /^https?:\/\/lookout\.local\.?(?::\d+)?\s*$/i.test(text),
        'another origin is our own'
      )
      must(/^[\w-]{1,64}$/.test(sessionToken(text) ?? 'none'), 'a token of other letters')
      must(THEMES.includes(themeOf({ cookie: text })), 'a theme that is none')
      must(['en', 'de'].includes(languageOf({ cookie: text, 'accept-language': text })), 'a language that is none')
      accepts(text, 'br')
      cameByHttps({ headers: { origin: text, 'x-forwarded-proto': text }, socket: {} } as never)
      const plain = plainAddress(text)
      must(!isLoopback(text) || plain === '::1' || plain.startsWith('127.'), 'a loopback address that is none')
      must(!namesLoopback(text) || /localhost|127|::1|\[/i.test(text), 'a name of loopback that is none')
      isListed('10.1.2.3', [text.slice(0, 100)])
    }
  }),
  ofText({
    name: 'back-path',
    covers: ['dashboard/server/back.ts backPath', 'dashboard/server/guest.ts publicUrls'],
    most: HEADER_BYTES,
    corpus: [
      '/alerts?since=1#x',
      '//evil.example',
      '/\\evil.example',
      'https://u:p@feed.example/a?key=b',
      'see https://feed.example/x and mqtt://a:b@c.example/d',
      '/./..//evil.example'
    ],
    run: (text) => {
      const path = backPath(text)
      const { origin } = new URL(path, 'http://station.invalid')
      must(origin === 'http://station.invalid' && !path.startsWith('//'), 'a way back that leads elsewhere')
      const [named] = /\b(?:https?|mqtt):\/\/[^\s/:@"'\\<>]+:[^\s/@"'\\<>]+@/.exec(publicUrls(text)) ?? []
      // A bracket ends an address: the words behind it come to stand beside the host.
      must(named === undefined || !text.includes(named), 'a password is left in an address')
    }
  })
]

const FORM =
  '--b\r\nContent-Disposition: form-data; name="category"\r\n\r\nmedicine\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n'
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const part = { hash: '', size: 0 }

const bodies: readonly Parser[] = [
  ofJson({
    name: 'http-json',
    covers: ['dashboard/server/body.ts readJsonBody'],
    most: MAX_BODY_BYTES,
    corpus: [{ id: 'a', list: [1, [2, [3]]], text: 'x"\\y' }],
    run: async (text) => {
      const value = await readJsonBody(request(Buffer.from(text), JSON_TYPE), RESPONSE, { isGuest: true })
      // A byte order mark may stand before it (RFC 8259 §8.1).
      const sent = Buffer.from(text)
        .toString()
        .replace(/^\ufeff/, '')
      must(JSON.stringify(value) === JSON.stringify(jsonOr(undefined, sent)), 'a body is read otherwise than JSON')
    }
  }),
  ofText({
    name: 'http-form',
    covers: ['dashboard/server/body.ts readFormBody'],
    most: 16 * 1024,
    corpus: ['a=1&b=2&a=3', 'passphrase=correct+horse%20battery&back=%2Falerts', '__proto__=1&constructor=2'],
    words: ['&a=', '%', '+', '&&', '=', '&__proto__='],
    run: async (text) => {
      const fields = await readFormBody(request(Buffer.from(text), FORM_TYPE), RESPONSE)
      must(
        Object.values(fields).every((value) => typeof value === 'string'),
        'a field that is no text'
      )
    }
  }),
  ofText({
    name: 'multipart',
    covers: ['dashboard/server/body-stream.ts readUploadForm'],
    corpus: [FORM, FORM.replace('name="file"', 'name="x"'), FORM.repeat(2)],
    words: [
      '--b\r\n',
      '--b--\r\n',
      '\r\n\r\n',
      'Content-Disposition: form-data; name="file"; filename="',
      "filename*=utf-8''%ff",
      'Content-Transfer-Encoding: base64\r\n',
      '; name="__proto__"'
    ],
    run: async (text) => {
      let bytes = 0
      const store = async (content: AsyncIterable<Buffer>): Promise<never> => {
        for await (const chunk of content) bytes += chunk.length
        return part as never
      }
      const headers = { 'content-type': 'multipart/form-data; boundary=b' }
      const client = new EventEmitter()
      const leaves = setTimeout(() => client.emit('close'), PATIENCE_MS)
      const { fields } = await readUploadForm(request(Buffer.from(text), headers), client as ServerResponse, {
        store,
        drop: async () => undefined
      }).finally(() => clearTimeout(leaves))
      must(bytes <= Buffer.byteLength(text) && Object.keys(fields).length <= 20, 'more came out of a form than went in')
    }
  })
]

const EVENT = {
  id: 'a',
  source: 'b',
  title: 'Smoke',
  family: 'fire',
  severity: 'critical',
  lat: 44,
  lon: -114,
  zones: ['IDC013'],
  same: ['016013'],
  bbox: [-114, 44, -113, 45],
  circle: { lat: 44, lon: -114, radius_km: 5 },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-114, 44],
        [-113, 44],
        [-113, 45],
        [-114, 44]
      ]
    ]
  },
  onset: '2026-03-01T22:00:00Z',
  expires: '2026-03-02T22:00:00+01:00',
  thread_id: 'b:a',
  lifecycle: 'update',
  data: { magnitude: 5, places: ['X'], vtec: { key: 'k', action: 'NEW' } },
  extra: 1
}
const FEATURE = {
  type: 'Feature',
  id: 'f',
  geometry: EVENT.geometry,
  properties: { title: 'Smoke', family: 'fire', source: 'b', '@type': 'x' }
}
const NOW = Date.parse('2026-03-01T22:00:00Z')

const values: readonly Parser[] = [
  ofJson({
    name: 'event-input',
    covers: [
      'warning/events/input.ts parseEventInput',
      'warning/events/feature.ts eventFromFeature',
      'warning/events/feature.ts taggableEvent'
    ],
    most: MAX_BODY_BYTES,
    corpus: [EVENT, FEATURE, { type: 'FeatureCollection', features: [FEATURE] }],
    run: (text) => {
      const value = jsonOr(null, text)
      if (isTooDeep(value)) return
      // For `tag` and `explain`: of families it takes what is said.
      refusable(() => soundEvent({ ...eventFromFeature(value, { now: NOW }), family: 'fire' }))
      refusable(() => taggableEvent(value, { now: NOW }))
      soundReading({ events: [parseEventInput(value, { now: NOW, families: familyKeys() })] }, text)
    }
  }),
  ofJson({
    name: 'geojson',
    covers: [
      'coverage/shape.ts readShape',
      'coverage/shape.ts readBox',
      'coverage/circle.ts readCircle',
      'coverage/codes.ts canonicalCode'
    ].map((one) => `warning/${one}`),
    most: MAX_BODY_BYTES,
    corpus: [
      EVENT.geometry,
      {
        type: 'MultiPolygon',
        coordinates: [
          EVENT.geometry.coordinates,
          [
            [
              [179, 0],
              [-179, 0],
              [-179, 1],
              [179, 0]
            ],
            [
              [179.5, 0.2],
              [179.6, 0.2],
              [179.6, 0.3],
              [179.5, 0.2]
            ]
          ]
        ]
      },
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1]
        ]
      },
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
      EVENT.bbox,
      EVENT.circle,
      'EMMA_ID:DE356',
      '016013',
      'IDC013'
    ].map((one) => (typeof one === 'string' ? JSON.stringify(one) : one)),
    run: (text) => {
      const value = jsonOr(null, text)
      if (isTooDeep(value)) return
      readShape(value)
      readBox(value)
      const disc = readCircle(value)
      must(
        disc === null || (disc.lon >= -180 && disc.lon < 180 && disc.minY <= disc.maxY),
        'a disc outside of the world'
      )
      const code = canonicalCode(value)
      must(code === null || canonicalCode(code) === code, 'a code that is not its own canonical form')
    }
  }),
  ofJson({
    name: 'matrix-body',
    covers: ['dashboard/editing/matrix-document.ts readMatrix', 'dashboard/editing/coverage-document.ts coverageBody'],
    most: MAX_BODY_BYTES,
    corpus: [
      { enabled: true, cells: { fire: { North: { enabled: true, mt: [1], mc: ['a'], min_severity: 'critical' } } } },
      {
        areas: [
          {
            name: 'North',
            type: 'polygon',
            points: [
              [44, -114],
              [44, -113],
              [45, -113]
            ]
          }
        ]
      }
    ],
    words: ['"__proto__"', '"fallback"', '"mt:1"'],
    run: (text) => {
      const value = jsonOr(null, text)
      refusable(() => readMatrix(value, {}))
      refusable(() => parseWith(coverageBody, value, 'the body'))
    }
  }),
  ofText({
    name: 'question',
    covers: ['knowledge/search/question.ts parseQuestion'],
    most: MAX_BODY_BYTES,
    corpus: ['how do I make "safe water" without fire', '«eau potable» AND NEAR(x, 5) OR c*', '"'],
    words: ['"', '«', 'AND', 'NEAR(', '*', '^', ':', 'e\u0301'],
    run: (text) => {
      const { words, phrases } = parseQuestion(text)
      must(words.length <= 32 && phrases.length <= 32, 'more words than a question has')
      const match = fullMatch({ words, phrases }) ?? ''
      must(
        !/["*^:(){}]/.test([...words, ...phrases.flat()].join('')) && (match.match(/"/g) ?? []).length % 2 === 0,
        'syntax of the search in a question'
      )
    }
  })
]

/** Runs what may refuse, where more is to be read of the same input. */
function refusable(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/** Parsers of all that a request brings. */
export const HTTP_PARSERS: readonly Parser[] = [...headers, ...bodies, ...values]
