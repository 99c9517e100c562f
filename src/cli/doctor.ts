import { existsSync } from 'node:fs'
import { access, constants, readdir, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { arch, platform, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { inspectAddresses } from '../knowledge/addresses/inspect.ts'
import { because } from '../model/reason.ts'
import type { Language } from '../model/words/languages.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { readBackupState } from '../platform/backup/kept-state.ts'
import { openDatabase } from '../platform/database/database.ts'
import { openReadOnlyDatabase } from '../platform/database/database-read-only.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { checkDataFolder } from '../platform/files/data-folder.ts'
import { openToOthers } from '../platform/files/keep-private.ts'
import { type Power, readPower } from '../platform/metrics/power.ts'
import { listeningPorts } from '../platform/net/local-connections.ts'
import { activeConfinement, confinementGaps, describeConfinement } from '../platform/process/confinement.ts'
import { findProgram } from '../platform/process/programs.ts'
import { GivenPairs, readOwnPair } from '../platform/tls/key-pairs.ts'
import { readSettings, type Settings } from '../settings/environment.ts'
import { readConfig } from '../settings/read-config.ts'
import type { Config } from '../settings/schema.ts'
import { findCountyAtlas } from '../warning/atlas/zone-files.ts'
import { addressFileOf } from './address-file.ts'
import { stationFolder } from './data-folder.ts'
import { hotspot } from './doctor-hotspot.ts'
import type { Finding } from './finding.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout doctor [--data DIR] [--profile NAME] [--json]

What this machine has, and what is missing. Changes nothing.
exit codes: 0 all well (warnings are told) · 4 something needed is missing
`

const MIN_FREE_BYTES = 200 * 1024 * 1024

/** Programs of the system that documents and offline libraries are read with; none is needed to start. */
const CONVERTERS: readonly { name: string; without: string; package: string }[] = [
  { name: 'pdftotext', without: 'PDF files wait unread', package: 'poppler-utils' },
  { name: 'pdfinfo', without: 'PDF files wait unread', package: 'poppler-utils' },
  { name: 'pdftoppm', without: 'scanned pages stay without text', package: 'poppler-utils' },
  { name: 'tesseract', without: 'scanned pages stay without text', package: 'tesseract-ocr' },
  { name: 'mobitool', without: '.mobi files wait, unless calibre is there', package: 'libmobi-tools' },
  { name: 'catdoc', without: '.doc files wait, unless LibreOffice is there', package: 'catdoc' },
  { name: 'soffice', without: '.doc and .docx lose their layout', package: 'libreoffice-writer-nogui' },
  { name: 'ebook-convert', without: '.epub and .mobi are laid out anew, plainly', package: 'calibre' },
  { name: 'kiwix-serve', without: 'offline libraries cannot be browsed', package: 'kiwix-tools' },
  { name: 'zimwriterfs', without: 'no ZIM archives can be made here', package: 'zim-tools' },
  { name: 'zimcheck', without: 'ZIM archives are taken in unchecked', package: 'zim-tools' }
]

/** `lookout doctor`. */
export async function doctor(args: string[], context: VerbContext): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  const station = stationFolder(values.data, context)
  const settings = await readSettings({
    argv: { data: values.data, profile: values.profile },
    env: context.env,
    root: context.root,
    ...(station === null ? {} : { station })
  })
  const findings = await findingsOf(settings, context.language)
  if (values.json) context.out(`${JSON.stringify({ findings })}\n`)
  else
    for (const { check, state, detail } of findings) context.out(`${state.padEnd(8)} ${check.padEnd(15)} ${detail}\n`)
  return findings.some(({ state }) => state === 'missing') ? 4 : 0
}

/** Every check, in the order it is told. Changes nothing. */
export async function findingsOf(settings: Settings, language: Language): Promise<Finding[]> {
  return [
    runtime(),
    await database(),
    await dataFolder(settings),
    ...(await configuration(settings)),
    atlas(),
    ...(await addressFile(settings, language)),
    await serialDevices(),
    power(readPower()),
    backups(settings, language),
    await port(settings),
    ...(await hotspot({ dataFolder: settings.dataFolder, language })),
    await confinement(),
    ...CONVERTERS.map((program) => converter(program))
  ]
}

/** The voltage of the supply, where the board tells it. */
export function power({ low, wasLow }: Power): Finding {
  const advice = 'a stronger supply and a shorter cable: the board slows down, and the card may be damaged'
  if (low === true) return { check: 'power', state: 'warn', detail: `the voltage is too low now; ${advice}` }
  if (wasLow === true)
    return { check: 'power', state: 'warn', detail: `the voltage was too low since the start; ${advice}` }
  return { check: 'power', state: 'ok', detail: low === null ? 'this machine does not tell' : 'the voltage is good' }
}

/** The backups that the station makes by itself. */
function backups({ dataFolder }: Settings, language: Language): Finding {
  const { last, failed } = readBackupState(dataFolder)
  const good =
    last === null ? 'none was made by itself yet' : `the last good one is of ${new Date(last.at).toISOString()}`
  if (failed === null) return { check: 'backups', state: 'ok', detail: good }
  return { check: 'backups', state: 'warn', detail: `${sentenceOf(failed.reason, language)}; ${good}` }
}

function runtime(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const detail = `Node ${process.versions.node} on ${platform()} ${arch()}, ${Math.round(totalmem() / 2 ** 20)} MiB`
  if (major > 20 || (major === 20 && minor >= 19)) return { check: 'runtime', state: 'ok', detail }
  return { check: 'runtime', state: 'missing', detail: `${detail}: Lookout needs Node 20.19 or newer` }
}

async function database(): Promise<Finding> {
  try {
    const db = await openDatabase({ path: ':memory:', migrations: [], synchronous: 'FULL' })
    const row = db.sql('SELECT sqlite_version() AS version').get()
    db.close()
    return { check: 'SQLite', state: 'ok', detail: String(row?.['version']) }
  } catch (error) {
    return { check: 'SQLite', state: 'missing', detail: `${errorText(error)}: run npm ci on this machine` }
  }
}

async function dataFolder(settings: Settings): Promise<Finding> {
  const folder = resolve(settings.dataFolder)
  try {
    const existing = nearestExisting(folder)
    if (!(await stat(existing)).isDirectory()) throw new Error(`${existing} is no folder`)
    if (existing === folder) await checkDataFolder(folder)
    else await access(existing, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(existing)
    const free = bavail * bsize
    const detail = `${folder}${existing === folder ? '' : ' (made at the start)'}, ${Math.round(free / 2 ** 20)} MiB free`
    const warnings = [
      ...(free < MIN_FREE_BYTES ? ['make room'] : []),
      ...(existing === folder ? whoElseReads(folder) : [])
    ]
    return {
      check: 'data folder',
      state: warnings.length > 0 ? 'warn' : 'ok',
      detail: [detail, ...warnings].join(': ')
    }
  } catch (error) {
    return {
      check: 'data folder',
      state: 'missing',
      detail: error instanceof AppError ? error.message : `${folder} cannot be written: ${errorText(error)}`
    }
  }
}

/** Behind a closed folder the modes of its files say nothing. */
function whoElseReads(folder: string): string[] {
  const open = openToOthers(folder)
  if (!open.includes('.')) return []
  return [`open to other users of this machine (${open.join(', ')}); the next start closes what belongs to its user`]
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder))
}

async function configuration(settings: Settings): Promise<Finding[]> {
  if (!existsSync(resolve(settings.dataFolder)))
    return [
      { check: 'configuration', state: 'ok', detail: 'none yet: all defaults' },
      await operator(settings.profile.http.local_operator, [])
    ]
  try {
    const { config, problem } = await readConfig(settings.dataFolder)
    const { coverage, notifications, radios, station, http } = config
    const local = http.local_operator ?? settings.profile.http.local_operator
    const access = [
      await operator(local, http.trusted_proxies),
      ...(await https(resolve(settings.dataFolder), http.tls))
    ]
    if (problem !== null)
      return [{ check: 'configuration', state: 'warn', detail: `runs on the backup: ${problem.message}` }, ...access]
    const cells = Object.values(notifications.region_routes.cells).reduce(
      (sum, row) => sum + Object.keys(row).length,
      0
    )
    const contact = station.contact === '' ? '; station.contact is empty: some feeds will refuse to answer' : ''
    const detail = `${coverage.areas.length} areas, ${cells} matrix cells, ${radios.length} radios${contact}`
    return [{ check: 'configuration', state: contact === '' ? 'ok' : 'warn', detail }, ...access]
  } catch (error) {
    return [{ check: 'configuration', state: 'missing', detail: errorText(error) }]
  }
}

/** Said only where HTTPS is set: the fingerprint is what a browser's is held against. */
async function https(folder: string, { port, certificate_file, key_file }: Config['http']['tls']): Promise<Finding[]> {
  if (port === undefined) return []
  const check = 'HTTPS'
  const given = certificate_file !== undefined && key_file !== undefined
  try {
    const pair = given
      ? (await new GivenPairs(folder, { certificate: certificate_file, key: key_file }).current()).pair
      : await readOwnPair(folder)
    if (pair !== null) {
      const { fingerprint, validTo, names } = pair.facts
      const until = new Date(validTo).toISOString().slice(0, 10)
      const detail = `port ${port}, certificate SHA-256 ${fingerprint}, until ${until}, for ${names.join(', ')}`
      return [{ check, state: validTo > Date.now() ? 'ok' : 'warn', detail }]
    }
    if (findProgram('openssl') !== null) return [{ check, state: 'ok', detail: 'the certificate is made at the start' }]
    return [{ check, state: 'warn', detail: sentenceOf(because('tls_needs_openssl')) }]
  } catch (error) {
    return [{ check, state: 'warn', detail: errorText(error) }]
  }
}

/** Ports on which a proxy in front of Lookout would listen. */
const WEB_PORTS = [80, 443]

/** Who may change something (contract §10), and the trap of a proxy on this machine that nobody told Lookout of. */
async function operator(local: boolean, proxies: readonly string[]): Promise<Finding> {
  const check = 'operator'
  if (proxies.length > 0)
    return {
      check,
      state: 'ok',
      detail: `who the proxy names, or signs in with the passphrase (${proxies.join(', ')})`
    }
  if (!local) return { check, state: 'ok', detail: 'who signs in with the passphrase, or has a token' }
  const detail = 'whoever sits at this machine, without signing in; from elsewhere the passphrase'
  const open = await listeningPorts()
  const taken = WEB_PORTS.filter((one) => open.has(one))
  if (taken.length === 0) return { check, state: 'ok', detail }
  return {
    check,
    state: 'warn',
    detail: `${detail}. Something listens on port ${taken.join(' and ')}: if it hands requests on to Lookout, set http.trusted_proxies or http.local_operator`
  }
}

function atlas(): Finding {
  const file = findCountyAtlas(import.meta.url)
  if (file !== null) return { check: 'county atlas', state: 'ok', detail: file }
  return {
    check: 'county atlas',
    state: 'warn',
    detail: 'not installed: areas made of county codes match coded events only'
  }
}

/** Said only where the profile looks addresses up. */
async function addressFile({ profile, dataFolder }: Settings, language: Language): Promise<Finding[]> {
  if (!profile.subsystems.addresses) return []
  const check = 'address file'
  try {
    const path = await addressFileOf(dataFolder)
    if (!existsSync(path))
      return [{ check, state: 'ok', detail: 'none: no address can be looked up (lookout addresses import makes one)' }]
    const db = await openReadOnlyDatabase(path)
    const found = inspectAddresses(db, path)
    db.close()
    if ('code' in found) return [{ check, state: 'warn', detail: `${path}: ${sentenceOf(found, language)}` }]
    const { edition, rowCount, advice } = found.file
    const detail = `${path}, ${edition} edition, ${rowCount ?? 'an unknown number of'} addresses`
    if (advice.length === 0) return [{ check, state: 'ok', detail }]
    return [
      { check, state: 'warn', detail: `${detail}; ${advice.length} indexes are missing: lookout addresses check` }
    ]
  } catch (error) {
    return [{ check, state: 'warn', detail: errorText(error) }]
  }
}

async function serialDevices(): Promise<Finding> {
  try {
    const names = await readdir('/dev/serial/by-id')
    return {
      check: 'serial devices',
      state: 'ok',
      detail: names.map((name) => join('/dev/serial/by-id', name)).join(', ') || 'none'
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { check: 'serial devices', state: 'ok', detail: 'none plugged in' }
    return { check: 'serial devices', state: 'warn', detail: errorText(error) }
  }
}

function port({ host, port: wanted }: Settings): Promise<Finding> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error) =>
      done({ check: 'port', state: 'warn', detail: `${host}:${wanted} cannot be used now: ${errorText(error)}` })
    )
    server.listen(wanted, host, () =>
      server.close(() => done({ check: 'port', state: 'ok', detail: `${host}:${wanted} is free` }))
    )
  })
}

/** The bounds of the programs that read untrusted files. */
async function confinement(): Promise<Finding> {
  const check = 'confinement'
  try {
    const active = await activeConfinement()
    const gaps = confinementGaps(active)
    const detail = [describeConfinement(active), ...gaps].join('; ')
    return { check, state: gaps.length === 0 ? 'ok' : 'warn', detail }
  } catch (error) {
    return { check, state: 'warn', detail: `documents wait: ${errorText(error)}` }
  }
}

function converter({ name, without, package: debian }: (typeof CONVERTERS)[number]): Finding {
  const path = findProgram(name)
  if (path !== null) return { check: name, state: 'ok', detail: path }
  return { check: name, state: 'warn', detail: `not installed: ${without} (package ${debian})` }
}
