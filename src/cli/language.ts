import { because } from '../model/reason.ts'
import { LANGUAGES, type Language } from '../model/words/languages.ts'
import { AppError } from '../platform/errors.ts'

/** Read in this order, the first that is set rules: POSIX 8.2. */
const VARIABLES = ['LC_ALL', 'LC_MESSAGES', 'LANG']

/** The language of the terminal: `de_AT.UTF-8` is German, `C` and whatever we have no sentences in is English. */
export function languageOfTerminal(env: Readonly<Record<string, string | undefined>>): Language {
  const set = VARIABLES.map((name) => env[name] ?? '').find((value) => value !== '') ?? ''
  const tag = set.slice(0, 2).toLowerCase()
  return LANGUAGES.find((one) => one === tag && !/^[a-z]/i.test(set.slice(2))) ?? 'en'
}

/** Takes `--lang LANGUAGE` out of the arguments of a verb; null when it is not there. @throws AppError `usage`. */
export function takeLanguage(args: readonly string[]): { asked: Language | null; rest: string[] } {
  const end = args.indexOf('--')
  const at = args.findIndex((one, index) => (end < 0 || index < end) && /^--lang(?:=|$)/.test(one))
  const found = args[at]
  if (found === undefined) return { asked: null, rest: [...args] }
  const inOne = found.includes('=')
  const wanted = inOne ? found.slice('--lang='.length) : (args[at + 1] ?? '')
  const asked = LANGUAGES.find((one) => one === wanted)
  if (asked === undefined)
    throw new AppError('usage', because('lang_unknown', { asked: wanted, known: [...LANGUAGES] }))
  return { asked, rest: args.toSpliced(at, inOne ? 1 : 2) }
}
