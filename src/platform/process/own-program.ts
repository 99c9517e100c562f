import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Loaders and features make a child run as we do; debuggers, profilers, limits and reports are our own business. */
const OWN_BUSINESS = /^--(inspect|debug|max-|min-|heap|cpu-prof|prof|test|watch|trace|diagnostic|report|perf|expose)/
const WITH_CODE = new Set(['-e', '--eval', '-p', '--print', '-pe'])
const MODULES = /^(--import|--require|--loader|--experimental-loader|-r)(?:=(.*))?$/

export interface OwnProgram {
  /** Node. */
  command: string
  args: string[]
}

/**
 * The command line that runs this same program, sources or bundle, with other arguments (`work convert:epub IN OUT`), from
 * any folder. `entry` is its file; by default the one that runs now.
 */
export function ownProgram(
  args: readonly string[],
  { entry = process.argv[1] ?? '', execArgv = process.execArgv }: { entry?: string; execArgv?: readonly string[] } = {}
): OwnProgram {
  return { command: process.execPath, args: [...childFlags(execArgv), entry, ...args] }
}

/** The Node flags of this process that are for its children too; modules are named so that any folder will do. */
export function childFlags(execArgv: readonly string[]): string[] {
  const kept: string[] = []
  for (let index = 0; index < execArgv.length; index++) {
    const flag = execArgv[index] ?? ''
    const module = MODULES.exec(flag)
    if (WITH_CODE.has(flag)) index++
    else if (module !== null) kept.push(`${long(module[1])}=${moduleAddress(module[2] ?? execArgv[++index] ?? '')}`)
    else if (!OWN_BUSINESS.test(flag)) kept.push(flag)
  }
  return kept
}

/** NODE_OPTIONS for a child by the same rule. */
export function childNodeOptions(options: string | undefined): string {
  return childFlags((options ?? '').split(/\s+/).filter((flag) => flag !== '')).join(' ')
}

function long(flag: string | undefined): string {
  return flag === undefined || flag === '-r' ? '--require' : flag
}

/** Node finds `tsx` and `./setup.ts` from the folder a process starts in, which is another one for a child. */
function moduleAddress(name: string): string {
  if (/^\.{1,2}\//.test(name)) return pathToFileURL(resolve(name)).href
  if (/^([a-z]+:|\/)/.test(name)) return name
  try {
    return import.meta.resolve(name)
  } catch {
    return name
  }
}
