import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError } from '../errors.ts'
import { findProgram } from '../process/programs.ts'
import { runBounded } from '../process/run.ts'
import { type KeyPair, readPair } from './certificate.ts'

/** The program of the system that makes a key and a certificate. */
const PROGRAM = 'openssl'
/** Begins the name of a folder in which they are made. */
export const WORKSHOP = '.tls-'
/** Browsers of phones take none that is valid for longer than 825 days. */
const DAYS = 820
/** A Pi Zero that is busy; usually it takes far less than a second. */
const TIME_MS = 60_000
const MEMORY = 256 * 2 ** 20
const OUTPUT = 64 * 1024
/** RFC 5280, appendix A: the longest common name. */
const COMMON_NAME = 64

/**
 * Makes a key and a certificate for these names that the key itself signs. The folder is a place for files in between, of which
 * nothing is left. @throws AppError `missing` without openssl, `unavailable` when it fails.
 */
export async function makePair(
  folder: string,
  names: readonly string[],
  { path, signal }: { path: string | undefined; signal: AbortSignal }
): Promise<KeyPair> {
  const command = findProgram(PROGRAM, path)
  if (command === null) throw new AppError('missing', because('tls_needs_openssl'))
  const workshop = await mkdtemp(join(folder, WORKSHOP))
  try {
    await writeFile(join(workshop, 'request.cnf'), settingsFor(names), { mode: 0o600 })
    const files = ['-keyout', 'key.pem', '-out', 'certificate.pem']
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-sha256', '-days', String(DAYS)]
    const { code, stderr } = await runBounded({
      command,
      args: ['req', '-x509', '-new', '-batch', '-config', 'request.cnf', ...kind, ...files],
      cwd: workshop,
      limits: { timeMs: TIME_MS, memoryBytes: MEMORY, outputBytes: OUTPUT },
      signal
    })
    if (code !== 0) throw new AppError('unavailable', because('tls_not_made', { said: lastLine(stderr) }))
    const [key, certificate] = await Promise.all(
      ['key.pem', 'certificate.pem'].map((name) => readFile(join(workshop, name), 'utf8'))
    )
    return readPair(key ?? '', certificate ?? '')
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

/** It vouches for nobody else: whoever trusts it trusts this station, and no name that its key might sign. */
function settingsFor(names: readonly string[]): string {
  const [first = 'lookout'] = names
  return `[req]
prompt = no
distinguished_name = name
x509_extensions = extensions
[name]
O = Lookout
CN = ${first.slice(0, COMMON_NAME)}
[extensions]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
subjectAltName = ${names.map((name) => `${isIP(name) === 0 ? 'DNS' : 'IP'}:${name}`).join(',')}
`
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
}
