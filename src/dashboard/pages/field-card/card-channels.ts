import { isAtLeast, SEVERITIES, type Severity } from '../../../model/severity.ts'
import type { Config } from '../../../settings/schema.ts'
import { matchesNothing } from '../../../settings/warnings.ts'
import { toggleOf } from '../../../warning/routing/rules.ts'
import type { Cell, Toggle } from '../../../warning/routing/settings.ts'
import { knownFamilies, regionNames, servedMatrix } from '../../editing/matrix-document.ts'
import { broadcastScopes } from '../../editing/matrix-warnings.ts'

/** A family on a channel: from which severity on, and whether it is heard there only when the other network fails. */
export interface Carried {
  family: string
  from: Severity
  standsIn: boolean
}

/** A channel with all that it carries. */
export interface ChannelCard {
  network: 'mt' | 'mc'
  channel: number | string
  carries: Carried[]
}

/** Regions whose channels are the same, and the families that are muted there. */
export interface RegionCard {
  regions: string[]
  channels: ChannelCard[]
  muted: string[]
}

/** Channels of family policies: of what no cell matches. An empty list of regions is every region. */
export interface PolicyCard {
  regions: readonly string[]
  channels: ChannelCard[]
}

/** The matrix as whoever listens reads it (contract §4): one card for all regions that are told alike. */
export function regionCards(config: Config): RegionCard[] {
  const { enabled, cells } = servedMatrix(config)
  if (!enabled) return []
  const families = [...knownFamilies(config)].filter((family) => !matchesNothing(config, family))
  const cards = new Map<string, RegionCard>()
  for (const region of regionNames(config)) {
    const here = families.flatMap((family) => {
      const cell = cells[family]?.[region]
      return cell === undefined ? [] : [{ family, cell }]
    })
    const card = {
      channels: byChannel(here.filter(({ cell }) => cell.enabled).flatMap(({ family, cell }) => ofCell(family, cell))),
      muted: here.filter(({ cell }) => !cell.enabled && cell.mute === true).map(({ family }) => family)
    }
    const key = JSON.stringify(card)
    const known = cards.get(key)
    if (known === undefined) cards.set(key, { regions: [region], ...card })
    else known.regions.push(region)
  }
  return [...cards.values()]
}

type Line = Omit<ChannelCard, 'carries'> & Carried

function ofCell(family: string, { mt, mc, min_severity: from, fallback = false }: Cell): Line[] {
  const both = mt !== null && mc !== null
  return [
    ...(mt === null
      ? []
      : [{ network: 'mt' as const, channel: mt, family, from, standsIn: both && fallback === 'mc_first' }]),
    ...(mc === null ? [] : [{ network: 'mc' as const, channel: mc, family, from, standsIn: both && fallback === true }])
  ]
}

/** Behind the last index of Meshtastic. */
const AFTER_MT = 8

/** Meshtastic by its index, then MeshCore as its names come. */
function byChannel(lines: readonly Line[]): ChannelCard[] {
  const channels = new Map<string, ChannelCard>()
  for (const { network, channel, ...carried } of lines) {
    const key = `${network} ${channel}`
    const known = channels.get(key) ?? { network, channel, carries: [] }
    known.carries.push(carried)
    channels.set(key, known)
  }
  const rank = ({ network, channel }: ChannelCard): number => (network === 'mt' ? Number(channel) : AFTER_MT)
  return [...channels.values()].sort((a, b) => rank(a) - rank(b))
}

/** Policies that broadcast (contract §5), by the regions they are for. */
export function policyCards(config: Config): PolicyCard[] {
  const scopes = new Map<string, { regions: readonly string[]; lines: Line[] }>()
  for (const family of knownFamilies(config)) {
    const toggle = toggleOf(config.notifications, family)
    const lines = toggle.enabled ? ofToggle(family, toggle, config) : []
    const key = JSON.stringify(toggle.regions)
    const known = scopes.get(key) ?? { regions: toggle.regions, lines: [] }
    known.lines.push(...lines)
    if (lines.length > 0) scopes.set(key, known)
  }
  return [...scopes.values()].map(({ regions, lines }) => ({ regions, channels: byChannel(lines) }))
}

const TYPES = { mt: 'mesh_broadcast', mc: 'meshcore_broadcast' } as const

function ofToggle(family: string, toggle: Toggle, { notifications }: Config): Line[] {
  const { min_severity, destinations, severity_channels } = toggle
  const lines = destinations.flatMap((name) => {
    const { type, broadcast_channel: mt, meshcore_channel: mc } = notifications.destinations[name] ?? {}
    const channel = type === TYPES.mt ? mt : type === TYPES.mc ? mc : null
    const network = type === TYPES.mt ? ('mt' as const) : ('mc' as const)
    return channel == null ? [] : [{ network, channel, family, from: min_severity, standsIn: false }]
  })
  if (destinations.length > 0) return lines
  return (['mt', 'mc'] as const).flatMap((network) => {
    const channel = network === 'mt' ? toggle.broadcast_channel : toggle.meshcore_channel
    const from = SEVERITIES.find(
      (severity) => isAtLeast(severity, min_severity) && severity_channels[severity]?.includes(TYPES[network])
    )
    return channel === null || from === undefined ? [] : [{ network, channel, family, from, standsIn: false }]
  })
}

/** True when a rule broadcasts too: which of them fits an event is told by no card. */
export function hasBroadcastRules(config: Config): boolean {
  const { toggles: _, ...others } = config.notifications
  const rulesAlone: Config = { ...config, notifications: { ...others, toggles: {} } }
  return [...knownFamilies(config)].some((family) => broadcastScopes(rulesAlone, family).length > 0)
}
