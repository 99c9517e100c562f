/**
 * The command line of zimit 3, as its source has it (openzim/zimit, `src/zimit/zimit.py`), as far as the archiver speaks it. The
 * stand-in of the tests refuses whatever is not here, as zimit's argparse does; `container-args.test.ts` holds the archiver and
 * docs/decisions/0076 to the same list.
 */
export interface ZimitOption {
  name: string
  /** The form of its one value, as an extended regular expression of grep. */
  value: string
  /** Goes on to warc2zim, which makes the archive; the others are the crawler's. */
  to: 'zimit' | 'crawler' | 'warc2zim'
}

const WHOLE = '^[0-9]+$'
const ANY = '^.+$'

export const ZIMIT_OPTIONS: readonly ZimitOption[] = [
  { name: '--seeds', value: '^https?://.+$', to: 'crawler' },
  { name: '--name', value: ANY, to: 'warc2zim' },
  { name: '--output', value: '^/', to: 'zimit' },
  { name: '--zim-lang', value: '^[a-z]{3}(,[a-z]{3})*$', to: 'warc2zim' },
  { name: '--title', value: '^.{1,30}$', to: 'warc2zim' },
  { name: '--description', value: '^.{1,80}$', to: 'warc2zim' },
  { name: '--workers', value: WHOLE, to: 'crawler' },
  { name: '--scopeType', value: '^(page|page-spa|prefix|host|domain|any|custom)$', to: 'crawler' },
  { name: '--scopeIncludeRx', value: ANY, to: 'crawler' },
  { name: '--scopeExcludeRx', value: ANY, to: 'crawler' },
  { name: '--pageLimit', value: WHOLE, to: 'crawler' },
  { name: '--sizeSoftLimit', value: WHOLE, to: 'zimit' },
  { name: '--sizeHardLimit', value: WHOLE, to: 'zimit' },
  { name: '--timeSoftLimit', value: WHOLE, to: 'zimit' },
  { name: '--timeHardLimit', value: WHOLE, to: 'zimit' },
  { name: '--pageExtraDelay', value: WHOLE, to: 'crawler' },
  { name: '--zimit-progress-file', value: ANY, to: 'zimit' },
  { name: '--statsFilename', value: ANY, to: 'crawler' },
  { name: '--adminEmail', value: ANY, to: 'crawler' }
]

/** Of each pair argparse takes one (`add_mutually_exclusive_group`). */
export const ZIMIT_EXCLUSIVE: readonly (readonly [string, string])[] = [
  ['--sizeSoftLimit', '--sizeHardLimit'],
  ['--timeSoftLimit', '--timeHardLimit']
]

/** A part of a shell script that ends it with 2, as argparse does, when its arguments are none of zimit's. */
export function zimitCheck(): string {
  const rows = ZIMIT_OPTIONS.map(
    ({ name, value }) => `    ${name}) [ $# -ge 2 ] && fits '${value}' "$2" || usage "argument $1: invalid value" ;;`
  )
  const pairs = ZIMIT_EXCLUSIVE.map(
    ([one, other]) =>
      `case " $seen " in *" ${one} "*) case " $seen " in *" ${other} "*) usage "argument ${other}: not allowed with argument ${one}" ;; esac ;; esac`
  )
  return `usage() { echo "zimit: error: $1"; exit 2; }
fits() { case $2 in -*) return 1 ;; esac; printf '%s\\n' "$2" | LC_ALL=C.UTF-8 grep -Eq "$1"; }
check() {
  seen=
  while [ $# -gt 0 ]; do
    case $1 in
${rows.join('\n')}
    *) usage "unrecognized arguments: $1" ;;
    esac
    seen="$seen $1"; shift 2
  done
  ${pairs.join('\n  ')}
  case " $seen " in *" --seeds "*) ;; *) usage "no seed" ;; esac
  case " $seen " in *" --name "*) ;; *) usage "the following arguments are required: --name" ;; esac
}
check "$@"
`
}
