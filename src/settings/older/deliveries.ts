import { type Bag, entriesOf, isBag, type Translation } from './notes.ts'

/** How something is sent: the same entries in a policy, a rule and a destination. */
const DELIVERY = [
  'broadcast_channel',
  'meshcore_channel',
  'node_ids',
  'meshcore_dm_contacts',
  'smtp_host',
  'smtp_port',
  'smtp_user',
  'smtp_password',
  'smtp_tls',
  'from_address',
  'recipients',
  'webhook_url',
  'webhook_headers'
]
const KNOWN: Readonly<Record<'toggles' | 'rules' | 'destinations', ReadonlySet<string>>> = {
  toggles: new Set([
    ...[
      'enabled',
      'min_severity',
      'regions',
      'severity_channels',
      'destinations',
      'cooldown_seconds',
      'freshness_seconds'
    ],
    ...DELIVERY
  ]),
  rules: new Set([
    ...[
      'name',
      'enabled',
      'trigger_type',
      'categories',
      'min_severity',
      'region_scope',
      'delivery_type',
      'destinations'
    ],
    ...DELIVERY
  ]),
  destinations: new Set(['type', ...DELIVERY])
}

/** Entries of a rule that never said which events it takes: of schedules, words and rests. */
const NO_CONDITION =
  /^(?:schedule_\w+|message_type|custom_message|cooldown_minutes|channel_ids|override_quiet|webhook_\w+|smtp_\w+)$/

/** Policies and destinations by name, rules in their order. Scheduled rules with words of their own become broadcasts. */
export function deliveriesOf(
  translation: Translation,
  section: 'toggles' | 'rules' | 'destinations',
  older: unknown
): void {
  const at = ['notifications', section]
  if (section === 'rules') {
    const rules = Array.isArray(older) ? older : []
    for (const [index, rule] of rules.entries()) ruleOf(translation, [...at, String(index)], isBag(rule) ? rule : {})
    return
  }
  for (const [name, value] of entriesOf(older)) {
    const path = [...at, name]
    const taken = taking(translation, path, isBag(value) ? value : {}, KNOWN[section])
    translation.put(path, section === 'toggles' ? policyOf(translation, path, taken) : taken, path)
  }
}

/** The known parts of an entry; the rest is noted. A name that repeats its key goes. */
function taking(translation: Translation, path: readonly string[], older: Bag, known: ReadonlySet<string>): Bag {
  const taken: Bag = {}
  for (const [key, value] of Object.entries(older)) {
    if (key === 'name' && !known.has(key)) continue
    if (!known.has(key)) translation.note('no_counterpart', [...path, key])
    else if (namesEnvironment(value)) translation.note('secret_of_environment', [...path, key])
    else taken[key] = value
  }
  return taken
}

/** `${SMTP_PASSWORD}`: secrets stood in a file of the environment. */
const namesEnvironment = (value: unknown): boolean =>
  typeof value === 'string' && /\$\{[A-Za-z_]\w*(?::-[^}]*)?\}/.test(value)

/** The older system sent an absent channel as 0, and knew no level between `priority` and `immediate`. */
function policyOf(translation: Translation, path: readonly string[], policy: Bag): Bag {
  const { severity_channels: channels, destinations, broadcast_channel: channel } = policy
  const changed = { ...policy }
  const isOnMesh = isBag(channels)
    ? Object.values(channels).some((types) => Array.isArray(types) && types.includes('mesh_broadcast'))
    : true
  const named = Array.isArray(destinations) && destinations.length > 0
  if (policy['enabled'] === true && !named && isOnMesh && (channel ?? null) === null) {
    changed['broadcast_channel'] = 0
    translation.note('channel_zero', [...path, 'broadcast_channel'], `/${path.join('/')}/broadcast_channel`)
  }
  if (isBag(channels) && channels['immediate'] !== undefined && channels['critical'] === undefined) {
    changed['severity_channels'] = { ...channels, critical: channels['immediate'] }
    translation.note('critical_level', [...path, 'severity_channels'], `/${path.join('/')}/severity_channels/critical`)
  }
  return changed
}

function ruleOf(translation: Translation, path: readonly string[], older: Bag): void {
  if (older['trigger_type'] === 'schedule') {
    scheduledOf(translation, path, older)
    return
  }
  const rules = listIn(translation, 'rules')
  const rule = taking(translation, path, older, KNOWN.rules)
  // An entry that nobody here knows may have narrowed the rule: without it, the rule would wake people for what it never sent.
  const isWhole = Object.keys(older).every((key) => KNOWN.rules.has(key) || NO_CONDITION.test(key))
  const isOn = rule['enabled'] !== false
  rules.push(isWhole || !isOn ? rule : { ...rule, enabled: false })
  translation.note(isWhole || !isOn ? 'as_it_is' : 'rule_off', path, `/notifications/rules/${rules.length - 1}`)
}

function scheduledOf(translation: Translation, path: readonly string[], older: Bag): void {
  const text = older['custom_message']
  const at = [
    older['schedule_time'] ?? '07:00',
    ...(older['schedule_frequency'] === 'twice_daily' ? [older['schedule_time_2'] ?? '19:00'] : [])
  ]
  const type = older['delivery_type']
  const mt = type === 'mesh_broadcast' ? (older['broadcast_channel'] ?? 0) : null
  const mc = type === 'meshcore_broadcast' ? (older['meshcore_channel'] ?? null) : null
  const isPlain = older['schedule_frequency'] !== 'custom' && (mt !== null || mc !== null)
  if (typeof text !== 'string' || text.trim() === '' || !isPlain) {
    translation.note('schedule_without_text', path)
    return
  }
  const broadcasts = listIn(translation, 'broadcasts')
  const days = Array.isArray(older['schedule_days'])
    ? older['schedule_days'].map((day) => String(day).slice(0, 3).toLowerCase())
    : []
  broadcasts.push({
    name:
      typeof older['name'] === 'string' && older['name'] !== '' ? older['name'] : `Broadcast ${broadcasts.length + 1}`,
    enabled: older['enabled'] !== false,
    what: 'text',
    at,
    ...(older['schedule_frequency'] === 'weekly' ? { days } : {}),
    text,
    mt,
    mc
  })
  translation.note('broadcast', path, `/notifications/broadcasts/${broadcasts.length - 1}`)
}

function listIn({ config }: Translation, key: 'rules' | 'broadcasts'): unknown[] {
  const notifications = isBag(config['notifications']) ? config['notifications'] : {}
  config['notifications'] = notifications
  const known = notifications[key]
  if (Array.isArray(known)) return known
  const list: unknown[] = []
  notifications[key] = list
  return list
}
