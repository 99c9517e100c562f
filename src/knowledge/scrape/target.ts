import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { type FetchGuard, httpGet } from '../../platform/net/fetch.ts'
import { FetchError } from '../../platform/net/fetch-error.ts'
import { isPublicAddress, publicOnly, type ResolveAll } from '../../platform/net/public-address.ts'

const RESOLVE_MS = 5000
const LOOK_MS = 30_000
const LOOK_BYTES = 64 * 1024
/** Names that never belong to the public Internet (RFC 6761, 6762, 7686, 8375; ICANN's `internal`). */
const PRIVATE_NAME =
  /^(?:localhost|[^.]+|.*\.(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|onion))\.?$/i

/** The rules by which addresses are looked up and judged; tests let theirs reach a server of their own. */
export interface TargetRules {
  resolve?: ResolveAll
  isAllowed?: (address: string) => boolean
  /** True for names that are refused whatever they stand for. */
  isPrivateName?: (host: string) => boolean
}

/** A host and an address of it that was checked. */
export interface Pinned {
  host: string
  address: string
}

const resolveBySystem: ResolveAll = (host) => systemLookup(host, { all: true, verbatim: true })

/** The guard of every request the archiver makes by itself: see `publicOnly`. */
export function targetGuard({ resolve, isAllowed, isPrivateName = isPrivate }: TargetRules = {}): FetchGuard {
  const guard = publicOnly({
    ...(resolve === undefined ? {} : { resolve }),
    ...(isAllowed === undefined ? {} : { isAllowed })
  })
  return {
    lookup: guard.lookup,
    check(url) {
      guard.check(url)
      if (isPrivateName(bare(url.hostname)))
        throw new FetchError('refused', because('local_network_name', { host: url.hostname }))
    }
  }
}

/**
 * Checks that this address may be archived, as far as can be told now: no private, loopback, link-local or metadata
 * address, no name of a local network, and a name that is known stands for public addresses only. A name that cannot be
 * looked up now passes: it is looked at again when the work begins. @throws AppError `invalid`.
 */
export async function checkTarget(address: string, rules: TargetRules = {}): Promise<Pinned | null> {
  const url = new URL(address)
  try {
    targetGuard(rules).check(url)
  } catch (error) {
    throw notArchived(error)
  }
  const host = bare(url.hostname)
  const { resolve = resolveBySystem, isAllowed = isPublicAddress } = rules
  const found = isIP(host) === 0 ? await within(resolve(host)) : [{ address: host, family: isIP(host) }]
  const bad = found.find((one) => !isAllowed(one.address))
  if (bad !== undefined) throw new AppError('invalid', because('leads_to_private', { host, address: bad.address }))
  const first = found.find(({ family }) => family === 4) ?? found[0]
  return first === undefined ? null : { host, address: first.address }
}

/**
 * Goes where the first page leads, hop by hop, as far as its first bytes; answers the hosts on the way, each with an address
 * that was checked. @throws AppError `invalid` when a hop is refused, `unavailable` when the site does not answer.
 */
export async function walkToTarget(
  address: string,
  { userAgent, rules = {}, signal }: { userAgent: string; rules?: TargetRules; signal: AbortSignal }
): Promise<Pinned[]> {
  const hosts = new Set<string>()
  const guard = targetGuard(rules)
  const noting: FetchGuard = {
    lookup: guard.lookup,
    check(url) {
      guard.check(url)
      hosts.add(url.origin)
    }
  }
  try {
    await httpGet({ url: address, userAgent, guard: noting, signal, totalMs: LOOK_MS, maxBytes: LOOK_BYTES })
  } catch (error) {
    signal.throwIfAborted()
    // A page longer than we read is a page.
    if (!(error instanceof FetchError) || error.kind !== 'too-large') throw notArchived(error)
  }
  const pinned = await Promise.all([...hosts].map((origin) => checkTarget(origin, rules)))
  return pinned.filter((one) => one !== null)
}

function notArchived(error: unknown): unknown {
  if (!(error instanceof FetchError)) return error
  const { kind, reason } = error
  const code = kind === 'refused' || kind === 'answer' ? 'invalid' : 'unavailable'
  return new AppError(code, because('site_cannot_be_archived', { said: reason }), { cause: error })
}

async function within(looking: ReturnType<ResolveAll>): ReturnType<ResolveAll> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<[]>((resolve) => {
    timer = setTimeout(() => resolve([]), RESOLVE_MS)
  })
  try {
    return await Promise.race([looking.catch(() => []), late])
  } finally {
    clearTimeout(timer)
  }
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function isPrivate(host: string): boolean {
  return isIP(host) === 0 && PRIVATE_NAME.test(host)
}
