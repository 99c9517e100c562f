import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { factsOfUpload, uploadLength, uploadOffset } from '../../src/dashboard/api/tus-headers.ts'
import { firstRunBody } from '../../src/dashboard/editing/first-run-body.ts'
import { applyChange, settingsBody } from '../../src/dashboard/editing/settings-document.ts'
import { readCsv } from '../../src/knowledge/addresses/import.ts'
import { cleanAddress } from '../../src/knowledge/addresses/raw-address.ts'
import { failuresIn } from '../../src/knowledge/scrape/crawl-failures.ts'
import { readCrawlNumbers } from '../../src/knowledge/scrape/crawl-stats.ts'
import { rulesOf } from '../../src/knowledge/scrape/mirror/robots.ts'
import { BackupFolder } from '../../src/platform/backup/manifest.ts'
import { jsonOr } from '../../src/platform/bytes/json-or.ts'
import { parseWith } from '../../src/platform/config/issues.ts'
import { asJson } from '../../src/platform/config/json.ts'
import { failedOf } from '../../src/platform/files/start-record.ts'
import { readSessionFile } from '../../src/platform/sessions/session-file.ts'
import { judgeConfig } from '../../src/settings/document.ts'
import { zoneShapesFromLines, zoneShapesFromPack } from '../../src/warning/coverage/zone-pack.ts'
import { HeardLog, heardLines, heardLogOf, lastHeard } from '../../src/warning/outbox/heard-log.ts'
import { SAMPLES } from '../warning/messages/samples.ts'
import { isRefusal, must, ofJson, ofText, type Parser } from './fuzz-parser.ts'
import { CONFIG } from './fuzz-platform.ts'
import { scratchFile } from './fuzz-scratch.ts'

const HEX = 'ab'.repeat(32)
const SECRET = { salt: 'ab'.repeat(16), hash: HEX, n: 32768, r: 8, p: 1 }
const TIME = '2026-03-01T22:00:00.000Z'
const SESSIONS = {
  claim: null,
  passphrase: SECRET,
  sessions: [{ hash: HEX, created_at: TIME, seen_at: TIME }],
  addresses: ['10.0.0.7']
}
const MANIFEST = {
  version: 1,
  made_by: '1.0.0',
  made_at: TIME,
  files: [{ path: 'docs/a.pdf', hash: HEX, size: 7, mode: 384, modified_ms: 1.5, stored: 'objects' }],
  left_out: [{ path: 'library', reason: 'large' }]
}

function refusable(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

interface Heard {
  text: string
  lines: ReadonlySet<string>
}

function heard(): Heard {
  const path = scratchFile('made/lookout.db', '')
  rmSync(heardLogOf(path), { force: true })
  const log = new HeardLog(path, { warn: () => undefined } as never)
  for (const [seq, severity] of (['critical', 'routine'] as const).entries())
    for (const [, { event }] of SAMPLES.slice(0, 1)) log.note({ event: { ...event, severity }, seq, decision: null })
  const told = { severity: 'critical', sentAt: 5, state: 'sent', dedup: { source: 'a', key: 'b' } } as const
  log.noteTold(told as never)
  log.write()
  log.close()
  const lines = new Set([...heardLines(path)].map((line) => JSON.stringify(line)))
  return { text: readFileSync(heardLogOf(path), 'utf8'), lines }
}

/** Files that the station left, another station made, or somebody's hand has touched. */
const files = ({ text: written, lines: known }: Heard): Parser[] => [
  ofJson({
    name: 'session-file',
    covers: ['platform/sessions/session-file.ts readSessionFile'],
    corpus: [SESSIONS, { claim: SECRET }],
    run: async (text) => {
      const { sessions } = await readSessionFile(scratchFile('sessions.json', text))
      must(
        sessions.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash)),
        'a session without a hash'
      )
    }
  }),
  ofText({
    name: 'start-record',
    covers: ['platform/files/start-record.ts failedOf'],
    corpus: ['{"failed":3,"boot":"a-b_c"}\n', '{"failed":9999,"boot":""}'],
    words: ['"failed":', '"boot":"', '}', '\n'],
    run: (text) => {
      const failed = failedOf(text, 'a-b_c')
      must(failed >= 0 && failed <= 9999, 'a number of starts that cannot be')
    }
  }),
  ofJson({
    name: 'backup-manifest',
    covers: ['platform/backup/manifest.ts manifest'],
    corpus: [MANIFEST],
    words: ['../', '/', '\\\\', '"objects"'],
    run: async (text) => {
      const folder = dirname(dirname(scratchFile('backup/stamp/manifest.json', text)))
      const { files } = await new BackupFolder(folder).manifest('stamp')
      must(
        files.every(({ path }) => !/^\/|(?:^|\/)\.\.?(?:\/|$)|\\|\0/.test(path)),
        'a path that leads out of the backup'
      )
    }
  }),
  ofText({
    name: 'heard-log',
    covers: ['warning/outbox/heard-log.ts heardLines', 'warning/outbox/heard-log.ts lastHeard'],
    corpus: [written],
    words: ['\n', ' ', '------------- ', '{"told":', '{"grave":'],
    run: (text) => {
      const path = heardLogOf(scratchFile('heard/lookout.db', ''))
      scratchFile('heard/heard.log', text)
      const lines = [...heardLines(path)]
      must(lines.length <= text.split('\n').length && lastHeard(path, 3).length <= 3, 'more lines than were written')
      must(
        lines.every((line) => known.has(JSON.stringify(line))),
        'a line that nobody wrote'
      )
    }
  }),
  ofJson({
    name: 'crawl-numbers',
    covers: ['knowledge/scrape/crawl-stats.ts readCrawlNumbers'],
    corpus: [
      { crawled: 3, total: 9, failed: 1, limit: { hit: false } },
      { done: 3, total: -1, partialZim: true }
    ],
    run: async (text) => {
      const folder = dirname(scratchFile('crawl/progress.json', text))
      scratchFile('crawl/crawl.json', text)
      const numbers = await readCrawlNumbers(folder)
      must(numbers === null || Number.isFinite(numbers.done), 'a number of pages that is none')
    }
  }),
  ofText({
    name: 'crawl-failures',
    covers: ['knowledge/scrape/crawl-failures.ts failuresIn'],
    corpus: [
      '{"logLevel":"error","context":"pageStatus","message":"Page Load Failed","details":{"url":"https://a.example/","status":404}}\n',
      'noise\n{"logLevel":"warn","context":"fetch","message":"fetch failed","details":{"page":"https://a.example/b","msg":"net::ERR"}}'
    ],
    words: ['\n', '{"logLevel":"error"', '"details":{', '"url":"https://', '"status":4e99', '"context":"pageStatus"'],
    run: (text) => {
      const found = failuresIn(text)
      must(found.length <= 200 && found.every(({ address }) => /^https?:/.test(address)), 'a page that is none')
    }
  })
]

const SQUARE = [
  [
    [-114, 44],
    [-113, 44],
    [-113, 45],
    [-114, 44]
  ]
]
const COLLECTION = {
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', id: 'COZ039', geometry: { type: 'Polygon', coordinates: SQUARE } },
    { type: 'Feature', properties: { country: 'DE', code: 'DE356' }, geometry: { type: 'Point', coordinates: [1, 2] } }
  ]
}
const TOPOLOGY = {
  type: 'Topology',
  transform: { scale: [0.5, 0.5], translate: [10, 20] },
  objects: {
    zones: { type: 'GeometryCollection', geometries: [{ type: 'Polygon', id: 'COZ001', arcs: [[0, -1]] }] },
    one: { type: 'Point', coordinates: [1, 2], properties: { FIPS: '08013' } }
  },
  arcs: [
    [
      [0, 0],
      [1, 1],
      [0, 2]
    ]
  ]
}

const tables: readonly Parser[] = [
  ofJson({
    name: 'zone-pack',
    covers: ['warning/coverage/zone-pack.ts zoneShapesFromPack', 'warning/coverage/zone-pack.ts zoneShapesFromLines'],
    corpus: [COLLECTION, TOPOLOGY],
    words: ['"COZ039"', '"08013"', '"EMMA_ID"', '-1', '4294967295'],
    run: (text) => {
      const silent = (): void => undefined
      const line = `{"code":"COZ039","geometry":${text}}\n${text}\n`
      refusable(() => {
        const pack = zoneShapesFromLines(line, silent)
        for (const code of pack.codes) pack.shape(code)
      })
      const pack = zoneShapesFromPack(jsonOr(null, text), silent)
      for (const code of pack.codes.slice(0, 20)) pack.shape(code)
    }
  }),
  ofText({
    name: 'address-table',
    covers: ['addresses/import.ts readCsv', 'addresses/raw-address.ts cleanAddress'].map((one) => `knowledge/${one}`),
    corpus: [
      'number,street,unit,city,state,zip,lat,lon\n12,Main St,4,Boise,ID,83702,43.6,-116.2\n"1,2","O""Connor Ave",,Hailey,ID,83333-0001,43,-114\n',
      'HOUSE_NUM\tSTREET\tCITY\tZIPCODE\n00125\tN 5th\tAspen\t81611\n'
    ],
    words: ['"', '""', ',', '\t', '\r\n', '\n', '\ufeff', "O'", '83333-0001', '-116.2'],
    run: async (text) => {
      await readCsv(scratchFile('addresses.csv', text), (raw) => {
        const row = typeof raw === 'string' ? raw : cleanAddress(raw, { states: [], country: null })
        must(typeof row === 'string' || row.length === 11, 'a row of other columns')
      })
    }
  }),
  ofText({
    name: 'robots',
    covers: ['knowledge/scrape/mirror/robots.ts rulesOf'],
    corpus: ['User-agent: *\nDisallow: /a*b$\nAllow: /a\nCrawl-delay: 2\n\nUser-agent: Lookout\nDisallow:\n'],
    words: ['User-agent: *\n', 'Disallow: /', 'Allow: ', '*', '$', '%', '#', 'Crawl-delay: ', 'Sitemap: x\n'],
    run: (text) => {
      const { allows, delay } = rulesOf('https://a.example/robots.txt', text, 'Lookout/1')
      must(delay >= 0 && delay <= 60, 'a delay of more than a minute')
      for (const path of ['', 'a/b', `${'a'.repeat(60)}`, '%ff']) allows(`https://a.example/${path}`)
    }
  })
]

const CHANGES = [
  { set: { '/station/name': 'Ridge', '/sources/-': { kind: 'usgs' }, '/radios/0/link/port': 4403 } },
  { set: { '/station/anchors/0': { lat: 44 } }, remove: ['/sources/1', '/coverage/areas/0/points/2'] },
  { set: { '/notifications/mail/password': { $kept: '/notifications/mail/password' } } }
]

const requests: readonly Parser[] = [
  ofJson({
    name: 'settings-change',
    covers: ['dashboard/editing/settings-document.ts applyChange', 'dashboard/editing/first-run-body.ts firstRunBody'],
    corpus: [...CHANGES, { station: { name: 'Ridge' }, place: { lat: 44, lon: -114 }, radios: {} }],
    words: ['"/station/', '~0', '~1', '/-', '"$kept"', '"__proto__"', '"/sources/00"'],
    run: (text) => {
      const body = jsonOr(null, text)
      refusable(() => parseWith(firstRunBody, body, 'the body'))
      const raw = asJson(CONFIG)
      const changed = applyChange(raw, parseWith(settingsBody, body, 'the body'))
      const judged = judgeConfig(Buffer.from(JSON.stringify(changed)), 'config.json')
      must(judged.ok || judged.problems.every(({ message }) => message !== ''), 'a problem without words')
    }
  }),
  ofText({
    name: 'tus-headers',
    covers: ['uploadLength', 'uploadOffset', 'factsOfUpload'].map((one) => `dashboard/api/tus-headers.ts ${one}`),
    most: 16 * 1024,
    corpus: ['filename YS5wZGY=,category bWVkaWNpbmU=,title', '1048576', '0', 'name w6k=, title 4pyT'],
    words: [',', ' ', 'filename ', '=', '99999999999999999999', '-1', '0x10'],
    run: (text) => {
      const { filename, category = '', title = '' } = factsOfUpload({ 'upload-metadata': text })
      must(filename.length + category.length + title.length <= 3 * text.length, 'more came out than went in')
      for (const read of [uploadLength, uploadOffset])
        refusable(() => {
          const bytes = read({ 'upload-length': text, 'upload-offset': text })
          must(
            Number.isSafeInteger(bytes) && bytes >= 0 && String(bytes).length <= 15,
            'a number of bytes that is none'
          )
        })
    }
  })
]

/** Parsers of files that somebody brings or that a crash leaves, and of changes to the settings. */
export const storedParsers = (): Parser[] => [...files(heard()), ...tables, ...requests]
