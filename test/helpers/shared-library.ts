import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../src/platform/process/programs.ts'

const compiler = process.platform === 'linux' ? (findProgram('cc') ?? findProgram('gcc')) : null

/** The reason why nothing can stand between a program and its disk here; null when something can. */
export const noCompiler = compiler === null ? 'no C compiler' : null

/** Builds a library for `LD_PRELOAD` in a folder of its own. Only where `noCompiler` is null. */
export function sharedLibrary(source: string): { folder: string; library: string } {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-shim-'))
  writeFileSync(join(folder, 'shim.c'), source)
  const args = ['-shared', '-fPIC', '-O1', '-o', 'shim.so', 'shim.c', '-ldl', '-lpthread']
  execFileSync(String(compiler), args, { cwd: folder })
  return { folder, library: join(folder, 'shim.so') }
}
