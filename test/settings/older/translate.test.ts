import t from 'tap'
import { parseWith } from '../../../src/platform/config/issues.ts'
import type { Note } from '../../../src/settings/older/notes.ts'
import { translateOlder } from '../../../src/settings/older/translate.ts'
import { configSchema } from '../../../src/settings/schema.ts'

const translate = (read: unknown, muteDisabled = false) => translateOlder([read], { muteDisabled })
const codeOf = (notes: readonly Note[], path: string): string[] =>
  notes.filter((note) => note.path.join('.') === path).map(({ code }) => code)

const CELLS = {
  fire: { North: { mt: 3, mc: 'north-fire', min_severity: 'priority' }, South: { mt: 0, mc: null, enabled: false } },
  weather: { North: { mt: null, mc: 'room:9f2c' } }
}

t.test('areas are boxes by name, and are tagged where the older system tagged unasked', async (t) => {
  const { config, notes } = translate({
    coverage: {
      enabled: true,
      excluded_adapters: ['swpc'],
      areas: [{ name: 'North', west: '-115', south: 43, east: -114, north: 44 }]
    }
  })
  t.same(config['coverage'], {
    enabled: true,
    excluded_sources: ['swpc'],
    areas: [{ name: 'North', bbox: [-115, 43, -114, 44] }],
    region_tagging: true
  })
  t.same(codeOf(notes, 'coverage.region_tagging'), ['tagging_on'])
})

t.test('what stands beside a section, or in two files of one section, is taken where it belongs', async (t) => {
  const area = { name: 'North', west: -115, south: 43, east: -114, north: 44 }
  const taken = { coverage: { areas: [{ name: 'North', bbox: [-115, 43, -114, 44] }], region_tagging: true } }
  const beside = translate({ bot: { name: 'Hill' }, areas: [area] })
  t.same(beside.config, { station: { name: 'Hill' }, ...taken })
  t.same(codeOf(beside.notes, 'coverage.areas.0'), ['box'])
  const empty = translate({ coverage: null, areas: [area] })
  t.same(empty.config, taken)
  const routes = { enabled: true, cells: { fire: { North: { mt: 3 } } } }
  const both = translate({ areas: [area], region_routes: routes, enabled: true })
  t.match(both.config, { ...taken, notifications: { region_routes: { enabled: true } } })
  t.same(codeOf(both.notes, 'enabled'), ['no_counterpart'], 'of two that it may belong to it is told')
  const files = [{ coverage: { areas: [area] } }, { coverage: { enabled: false } }, { notifications: {} }]
  t.same(translateOlder(files, { muteDisabled: false }).config, { coverage: { ...taken.coverage, enabled: false } })
})

t.test('an entry that stands twice and says two things is refused, for one of them would be lost', async (t) => {
  const area = { name: 'North', west: -115, south: 43, east: -114, north: 44 }
  const south = { ...area, name: 'South' }
  for (const files of [
    [{ coverage: { areas: [area] }, areas: [south] }],
    [{ areas: [area] }, { coverage: { areas: [south] } }]
  ])
    t.throws(() => translateOlder(files, { muteDisabled: false }), {
      code: 'bad-input',
      message: /coverage\.areas stands twice.*leave one of them/
    })
  t.throws(() => translateOlder([{ timezone: 'UTC' }, { timezone: 'Europe/Berlin' }], { muteDisabled: false }), {
    message: /timezone stands twice/
  })
  const twice = translateOlder([{ areas: [area] }, { coverage: { areas: [area] } }], { muteDisabled: false })
  t.match(twice.config, { coverage: { areas: [{ name: 'North' }] } }, 'the same twice is no contradiction')
})

t.test('a single box without a name is an area of its own; half a box is told, not guessed', async (t) => {
  t.same(translate({ coverage: { bbox: [-115, 43, -114, 44] } }).config, {
    coverage: { areas: [{ bbox: [-115, 43, -114, 44] }] }
  })
  const { config, notes } = translate({ coverage: { areas: [{ name: 'North', west: -115 }] } })
  t.same(config, {})
  t.same(codeOf(notes, 'coverage.areas.0'), ['not_readable'])
})

t.test('the matrix is taken cell by cell; a room of MeshCore has no counterpart', async (t) => {
  const { config, notes } = translate({ notifications: { region_routes: { enabled: true, cells: CELLS } } })
  t.same(config['notifications'], {
    region_routes: {
      enabled: true,
      cells: {
        fire: {
          North: { mt: 3, mc: 'north-fire', min_severity: 'priority' },
          South: { mt: 0, mc: null, enabled: false }
        }
      }
    }
  })
  t.same(codeOf(notes, 'notifications.region_routes.cells.weather.North.mc'), ['room_server'])
  t.same(codeOf(notes, 'notifications.region_routes.cells.fire.South'), ['falls_through'])
})

t.test('a cell that was off is mute where that is asked for', async (t) => {
  const { config, notes } = translate({ region_routes: { enabled: true, cells: CELLS } }, true)
  t.match(config, { notifications: { region_routes: { cells: { fire: { South: { enabled: false, mute: true } } } } } })
  t.same(codeOf(notes, 'notifications.region_routes.cells.fire.South'), ['muted'])
})

t.test(
  'the switch of each network is taken as it stands; the master above them is on when one of them is',
  async (t) => {
    const cells = { fire: { North: { mt: 3, mc: 'north-fire' } } }
    const { config, notes } = translate({ region_routes: { mt_enabled: true, mc_enabled: false, cells } })
    t.same(config, { notifications: { region_routes: { enabled: true, mt_enabled: true, mc_enabled: false, cells } } })
    t.same(codeOf(notes, 'notifications.region_routes'), ['matrix_switch'])
    t.same(codeOf(notes, 'notifications.region_routes.mt_enabled'), ['as_it_is'])
    t.same(codeOf(notes, 'notifications.region_routes.mc_enabled'), ['network_off'])
    const routesOf = (switches: object) => translate({ region_routes: { ...switches, cells } }).config['notifications']
    t.same(routesOf({ mt_enabled: false, mc_enabled: false }), {
      region_routes: { enabled: false, mt_enabled: false, mc_enabled: false, cells }
    })
    t.same(
      routesOf({ mt_enabled: true }),
      { region_routes: { enabled: true, mt_enabled: true, mc_enabled: false, cells } },
      'one that is not there was off'
    )
    t.same(routesOf({ enabled: true, mc_enabled: true }), {
      region_routes: { enabled: true, mt_enabled: false, mc_enabled: true, cells }
    })
  }
)

t.test('a policy keeps what it did: channel 0 for none, critical where immediate went', async (t) => {
  const { config, notes } = translate({
    toggles: {
      fire: {
        name: 'fire',
        enabled: true,
        severity_channels: { immediate: ['mesh_broadcast', 'mesh_dm'] },
        cooldown_seconds: 900
      }
    }
  })
  t.same(config['notifications'], {
    toggles: {
      fire: {
        enabled: true,
        severity_channels: { immediate: ['mesh_broadcast', 'mesh_dm'], critical: ['mesh_broadcast', 'mesh_dm'] },
        cooldown_seconds: 900,
        broadcast_channel: 0
      }
    }
  })
  t.same(codeOf(notes, 'notifications.toggles.fire.broadcast_channel'), ['channel_zero'])
})

t.test('a secret that stood in the environment is not written down, and told', async (t) => {
  const { config, notes } = translate({
    destinations: { ops: { type: 'email', smtp_host: 'mail.example', smtp_password: `$${'{SMTP_PASSWORD}'}` } }
  })
  t.same(config, { notifications: { destinations: { ops: { type: 'email', smtp_host: 'mail.example' } } } })
  t.same(codeOf(notes, 'notifications.destinations.ops.smtp_password'), ['secret_of_environment'])
})

t.test('a rule by the clock with words of its own is a broadcast, another is told', async (t) => {
  const net = {
    name: 'Net',
    trigger_type: 'schedule',
    schedule_frequency: 'weekly',
    schedule_days: ['Monday'],
    schedule_time: '19:30'
  }
  const { config, notes } = translate({
    rules: [
      { ...net, custom_message: 'Net at 20:00', delivery_type: 'mesh_broadcast', broadcast_channel: 2 },
      { ...net, message_type: 'mesh_health_summary' },
      {
        name: 'Evacuations',
        categories: ['emergency_evacuation'],
        delivery_type: 'mesh_dm',
        node_ids: ['!a1b2c3d4'],
        cooldown_minutes: 10
      }
    ]
  })
  t.match(config, {
    notifications: {
      broadcasts: [{ name: 'Net', what: 'text', at: ['19:30'], days: ['mon'], text: 'Net at 20:00', mt: 2, mc: null }],
      rules: [{ name: 'Evacuations', delivery_type: 'mesh_dm' }]
    }
  })
  t.same(codeOf(notes, 'notifications.rules.1'), ['schedule_without_text'])
  t.same(codeOf(notes, 'notifications.rules.2.cooldown_minutes'), ['no_counterpart'])
})

t.test('both radios, the name and the zone come with it; every entry is in the report', async (t) => {
  const older = {
    timezone: 'America/Boise',
    bot: { name: 'Hailey', contact_email: 'ops@example.org', respond_to_dms: true },
    connection: {
      type: 'tcp',
      tcp_host: '10.0.0.5',
      tcp_port: 4403,
      meshcore_conn_type: 'serial',
      meshcore_serial_port: '/dev/ttyACM1',
      reconnect: true
    },
    danger_zones: { enabled: true }
  }
  const { config, notes } = translate(older)
  t.match(config, {
    station: { name: 'Hailey', contact: 'ops@example.org', timezone: 'America/Boise' },
    radios: [
      { id: 'mt', network: 'mt', link: 'tcp', host: '10.0.0.5', port: 4403 },
      { id: 'mc', network: 'mc', link: 'serial', path: '/dev/ttyACM1' }
    ]
  })
  t.same(
    notes.filter(({ kind }) => kind === 'left').map(({ path }) => path.join('.')),
    ['bot.respond_to_dms', 'connection.reconnect', 'danger_zones']
  )
  t.doesNotThrow(() => parseWith(configSchema, config, 'the configuration'))
})

t.test('what is no configuration makes none', async (t) => {
  for (const read of [null, 'text', [], 7, { cells: 1 }]) t.same(translate(read).config, {})
})

t.test(
  'a rule with an entry that nobody here knows is taken switched off: it may have narrowed what the rule sent',
  async (t) => {
    const { config, notes } = translate({
      notifications: {
        rules: [
          { name: 'Close', min_severity: 'routine', max_distance_km: 20, broadcast_channel: 2 },
          { name: 'Rest', cooldown_minutes: 10, override_quiet: true, broadcast_channel: 2 },
          { name: 'Off', enabled: false, max_distance_km: 20 }
        ]
      }
    })
    const { rules } = config['notifications'] as { rules: unknown[] }
    t.same(rules, [
      { name: 'Close', min_severity: 'routine', broadcast_channel: 2, enabled: false },
      { name: 'Rest', broadcast_channel: 2 },
      { name: 'Off', enabled: false }
    ])
    t.same(codeOf(notes, 'notifications.rules.0'), ['rule_off'])
    t.same(codeOf(notes, 'notifications.rules.0.max_distance_km'), ['no_counterpart'])
    t.same(codeOf(notes, 'notifications.rules.1'), ['as_it_is'])
  }
)
