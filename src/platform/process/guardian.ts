import { type ChildProcess, spawn } from 'node:child_process'
import { shell } from './process-group.ts'

/**
 * Reads `+ GROUP` and `- GROUP` lines until its input ends, which it does however the process at the other end goes; then
 * kills the groups that are left. Signals for everybody (a service being stopped) are not for it: it ends with its input.
 */
const SCRIPT = `trap '' HUP INT TERM
groups=' '
while read -r sign group; do
  rest=' '
  for one in $groups; do [ "$one" = "$group" ] || rest="$rest$one "; done
  groups=$rest
  [ "$sign" = + ] && groups="$groups$group "
done
for one in $groups; do kill -s KILL -- "-$one"; done`

let guardian: ChildProcess | null = null
const guarded = new Set<number>()

/** From now on this process group does not outlive us, even when we are killed by SIGKILL. */
export function guardGroup(leader: number): void {
  guarded.add(leader)
  if (guardian === null) start()
  else tell('+', leader)
}

/** The group is gone: its number may come again for somebody else. */
export function releaseGroup(leader: number): void {
  guarded.delete(leader)
  tell('-', leader)
}

function start(): void {
  const program = shell()
  if (program === null) return
  const child = spawn(program, ['-c', SCRIPT], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore']
  })
  guardian = child
  const gone = (): void => {
    if (guardian === child) guardian = null
  }
  child.on('error', gone).on('exit', gone)
  child.stdin.on('error', gone)
  child.unref()
  // Its pipe must not keep us alive either.
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
  for (const leader of guarded) tell('+', leader)
}

function tell(sign: '+' | '-', leader: number): void {
  guardian?.stdin?.write(`${sign} ${leader}\n`)
}
