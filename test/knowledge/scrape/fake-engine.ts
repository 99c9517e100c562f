import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { ZIMIT_EXCLUSIVE, ZIMIT_OPTIONS, zimitCheck } from './zimit-contract.ts'

/**
 * A container engine's command line, as far as the archiver speaks it. Containers are processes of their own that outlive the
 * client, as those of docker and podman do; `STATE/c/<name>/` holds what an engine knows of one.
 */
const ENGINE = `#!/bin/sh
STATE=@STATE@
echo "$*" >> "$STATE/calls"
command=$1; shift
if [ -e "$STATE/down" ]; then echo "Cannot connect to the daemon" >&2; exit 1; fi
if [ -e "$STATE/deaf" ]; then exec sleep 60; fi
encoded() { printf %s "$1" | tr '/:' '__'; }
case $command in
info) echo 24.0.7 ;;
image) name=$4; [ -e "$STATE/images/$(encoded "$name")" ] || { echo "No such image: $name" >&2; exit 1; }; echo "sha256:0123456789abcdef" ;;
images) for one in "$STATE"/images/*; do [ -e "$one" ] && cat "$one"; done; exit 0 ;;
rmi) for name in "$@"; do rm -f "$STATE/images/$(encoded "$name")"; done ;;
load)
  name=$(head -c 200 "$2" | sed -n 's/^IMAGE //p')
  [ -n "$name" ] || { echo "open $2: unexpected EOF" >&2; exit 1; }
  echo "$name" > "$STATE/images/$(encoded "$name")"; echo "Loaded image: $name" ;;
run)
  name=; label=; volume=; detach=
  while :; do case $1 in
    --detach) detach=1; shift ;; --rm) shift ;;
    --name) name=$2; shift 2 ;; --volume) volume=\${2%:*}; shift 2 ;;
    --label) case $2 in lookout=*) label=$2 ;; esac; shift 2 ;;
    --*) shift 2 ;;
    *) break ;;
  esac; done
  image=$1; shift
  [ -e "$STATE/images/$(encoded "$image")" ] || { echo "Unable to find image '$image' locally" >&2; exit 125; }
  if [ -z "$detach" ]; then case "$*" in *--help*) cat "$STATE/help" ;; esac; exit 0; fi
  home=$STATE/c/$name
  [ -e "$home" ] && { echo "Conflict. The container name is in use" >&2; exit 125; }
  mkdir -p "$home"; echo "$label" > "$home/label"; echo "$*" > "$home/args"; shift
  VOLUME=$volume STATE=$STATE CONTAINER=$home setsid sh -c 'sh "$STATE/zimit" "$@"; echo $? > "$CONTAINER/code"' zimit "$@" > "$home/log" 2>&1 < /dev/null &
  [ -e "$STATE/slow-client" ] && { echo $$ > "$STATE/client"; exec sleep 60; }
  echo "f00d$name" ;;
inspect)
  while [ $# -gt 1 ]; do shift; done
  home=$STATE/c/$1
  [ -d "$home" ] || { echo "Error: No such container: $1" >&2; exit 1; }
  # The kill is written before the code: whoever sees a code sees why.
  if [ -s "$home/code" ]; then oom=false; [ -e "$home/oom" ] && oom=true; echo "{\\"Status\\":\\"exited\\",\\"Running\\":false,\\"OOMKilled\\":$oom,\\"ExitCode\\":$(cat "$home/code")}"
  else echo '{"Status":"running","Running":true,"OOMKilled":false,"ExitCode":0}'; fi ;;
logs) cat "$STATE/c/$3/log" 2>/dev/null ;;
stop)
  home=$STATE/c/$3; [ -d "$home" ] || { echo "Error: No such container: $3" >&2; exit 1; }
  pid=$(cat "$home/pid" 2>/dev/null); kill -TERM "$pid" 2>/dev/null
  for i in 1 2 3 4 5 6 7 8 9 10; do [ -s "$home/code" ] && break; sleep 0.05; done
  [ -s "$home/code" ] || kill -KILL "$pid" 2>/dev/null; echo "$3" ;;
rm)
  home=$STATE/c/$2; pid=$(cat "$home/pid" 2>/dev/null); [ -s "$home/code" ] || kill -KILL "$pid" 2>/dev/null
  rm -rf "$home" ;;
ps) for home in "$STATE"/c/*; do [ -d "$home" ] && [ "label=$(cat "$home/label")" = "$3" ] && basename "$home"; done; exit 0 ;;
*) echo "unknown command $command" >&2; exit 125 ;;
esac
`

/** Stands in for the image, as docs/decisions/0076 says. The last part of the seed's path tells the crawler what to do. */
const ZIMIT = `echo $$ > "$CONTAINER/pid"
${zimitCheck()}
trap 'rm -rf "$VOLUME/.tmpcrawl"; echo stopped; exit 3' TERM INT
while [ $# -gt 0 ]; do case $1 in --seeds) what=\${2##*/}; shift 2 ;; *) shift ;; esac; done
mkdir -p "$VOLUME/.tmpcrawl"
say() { echo "{\\"timestamp\\":\\"x\\",\\"message\\":\\"$1\\"}"; }
stats() { printf '{"crawled":%s,"total":%s,"pending":1,"failed":0,"excluded":0,"limit":{"max":0,"hit":false},"pendingPages":[]}' "$1" "$2" > "$VOLUME/crawl.json"; }
wait_for() { while [ ! -e "$STATE/go" ]; do sleep 0.02; done; }
finish() { cp "$STATE/archive.zim" "$VOLUME/site_2026-07.zim"; rm -rf "$VOLUME/.tmpcrawl"; printf '{"done":%s,"total":%s,"partialZim":%s}' 12 12 "\${1:-false}" > "$VOLUME/progress.json"; }
say "crawl starts"
case $what in
ok) stats 3 12; printf '{"done":3,' > "$VOLUME/progress.json"; wait_for; stats 12 12; finish ;;
half) printf '{"crawled":7,"tot' > "$VOLUME/crawl.json"; : > "$VOLUME/progress.json"; wait_for; finish ;;
partial) finish true ;;
partial-old) finish; exit 15 ;;
failing)
  log() { printf '{"timestamp":"x","logLevel":"%s","context":"%s","message":"%s","details":%s}\\n' "$1" "$2" "$3" "$4"; }
  log warn pageStatus "Page Load Failed, will retry" '{"url":"https://site.example/a","retry":0}'
  log error pageStatus "Page Load Failed, skipping page" '{"msg":"net::ERR_CONNECTION_REFUSED","url":"https://site.example/a"}'
  log error general "Page Load Failed: HTTP status" '{"page":"https://site.example/b","status":404}'
  log info pageStatus "Page Finished" '{"page":"https://site.example/ok"}'
  log error behavior "Behavior failed on a page" '{"page":"https://site.example/ok"}'
  printf '{"crawled":5,"total":8,"failed":3,"limit":{"max":0,"hit":false}}' > "$VOLUME/crawl.json"; finish ;;
crash) say "browser crashed"; exit 10 ;;
full) say "disk full"; exit 3 ;;
large) exit 14 ;;
nothing) stats 4 4; exit 0 ;;
oom) : > "$CONTAINER/oom"; exit 137 ;;
hang) stats 1 9; while :; do sleep 0.05; done ;;
deaf) trap '' TERM INT; while :; do sleep 0.05; done ;;
damaged) echo "no archive" > "$VOLUME/site.zim" ;;
*) exit 9 ;;
esac
exit 0
`

const inPair = new Set(ZIMIT_EXCLUSIVE.flat())
/** As argparse writes it: of a pair only one. */
export const HELP = `usage: zimit ${ZIMIT_OPTIONS.filter(({ name, to }) => !inPair.has(name) && to !== 'warc2zim')
  .map(({ name }) => `[${name} VALUE]`)
  .join(' ')} ${ZIMIT_EXCLUSIVE.map(([one, other]) => `[${one} N | ${other} N]`).join(' ')}`

export interface FakeEngine {
  /** A PATH with the engine in it and nothing that would be found otherwise. */
  path: string
  state: string
  /** The calls that were made of it, one a line. */
  calls: () => string[]
  /** Names of its containers. */
  containers: () => string[]
  isRunning: (name: string) => boolean
  /** Lets crawls that wait go on. */
  go: () => void
  set: (flag: 'down' | 'deaf' | 'slow-client', on: boolean) => void
  help: (text: string) => void
  /** The archive its crawls leave. */
  archive: (content: Buffer) => void
  addImage: (name: string) => void
}

export const IMAGE = 'ghcr.io/openzim/zimit:3.1.2'

export function fakeEngine(t: Test, { image = true, name = 'docker' } = {}): FakeEngine {
  const state = mkdtempSync(join(tmpdir(), 'lookout-engine-'))
  const bin = join(state, 'bin')
  for (const folder of ['bin', 'c', 'images']) mkdirSync(join(state, folder))
  writeFileSync(join(bin, name), ENGINE.replace('@STATE@', state))
  chmodSync(join(bin, name), 0o755)
  writeFileSync(join(state, 'zimit'), ZIMIT)
  writeFileSync(join(state, 'help'), HELP)
  writeFileSync(join(state, 'archive.zim'), 'an archive')
  writeFileSync(join(state, 'calls'), '')
  const containers = (): string[] => readdirSync(join(state, 'c')).sort()
  const pidOf = (container: string): number => Number(readFileSync(join(state, 'c', container, 'pid'), 'utf8'))
  t.teardown(() => {
    for (const one of containers()) {
      try {
        process.kill(pidOf(one), 'SIGKILL')
      } catch {
        // Ended already.
      }
    }
    rmSync(state, { recursive: true, force: true })
  })
  const addImage = (added: string): void =>
    writeFileSync(join(state, 'images', added.replace(/[/:]/g, '_')), `${added}\n`)
  if (image) addImage(IMAGE)
  return {
    path: bin,
    state,
    containers,
    addImage,
    calls: () => readFileSync(join(state, 'calls'), 'utf8').trim().split('\n'),
    isRunning: (one) => existsSync(join(state, 'c', one)) && !existsSync(join(state, 'c', one, 'code')),
    go: () => writeFileSync(join(state, 'go'), ''),
    set: (flag, on) => (on ? writeFileSync(join(state, flag), '') : rmSync(join(state, flag), { force: true })),
    help: (text) => writeFileSync(join(state, 'help'), text),
    archive: (content) => writeFileSync(join(state, 'archive.zim'), content)
  }
}
