import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import type { Test } from 'tap'
import type { ServerOptions } from '../../src/knowledge/library/server.ts'
import type { LibrarySource } from '../../src/knowledge/library/source.ts'
import { systemClock } from '../../src/platform/clock/clock.ts'
import { findProgram } from '../../src/platform/process/programs.ts'

const run = promisify(execFile)

export interface ArchiveOptions {
  title?: string
  language?: string
  /** Path → HTML body; `index.html` is always there. */
  pages?: Readonly<Record<string, string>>
}

/** True when archives can be made and served here. */
export const canServeArchives = (): boolean =>
  findProgram('zimwriterfs') !== null && findProgram('kiwix-serve') !== null

/** Makes a real archive with zimwriterfs; each has a UUID of its own. */
export async function makeArchive(
  file: string,
  { title = 'Wells', language = 'eng', pages = {} }: ArchiveOptions = {}
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-zim-'))
  try {
    const all = { 'index.html': `<h1>${title}</h1><p>The first page of ${title}.</p>`, ...pages }
    for (const [path, body] of Object.entries(all)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      const name = /<h1>(.*?)<\/h1>/.exec(body)?.[1] ?? path
      writeFileSync(join(folder, path), `<html><head><title>${name}</title></head><body>${body}</body></html>`)
    }
    writeFileSync(join(folder, 'icon.png'), icon())
    const said = ['-w', 'index.html', '-I', 'icon.png', '-l', language, '-t', title, '-d', `About ${title}`]
    await run('zimwriterfs', [...said, '-c', 'Tests', '-p', 'Tests', '-n', 'tests', '-j', folder, file])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A red square of 48 × 48 (PNG, one IDAT chunk). */
function icon(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.from([0, 0, 0, 48, 0, 0, 0, 48, 8, 2, 0, 0, 0])
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: 48 }, () => Buffer.from([200, 0, 0]))])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: 48 }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}

/** A row of an archive that is there. */
export function source(id: number, patch: Partial<LibrarySource> = {}): LibrarySource {
  return {
    id,
    filename: `archive-${id}.zim`,
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    title: `Archive ${id}`,
    description: `About ${id}`,
    language: 'eng',
    category: `Archive ${id}`,
    sizeBytes: 1024,
    mtime: Date.parse('2026-07-01T12:00:00Z'),
    articleCount: 10,
    state: 'present',
    reason: null,
    claimedUuid: '',
    ingestEnabled: false,
    checkpoint: 0,
    readToEnd: false,
    detectedAt: 1,
    changedAt: 1,
    startedAt: null,
    completedAt: null,
    ...patch
  }
}

/** Timers of the program keep no process alive: a test that only waits for them would end. */
export function hold(t: Pick<Test, 'teardown'>): void {
  const timer = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(timer))
}

/** A server of our own on any free port, that says nothing. */
export function serverOptions(file: string, patch: Partial<ServerOptions> = {}): ServerOptions {
  const quiet = (): void => undefined
  return {
    settings: { server: 'supervised', port: 0, server_url: '', server_pid_file: '' },
    file,
    host: '127.0.0.1',
    userAgent: () => 'tests',
    log: { info: quiet, warn: quiet, error: quiet },
    clock: systemClock,
    random: () => 0,
    onChange: quiet,
    ...patch
  }
}
