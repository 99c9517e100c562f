import * as v from 'valibot'
import { looseObject } from '../../platform/config/object.ts'

/** docs/interface.md §6, *Two stations*: which of several stations says an alert, and how the others learn that it was said. */

/** Guessing a mark is a matter of its letters, not of a short secret. */
const LEAST_SECRET = 12

function wait(seconds: number, severity: string) {
  return v.pipe(
    v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(30, 'a station listens at least 30 seconds'),
        v.maxValue(120, 'a station listens at most 120 seconds')
      ),
      seconds
    ),
    v.description(`Seconds for which an alert of severity ${severity} is listened for, for each place in the order.`)
  )
}

const waitSchema = v.pipe(
  looseObject({
    immediate: wait(30, 'immediate'),
    critical: wait(45, 'critical'),
    priority: wait(90, 'priority'),
    routine: wait(120, 'routine')
  }),
  v.title('Listens for')
)

const address = v.pipe(
  v.string(),
  v.trim(),
  v.check(isAddress, 'the address of a station is http:// or https://, a host and a port, with nothing behind')
)

/** Its scheme, host and port: no name, no password, and nothing that would be lost when the path is added. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, pathname, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username + password + search + hash === '' && pathname === '/'
}

const addressSchema = v.pipe(
  looseObject({
    order: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(4),
      v.title('Its place in the order'),
      v.description('As it stands at that station.')
    ),
    address: v.pipe(address, v.title('Address'), v.description('Where its pages are: `http://10.0.0.20:8080`.'))
  }),
  v.title('Station')
)

const entries = looseObject({
  enabled: v.pipe(
    v.optional(v.boolean(), false),
    v.title('Several stations'),
    v.description(
      'True: texts of alerts end in a mark by which other stations of the same secret know them, and what another one was heard saying is not said again.'
    )
  ),
  order: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4)), 1),
    v.title('Place in the order'),
    v.description('1 speaks at once; 2 stands by for it, 3 for both. Give every station another place.')
  ),
  stations: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(4)), 2),
    v.title('How many stations'),
    v.description('The same at every station: the time is divided by it, so that two never speak at once.')
  ),
  secret: v.pipe(
    v.optional(v.string(), ''),
    v.title('Shared secret'),
    v.description(
      `The same at every station, at least ${LEAST_SECRET} characters. Marks are made with it, so that nobody else can make one. Never shown, never logged.`
    )
  ),
  trust: v.pipe(
    v.optional(v.picklist(['peers', 'channel'], 'trust is peers or channel'), 'peers'),
    v.title('Whose marks count'),
    v.description(
      'peers = of the stations listed; channel = of whoever writes on the channel. The mark must be right in both.'
    )
  ),
  peers: v.pipe(
    v.optional(v.pipe(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty('a peer has a name'))), v.maxLength(8)), []),
    v.title('Other stations'),
    v.description(
      'Their radios: Meshtastic node ids (!a1b2c3d4), and the names of MeshCore nodes as they stand before a text.'
    )
  ),
  addresses: v.pipe(
    v.optional(v.pipe(v.array(addressSchema), v.maxLength(3)), []),
    v.title('Addresses'),
    v.description(
      'Other stations that are reached over a network, where there is one. While an alert waits for a station before this one, it is asked whether it will say it: if not, the wait ends at once; if it has it waiting, the wait is longer, once. Without an answer nothing changes.'
    )
  ),
  wait_seconds: v.pipe(
    v.optional(waitSchema, {}),
    v.description(
      'How long this station listens, for each station before it in the order, by severity; 30 to 120 seconds.'
    )
  )
})

export const standbySchema = v.pipe(
  entries,
  v.check(
    ({ enabled, secret }) => !enabled || [...secret].length >= LEAST_SECRET,
    `several stations need a shared secret of at least ${LEAST_SECRET} characters`
  ),
  v.check(
    ({ enabled, trust, peers }) => !enabled || trust === 'channel' || peers.length > 0,
    'name the radios of the other stations in peers, or set trust to channel'
  ),
  v.check(
    ({ enabled, order, stations }) => !enabled || order <= stations,
    'a place in the order is no higher than the number of stations: set stations to it, at every station'
  ),
  v.check(
    ({ addresses, secret }) => addresses.length === 0 || [...secret].length >= LEAST_SECRET,
    `stations with addresses need a shared secret of at least ${LEAST_SECRET} characters: questions and answers are made with it`
  ),
  v.check(
    ({ addresses }) => new Set(addresses.map(({ order }) => order)).size === addresses.length,
    'each place in the order has one address'
  ),
  v.title('Standby'),
  v.description('Two to four stations that say each alert once, without a network between them.')
)

export type StandbyConfig = v.InferOutput<typeof standbySchema>
