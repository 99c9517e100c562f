import { type ConvertTools, systemConvertTools } from '../../src/knowledge/intake/convert/convert-tools.ts'
import { errorLine, resultLine } from '../../src/knowledge/intake/convert/own-result.ts'
import { CONVERTERS } from '../../src/knowledge/intake/convert/roles.ts'
import { ownProgram } from '../../src/platform/process/own-program.ts'
import { runnable } from './runnable.ts'

const { flags: execArgv, file: entry } = runnable('test/helpers/work-entry.ts')

/** The tools of this machine without those `hidden`; our own parsers run as real child processes. */
export function convertTools(hidden: readonly string[] = []): ConvertTools {
  return {
    ...systemConvertTools,
    find: (name) => (hidden.includes(name) ? null : systemConvertTools.find(name)),
    self: (args) => ownProgram(args, { entry, execArgv })
  }
}

/** The same, but our own parsers run in this process: many cases in little time. */
export function quickConvertTools(hidden: readonly string[] = []): ConvertTools {
  const tools = convertTools(hidden)
  return {
    ...tools,
    self: (args) => ({ command: 'self', args: [...args] }),
    run: async (options) => {
      if (options.command !== 'self') return tools.run(options)
      const [, role = '', input = '', output = ''] = options.args
      const convert = await CONVERTERS[role]?.()
      const line = await convert?.(input, output).then(resultLine, errorLine)
      return { code: 0, signal: null, stdout: Buffer.from(line ?? ''), stderr: '', peakBytes: null }
    }
  }
}

/** True when the program is installed; else the test says that it skipped something. */
export function needsProgram(t: { comment: (text: string) => void }, ...names: string[]): boolean {
  const absent = names.filter((name) => systemConvertTools.find(name) === null)
  if (absent.length > 0) t.comment(`skipped: ${absent.join(', ')} not installed`)
  return absent.length === 0
}
