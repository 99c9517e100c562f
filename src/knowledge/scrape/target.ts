import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { isNeverArchived } from '../../platform/net/allow-list.ts'
import { type FetchGuard, httpGet } from '../../platform/net/fetch.ts'
import { FetchError } from '../../platform/net/fetch-error.ts'
import { isLocalName } from '../../platform/net/local-domain.ts'
import type { ResolveAll } from '../../platform/net/public-address.ts'
import { isForeign, type SiteRules, siteGuard } from '../../platform/net/site-guard.ts'

const RESOLVE_MS = 5000
const LOOK_MS = 30_000
const LOOK_BYTES = 64 * 1024

/** A host and an address of it that was checked. */
export interface Pinned {
  host: string
  address: string
}

const resolveBySystem: ResolveAll = (host) => systemLookup(host, { all: true, verbatim: true })

/**
 * Checks that this address may be archived, as far as can be told now: no private, loopback, link-local or metadata
 * address, no name of a local network, and a name that is known stands for public addresses only. A name that cannot be
 * looked up now passes: it is looked at again when the work begins. @throws AppError `invalid`.
 */
export async function checkTarget(address: string, rules: SiteRules = {}): Promise<Pinned | null> {
  const url = new URL(address)
  const host = bare(url.hostname)
  try {
    siteGuard(rules).check(url)
  } catch (error) {
    throw withAdvice(notArchived(error), !isNeverArchived(host) && (isLocalName(host) || isIP(host) !== 0))
  }
  const { resolve = resolveBySystem, isAllowed = isForeign } = rules
  const found = isIP(host) === 0 ? await within(resolve(host)) : [{ address: host, family: isIP(host) }]
  const bad = found.find((one) => !isAllowed(one.address, host))
  if (bad !== undefined) {
    const refusal = new AppError('invalid', because('leads_to_private', { host, address: bad.address }))
    throw withAdvice(refusal, !isNeverArchived(bad.address))
  }
  const first = found.find(({ family }) => family === 4) ?? found[0]
  return first === undefined ? null : { host, address: first.address }
}

/**
 * Goes where the first page leads, hop by hop, as far as its first bytes; answers the hosts on the way, each with an address
 * that was checked. @throws AppError `invalid` when a hop is refused, `unavailable` when the site does not answer.
 */
export async function walkToTarget(
  address: string,
  { userAgent, rules = {}, signal }: { userAgent: string; rules?: SiteRules; signal: AbortSignal }
): Promise<Pinned[]> {
  const hosts = new Set<string>()
  const guard = siteGuard(rules)
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

/** Says where a site of the operator's own network is allowed, if it can be. */
function withAdvice(error: unknown, canBeAllowed: boolean): unknown {
  if (!canBeAllowed || !(error instanceof AppError) || error.code !== 'invalid') return error
  return new AppError('invalid', because('private_may_be_allowed', { said: error.reason }), { cause: error })
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
