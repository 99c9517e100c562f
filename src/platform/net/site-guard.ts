import { because } from '../../model/reason.ts'
import { AllowList, isNeverArchived } from './allow-list.ts'
import type { FetchGuard } from './fetch.ts'
import { FetchError } from './fetch-error.ts'
import { isLocalName } from './local-domain.ts'
import { isPublicAddress, publicOnly, type ResolveAll } from './public-address.ts'

/** The rules by which addresses are looked up and judged; tests let theirs reach a server of their own. */
export interface SiteRules {
  resolve?: ResolveAll
  /** True when a request to `host` may go to this address. */
  isAllowed?: (address: string, host: string) => boolean
  /** True for names that are refused whatever they stand for. */
  isPrivateName?: (host: string) => boolean
}

/**
 * The rules for a site whose first page is at `address`. The operator's own network is open to a site of it alone: no page of
 * the public Internet leads anything of ours into it. `siteGuard` and `checkTarget` judge by them.
 */
export function rulesFor(address: string, allowedHosts: readonly string[]): SiteRules {
  const allowed = new AllowList(allowedHosts)
  if (!URL.canParse(address) || !allowed.names(bare(new URL(address).hostname))) return {}
  return {
    isAllowed: (one, host) => allowed.allows(one, host),
    isPrivateName: (host) => isLocalName(host) && (isNeverArchived(host) || !allowed.names(host))
  }
}

/** A public address that is not one of our own. */
export const isForeign = (address: string): boolean => isPublicAddress(address) && !isNeverArchived(address)

/** The guard of every request that is made for a site somebody named: see `publicOnly`. */
export function siteGuard(rules: SiteRules = {}): FetchGuard {
  const { resolve, isAllowed = isForeign, isPrivateName = isLocalName } = rules
  const guard = publicOnly({ ...(resolve === undefined ? {} : { resolve }), isAllowed })
  return {
    lookup: guard.lookup,
    check(url) {
      guard.check(url)
      if (isPrivateName(bare(url.hostname)))
        throw new FetchError('refused', because('local_network_name', { host: url.hostname }))
    }
  }
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
