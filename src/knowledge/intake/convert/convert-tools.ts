import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type OwnProgram, ownProgram } from '../../../platform/process/own-program.ts'
import { type ExtractTools, systemTools } from '../../enrich/extract-tools.ts'
import { CHILD_LIMITS } from './limits.ts'
import { type OwnResult, parseResult } from './own-result.ts'

export interface ConvertTools extends ExtractTools {
  /** The command line that runs this program with other arguments. */
  self: (args: readonly string[]) => OwnProgram
}

export const systemConvertTools: ConvertTools = { ...systemTools, self: (args) => ownProgram(args) }

/** The means of every converter: where it may write, and how it may run. */
export interface Run {
  tools: ConvertTools
  /** A folder of this conversion alone; removed afterwards. */
  folder: string
  signal: AbortSignal | undefined
}

/** Runs one of our own parsers in a process of its own. @throws AppError what it reported, or a limit */
export async function runOwn(run: Run, role: string, input: string, output: string): Promise<OwnResult> {
  const { command, args } = run.tools.self(['work', role, input, output])
  const { stdout, stderr } = await run.tools.run({
    command,
    args,
    cwd: run.folder,
    reads: [input],
    node: true,
    limits: {
      timeMs: CHILD_LIMITS.ownMs,
      memoryBytes: CHILD_LIMITS.ownMemoryBytes,
      outputBytes: CHILD_LIMITS.outputBytes,
      folderBytes: { folder: run.folder, bytes: CHILD_LIMITS.folderBytes }
    },
    ...(run.signal === undefined ? {} : { signal: run.signal })
  })
  return parseResult(stdout.toString('utf8'), stderr)
}

interface OfficeCommand {
  command: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
}

/** LibreOffice or calibre: time for large books, a folder that may not grow without end. Its exit code means nothing. */
export async function runOffice(run: Run, source: string, { command, args, env = {} }: OfficeCommand): Promise<void> {
  await run.tools.run({
    command,
    args,
    cwd: run.folder,
    reads: [source],
    env,
    limits: {
      timeMs: CHILD_LIMITS.officeMs,
      memoryBytes: CHILD_LIMITS.officeMemoryBytes,
      outputBytes: 4 * 1024 * 1024,
      folderBytes: { folder: run.folder, bytes: CHILD_LIMITS.folderBytes }
    },
    ...(run.signal === undefined ? {} : { signal: run.signal })
  })
}

/** Files below a folder whose names end so, sorted by name. */
export async function filesIn(folder: string, endings: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && endings.includes(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((a, b) => (a < b ? -1 : 1))
}
