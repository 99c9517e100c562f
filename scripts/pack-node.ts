/** The Node that a bundle brings along: the official binary as npm packages carry it, checked against what stands here, and stripped. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Architecture } from '../src/platform/release/release.ts'

/** 24 is the long-term line until April 2028 (nodejs/Release). The hashes are those of the registry, as in package-lock.json. */
export const NODE: { version: string; integrity: Record<Architecture, string> } = {
  version: '24.21.0',
  integrity: {
    arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q=='
  }
}

export interface FetchedNode {
  binary: Buffer
  license: Buffer
}

/**
 * Takes Node for an architecture from the registry, through npm and its cache, and keeps the package in `cache`.
 * @throws Error when npm cannot get it, or what came is not what stands here
 */
export function fetchNode(arch: Architecture, cache: string, version = NODE.version): FetchedNode {
  mkdirSync(cache, { recursive: true })
  const name = `node-linux-${arch}`
  const file = join(cache, `${name}-${version}.tgz`)
  if (!existsSync(file)) {
    const how = ['pack', '--silent', '--pack-destination', cache, `${name}@${version}`]
    execFileSync('npm', how, { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const packed = readFileSync(file)
  const expected = version === NODE.version ? NODE.integrity[arch] : undefined
  if (expected !== undefined && integrityOf(packed) !== expected) {
    rmSync(file)
    throw new Error(`${name} ${version} is not what it was: ${integrityOf(packed)} instead of ${expected}`)
  }
  const member = (path: string): Buffer =>
    execFileSync('tar', ['-xzOf', file, `package/${path}`], { maxBuffer: 2 ** 28 })
  return { binary: stripped(member('bin/node')), license: member('LICENSE') }
}

function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}

/**
 * An ELF program (64 bits, little-endian) without what only linkers and debuggers read: the table of sections and all that no
 * segment loads. The symbols that addons are bound by stay. By hand, so that no cross tools are needed and any machine makes the
 * same bytes. @throws Error for anything else than such a program
 */
export function stripped(program: Buffer): Buffer {
  if (program.subarray(0, 6).toString('latin1') !== '\x7fELF\x02\x01') throw new Error('not a 64-bit ELF program')
  const offset = Number(program.readBigUInt64LE(ELF.segments))
  const size = program.readUInt16LE(ELF.segmentSize)
  const count = program.readUInt16LE(ELF.segmentCount)
  let end = offset + size * count
  for (let index = 0; index < count; index++) {
    const at = offset + index * size
    const loaded = program.readBigUInt64LE(at + SEGMENT.offset) + program.readBigUInt64LE(at + SEGMENT.fileSize)
    end = Math.max(end, Number(loaded))
  }
  const kept = Buffer.from(program.subarray(0, end))
  kept.writeBigUInt64LE(0n, ELF.sections)
  kept.writeUInt16LE(0, ELF.sectionCount)
  kept.writeUInt16LE(0, ELF.sectionNames)
  return kept
}

/** Places in the header, and in the entry of a segment (System V ABI, ELF-64 object file format). */
const ELF = { segments: 32, sections: 40, segmentSize: 54, segmentCount: 56, sectionCount: 60, sectionNames: 62 }
const SEGMENT = { offset: 8, fileSize: 32 }

/** Writes the program of a Node of another line for tests: `node --import=tsx scripts/pack-node.ts VERSION FILE`. */
if (process.argv[1] === import.meta.filename) {
  const [version, file] = process.argv.slice(2)
  if (version === undefined || file === undefined || version.startsWith('-'))
    console.log(
      'usage: node --import=tsx scripts/pack-node.ts VERSION FILE\nWrites the program of that Node for this machine into FILE.'
    )
  else {
    const arch = process.arch === 'arm64' ? 'arm64' : 'x64'
    const { binary } = fetchNode(arch, join(import.meta.dirname, '../artifacts/node'), version)
    writeFileSync(file, binary, { mode: 0o755 })
  }
}
