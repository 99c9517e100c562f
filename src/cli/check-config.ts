import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import type { Language } from '../model/words/languages.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { locatePointer, placeOf, repeatedKeys } from '../platform/config/locate.ts'
import { AppError, errorText, issueReason } from '../platform/errors.ts'
import { errorCode } from '../platform/files/atomic-file.ts'
import { type ConfigProblem, type Judged, judgeConfig, placelessProblem, problemText } from '../settings/document.ts'
import { dataFolderOf, readSettings } from '../settings/environment.ts'
import { type Explained, explainedText, explainSettings } from '../settings/explain.ts'
import { configWarnings } from '../settings/warnings.ts'
import { stationFolder } from './data-folder.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout check-config [FILE] [--explain] [--json] [--data DIR] [--profile NAME]

Judges a configuration: FILE itself, never its backup. Default: config.json in the data folder.
  --explain  every value in force, its default, and where it came from: command line, environment, config.json, profile or default
  --json     the answer as one JSON object on stdout

stderr: errors and warnings as FILE:LINE:COLUMN: /json/pointer: what is wrong
exit codes: 0 accepted (perhaps with warnings) · 2 wrong usage · 3 refused, written for another system, or with a slip of a known key
`

/** `telling`: a station takes it, but its owner meant something else. */
type Warning = Omit<ConfigProblem, 'code'> & { code: string; line: number; column: number; telling: boolean }
type Output = Pick<VerbContext, 'out' | 'err'>

interface Verdict {
  file: string
  judged: Judged
  warnings: Warning[]
  settings: Explained[] | null
}

/** `lookout check-config` (contract §12). Answers 0, or 3 when the configuration is refused. @throws AppError `usage`. */
export async function checkConfig(
  args: string[],
  context: Pick<VerbContext, 'env' | 'root' | 'out' | 'err' | 'language'>
): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      explain: { type: 'boolean' },
      json: { type: 'boolean' },
      data: { type: 'string' },
      profile: { type: 'string' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  if (positionals.length > 1) throw new AppError('usage', because('check_takes_one_file'))
  const argv = { data: values.data, profile: values.profile }
  const station = positionals.length > 0 ? null : stationFolder(values.data, context)
  const file = positionals[0] ?? join(station ?? dataFolderOf({ argv, env: context.env }), 'config.json')
  const judged = await judge(file, positionals.length === 0)
  const verdict: Verdict = { file, judged, warnings: [], settings: null }
  if (judged.ok) {
    verdict.warnings = warningsOf(judged, file, context.language)
    if (values.explain) {
      const from = { argv, env: context.env, root: context.root, config: judged.config }
      const settings = await readSettings(station === null ? from : { ...from, station })
      verdict.settings = explainSettings(settings, judged.raw, judged.config)
    }
  }
  if (values.json) tellMachine(verdict, context)
  else tellPeople(verdict, context)
  return isAccepted(verdict) ? 0 : 3
}

/**
 * A station takes them, but its owner meant something else: switches of the networks without the master that stands above them here, and a key
 * that is a slip of a known one (`standbye`), so that what he wrote does nothing.
 */
const TELLING: ReadonlySet<string> = new Set(['imported_matrix_off', 'odd_key_near'])

const isAccepted = ({ judged, warnings }: Verdict): boolean => judged.ok && !warnings.some(({ telling }) => telling)

function tellMachine(verdict: Verdict, { out }: Output): void {
  const { file, judged, warnings, settings } = verdict
  const told = (wanted: boolean): Omit<Warning, 'telling'>[] =>
    warnings.flatMap(({ telling, ...warning }) => (telling === wanted ? [warning] : []))
  const errors = judged.ok ? told(true) : judged.problems
  const answer = { ok: isAccepted(verdict), file, errors, warnings: told(false) }
  out(`${JSON.stringify(settings === null ? answer : { ...answer, settings })}\n`)
}

function tellPeople(verdict: Verdict, { out, err }: Output): void {
  const { file, judged, warnings, settings } = verdict
  for (const problem of judged.ok ? [] : judged.problems) err(`error: ${problemText(problem)}\n`)
  for (const warning of warnings) err(`${warning.telling ? 'error' : 'warning'}: ${problemText(warning)}\n`)
  if (settings !== null) out(explainedText(settings))
  else if (isAccepted(verdict)) out(`${file}: accepted${warnings.length === 0 ? '' : `, ${count(warnings.length)}`}\n`)
}

/** A data folder without a configuration is fine: everything has a default. A file that was named must be there. */
async function judge(file: string, mayBeMissing: boolean): Promise<Judged> {
  try {
    return judgeConfig(await readFile(file), file)
  } catch (error) {
    if (mayBeMissing && errorCode(error) === 'ENOENT')
      return judgeConfig(Buffer.from('{}'), `${file} (not there: all defaults)`)
    if (errorCode(error) === '') throw error
    const why = errorCode(error) === 'ENOENT' ? 'there is no such file' : `cannot be read: ${errorText(error)}`
    return { ok: false, problems: [placelessProblem(file, 'unreadable', why)] }
  }
}

function warningsOf({ text, root, raw, config }: Judged & { ok: true }, file: string, language: Language): Warning[] {
  const repeated = repeatedKeys(root).map(({ path, offset }) => {
    const { line, column } = placeOf(text, offset)
    return {
      code: 'repeated_key',
      message: sentenceOf(because('odd_repeated_key'), language),
      line,
      column,
      path,
      file,
      telling: false
    }
  })
  const others = configWarnings(raw, config).map((found) => {
    const { path, code } = found
    const { line, column } = locatePointer(text, root, path)
    const reason = issueReason(found)
    const telling = TELLING.has(code) || TELLING.has(reason.code)
    return { code, message: sentenceOf(reason, language), line, column, path, file, telling }
  })
  return [...repeated, ...others].sort((a, b) => a.line - b.line || a.column - b.column)
}

function count(warnings: number): string {
  return warnings === 1 ? '1 warning' : `${warnings} warnings`
}
