import * as v from 'valibot'
import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
import { isAtLeast } from '../../model/severity.ts'
import { categoryNames } from '../../model/weather-hazards.ts'
import type { Target, TraceStep } from './decision.ts'
import { channelKey } from './keys.ts'
import type { RoutedTarget } from './matrix.ts'
import {
  type DeliveryType,
  type Destination,
  type NotificationsConfig,
  type Rule,
  type Toggle,
  toggleSchema
} from './settings.ts'

/** The non-matrix path of contract §5: family policies (toggles), then rules. */
export interface RulesAnswer {
  targets: (RoutedTarget & { path: 'toggle' | 'rule' })[]
  trace: TraceStep[]
}

const defaultToggle: Toggle = v.parse(toggleSchema, {})

/** The stored policy of a family, else the defaults (`enabled: false`). */
export function toggleOf(notifications: NotificationsConfig, family: string): Toggle {
  return notifications.toggles[family] ?? defaultToggle
}

/** The parts of an event that policies and rules look at. */
type Asked = Pick<LookoutEvent, 'family' | 'category' | 'severity' | 'regions'>

/** Asks toggles and rules about one event; a target both name appears once, under the toggle. */
export function askRules(event: Asked, notifications: NotificationsConfig): RulesAnswer {
  const trace: TraceStep[] = []
  const collected = new Map<string, RoutedTarget & { path: 'toggle' | 'rule' }>()
  const add = (path: 'toggle' | 'rule', targets: Target[]): void => {
    for (const target of targets) {
      const key = channelKey(target)
      if (!collected.has(key)) collected.set(key, { target, regions: [...event.regions], path })
    }
  }
  add('toggle', askToggle(event, notifications, trace))
  for (const rule of notifications.rules) add('rule', askRule(event, rule, notifications, trace))
  return { targets: [...collected.values()], trace }
}

function askToggle(event: Asked, notifications: NotificationsConfig, trace: TraceStep[]): Target[] {
  const toggle = toggleOf(notifications, event.family)
  const { family, severity } = event
  const skip = (reason: string, why: Reason): Target[] => {
    trace.push({ stage: 'toggle', outcome: 'skip', reason, ...why })
    return []
  }
  if (!toggle.enabled) return skip('family_off', because('family_off', { family }))
  if (!inScope(event, toggle.regions)) return skip('region_scope', because('out_of_scope', { regions: toggle.regions }))
  if (!isAtLeast(event.severity, toggle.min_severity)) {
    return skip('below_min_severity', because('below_family_floor', { severity, floor: toggle.min_severity, family }))
  }
  const targets =
    toggle.destinations.length > 0
      ? namedDestinations(toggle.destinations, notifications, trace)
      : (toggle.severity_channels[event.severity] ?? []).flatMap((type) =>
          targetsOf(type, toggle, `toggle:${event.family}`, trace)
        )
  if (targets.length === 0) return skip('no_delivery', because('family_no_delivery', { family, severity }))
  const why = because('family_sends', { family, channels: targets.map(channelKey) })
  trace.push({ stage: 'toggle', outcome: 'match', reason: 'family', ...why })
  return targets
}

function askRule(event: Asked, rule: Rule, notifications: NotificationsConfig, trace: TraceStep[]): Target[] {
  if (!rule.enabled || rule.trigger_type !== 'condition') return []
  if (!names(rule.categories, event.category)) return []
  if (!inScope(event, rule.region_scope) || !isAtLeast(event.severity, rule.min_severity)) return []
  let targets: Target[] = []
  if (rule.destinations.length > 0) targets = namedDestinations(rule.destinations, notifications, trace)
  else if (rule.delivery_type !== '') targets = targetsOf(rule.delivery_type, rule, `rule:${rule.name}`, trace)
  const sends = targets.length > 0
  const why = sends
    ? because('rule_sends', { rule: rule.name, channels: targets.map(channelKey) })
    : because('rule_sends_nothing', { rule: rule.name })
  trace.push({ stage: 'rule', outcome: sends ? 'match' : 'skip', reason: 'rule', ...why })
  return targets
}

/** An empty list names every category. */
function names(categories: readonly string[], category: string): boolean {
  return categories.length === 0 || categoryNames(category).some((name) => categories.includes(name))
}

function inScope(event: Asked, scope: readonly string[]): boolean {
  return scope.length === 0 || event.regions.some((region) => scope.includes(region))
}

/** The targets of one destination; `trace` says what it lacks. */
export function targetsOfDestination(
  name: string,
  notifications: NotificationsConfig
): { targets: Target[]; trace: TraceStep[] } {
  const trace: TraceStep[] = []
  return { targets: namedDestinations([name], notifications, trace), trace }
}

/** Names that do not resolve are told and skipped; inline settings never stand in for them. */
function namedDestinations(names: readonly string[], notifications: NotificationsConfig, trace: TraceStep[]): Target[] {
  return names.flatMap((name) => {
    const destination = notifications.destinations[name]
    if (destination !== undefined) return targetsOf(destination.type, destination, `destination:${name}`, trace)
    const why = because('destination_undefined', { destination: name })
    trace.push({ stage: 'destination', outcome: 'skip', reason: 'unknown_destination', ...why })
    return []
  })
}

/**
 * A network delivery is addressed by where its settings stand (`destination:ops`), not by the settings: addresses and
 * passwords stay in the configuration and are read when the message leaves.
 */
function targetsOf(
  type: DeliveryType,
  settings: Toggle | Rule | Destination,
  via: string,
  trace: TraceStep[]
): Target[] {
  const missing = (why: Reason): Target[] => {
    trace.push({ stage: 'destination', outcome: 'skip', reason: 'incomplete_destination', ...why })
    return []
  }
  const needs = (setting: string): Target[] => missing(because('needs_setting', { type, setting }))
  switch (type) {
    case 'mesh_broadcast':
      if (settings.broadcast_channel === null) return missing(because('needs_mt_index', { type }))
      return [{ transport: 'mt', channel: settings.broadcast_channel, direct: false }]
    case 'meshcore_broadcast':
      if (settings.meshcore_channel === null) return missing(because('needs_mc_name', { type }))
      return [{ transport: 'mc', channel: settings.meshcore_channel, direct: false }]
    case 'mesh_dm':
      if (settings.node_ids.length === 0) return needs('node_ids')
      return settings.node_ids.map((node) => ({ transport: 'mt', channel: String(node), direct: true }))
    case 'meshcore_dm':
      if (settings.meshcore_dm_contacts.length === 0) return needs('meshcore_dm_contacts')
      return settings.meshcore_dm_contacts.map((contact) => ({ transport: 'mc', channel: contact, direct: true }))
    case 'webhook':
    case 'ntfy':
      if (settings.webhook_url === '') return needs('webhook_url')
      return [{ transport: type, channel: via, direct: false }]
    case 'email':
      if (settings.smtp_host === '' || settings.from_address === '' || settings.recipients.length === 0) {
        return missing(because('needs_mail', { type }))
      }
      return [{ transport: 'email', channel: via, direct: false }]
    case 'digest':
      trace.push({ stage: 'destination', outcome: 'skip', reason: 'digest', ...because('digest_is_not_live') })
      return []
  }
}
