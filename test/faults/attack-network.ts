import { spawnSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'

/** The place from which a guest attacks. */
export interface Outside {
  /** As the guest calls the station. */
  host: string
  /** Words before a command that runs there. */
  prefix: string[]
  told: string
  end: () => void
}

const NAME = `lookout-${process.pid % 10_000}`
const [OURS, THEIRS] = [`lk${process.pid % 10_000}a`, `lk${process.pid % 10_000}b`]
/** Of the addresses for tests between two networks (RFC 2544): nobody's. */
const [STATION, GUEST] = ['198.18.77.1', '198.18.77.2']

const OWN_NETWORK = 'LOOKOUT_OWN_NETWORK'
const ISOLATED = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/** Does the rest in a network of its own, where one can be made: a cable that comes and goes makes the browsers of other tests ask anew. */
export function inOwnNetwork(): void {
  if (process.env[OWN_NETWORK] !== undefined || spawnSync('unshare', [...ISOLATED, 'ip', 'link']).status !== 0) return
  const again = [...ISOLATED, process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const { status } = spawnSync('unshare', again, { stdio: 'inherit', env: { ...process.env, [OWN_NETWORK]: '1' } })
  process.exit(status ?? 1)
}

/** This machine's own address, from which a request is a guest's too. Null where it has none but loopback. */
export function ownAddress(): string | null {
  const own = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  return own?.address ?? null
}

/** A second network namespace with a cable to ours; where none can be made, this machine's own address. Null where there is neither. */
export function outside(): Outside | null {
  const steps = [
    ['netns', 'add', NAME],
    ['link', 'add', OURS, 'type', 'veth', 'peer', 'name', THEIRS],
    ['link', 'set', THEIRS, 'netns', NAME],
    ['addr', 'add', `${STATION}/30`, 'dev', OURS],
    ['link', 'set', OURS, 'up'],
    ['-n', NAME, 'addr', 'add', `${GUEST}/30`, 'dev', THEIRS],
    ['-n', NAME, 'link', 'set', THEIRS, 'up'],
    ['-n', NAME, 'link', 'set', 'lo', 'up']
  ]
  const ip = (args: string[]): boolean => spawnSync('ip', args, { stdio: 'ignore' }).status === 0
  const end = (): void => {
    ip(['link', 'del', OURS])
    ip(['netns', 'del', NAME])
  }
  if (process.env[OWN_NETWORK] !== undefined && steps.every(ip))
    return {
      host: STATION,
      prefix: ['ip', 'netns', 'exec', NAME],
      told: `a network namespace of its own, ${GUEST}`,
      end
    }
  end()
  const host = ownAddress()
  if (host === null) return null
  const told = `this machine's own address ${host}: no network namespace can be made here (it takes root and ip netns)`
  return { host, prefix: [], told, end: () => undefined }
}
