import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { checkConfig } from '../../src/cli/check-config.ts'
import { drain } from '../../src/platform/clock/slices.ts'
import { parseWith } from '../../src/platform/config/issues.ts'
import { nearest } from '../../src/platform/config/nearest.ts'
import { readSettings, resolveSettings } from '../../src/settings/environment.ts'
import { explainSettings } from '../../src/settings/explain.ts'
import { knownProfiles, loadProfile, type Profile } from '../../src/settings/profile.ts'
import { configSchema } from '../../src/settings/schema.ts'
import { configWarnings } from '../../src/settings/warnings.ts'
import { type RingFault, ringFaults } from '../../src/warning/coverage/rings.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const profiles = join(root, 'profiles')
const FLAGS = [
  'has_contacts',
  'has_landclass',
  'has_hillshade',
  'has_traffic_overlay',
  'has_nominatim_details'
] as const

t.test('the profiles', async (t) => {
  t.test('are home, regional_pi and minimal_pi', async (t) => {
    t.same(await knownProfiles(profiles), ['home', 'minimal_pi', 'regional_pi'])
  })

  const cases: [name: string, flags: boolean[], host: string, uploadMiB: number, simulated: boolean][] = [
    ['home', [true, true, true, true, true], '127.0.0.1', 2048, true],
    ['regional_pi', [false, true, true, true, true], '0.0.0.0', 512, false],
    ['minimal_pi', [false, false, false, false, false], '0.0.0.0', 128, false]
  ]
  for (const [name, flags, host, uploadMiB, simulated] of cases) {
    t.test(`${name} has the flags, limits and address of the contract`, async (t) => {
      const profile = await loadProfile(name, profiles)
      t.equal(profile.name, name)
      t.same(
        FLAGS.map((flag) => profile.features[flag]),
        flags
      )
      t.same(Object.keys(profile.features).sort(), [...FLAGS].sort())
      t.match(profile, {
        http: { host },
        tuning: { upload_max_bytes: uploadMiB * 1024 ** 2 },
        simulated_radios: simulated
      })
      t.match(profile.retention, { trace_days: 14, metrics_days: 7 })
    })
  }

  t.test('each smaller board asks for no more than the bigger one', async (t) => {
    const [home, regional, minimal] = await Promise.all(
      ['home', 'regional_pi', 'minimal_pi'].map((name) => loadProfile(name, profiles))
    )
    const sizes = (profile: Profile | undefined): number[] => {
      const { heap_mb = 0, workers, upload_max_bytes = 0 } = profile?.tuning ?? {}
      return [heap_mb, upload_max_bytes, ...Object.values(workers ?? {}), profile?.retention.events_days ?? 0]
    }
    for (const [bigger, smaller] of [
      [home, regional],
      [regional, minimal]
    ] as const) {
      for (const [index, size] of sizes(smaller).entries()) t.ok(size <= (sizes(bigger)[index] ?? 0))
    }
  })

  t.test('an unknown name stops the start and lists the known ones', async (t) => {
    for (const name of ['pi', 'HOME', '../profiles/home', '']) {
      await t.rejects(loadProfile(name, profiles), { code: 'config-refused', message: /home, minimal_pi, regional_pi/ })
    }
  })

  t.test('a broken one is refused with its place, a missing folder is named', async (t) => {
    const folder = t.testdir({ 'torn.json': '{\n "features"', 'odd.json': '{"features": {"has_everything": true}}' })
    await t.rejects(loadProfile('torn', folder), { code: 'config-refused', message: /torn\.json:2:12/ })
    await t.rejects(loadProfile('odd', folder), { code: 'config-refused', message: /odd\.json/ })
    await t.rejects(loadProfile('home', join(folder, 'none')), { code: 'missing', message: /none/ })
  })
})

t.test('the precedence is command line, environment, config.json, profile', async (t) => {
  const profile = await loadProfile('regional_pi', profiles)
  const config = parseWith(configSchema, { http: { host: '10.0.0.1', port: 1 }, log_level: 'warn' }, 'x')
  const env = { LOOKOUT_HTTP_HOST: '10.0.0.2', LOOKOUT_HTTP_PORT: '2', LOOKOUT_LOG: 'DEBUG' }
  const argv = { host: '[::1]', port: '0', log: 'trace' }
  const bare = parseWith(configSchema, {}, 'x')
  const cases: [
    name: string,
    from: Pick<Parameters<typeof resolveSettings>[0], 'argv' | 'env' | 'config'>,
    want: object
  ][] = [
    [
      'everything set',
      { argv, env, config },
      {
        host: '::1',
        port: 0,
        logLevel: 'trace',
        origins: { host: 'command line', port: 'command line', log: 'command line' }
      }
    ],
    [
      'no command line',
      { argv: {}, env, config },
      {
        host: '10.0.0.2',
        port: 2,
        logLevel: 'debug',
        origins: { host: 'environment', port: 'environment', log: 'environment' }
      }
    ],
    [
      'config.json alone',
      { argv: {}, env: {}, config },
      {
        host: '10.0.0.1',
        port: 1,
        logLevel: 'warn',
        origins: { host: 'config.json', port: 'config.json', log: 'config.json' }
      }
    ],
    [
      'an empty variable is none',
      { argv: {}, env: { LOOKOUT_HTTP_PORT: '' }, config },
      { port: 1, origins: { port: 'config.json' } }
    ],
    [
      'nothing set',
      { argv: {}, env: {}, config: bare },
      { host: '0.0.0.0', port: 8080, logLevel: 'info', origins: { host: 'profile', port: 'default', log: 'default' } }
    ],
    [
      'no config.json',
      { argv: {}, env: {}, config: null },
      { host: '0.0.0.0', port: 8080, origins: { data: 'default', profile: 'default' } }
    ]
  ]
  for (const [name, from, want] of cases) t.match(resolveSettings({ ...from, profile }), want, name)

  for (const [argvOrEnv, name] of [
    [{ env: { LOOKOUT_HTTP_PORT: '65536' } }, 'LOOKOUT_HTTP_PORT'],
    [{ env: { LOOKOUT_HTTP_PORT: '80a' } }, 'LOOKOUT_HTTP_PORT'],
    [{ env: { LOOKOUT_HTTP_HOST: 'http://x' } }, 'LOOKOUT_HTTP_HOST'],
    [{ env: { LOOKOUT_LOG: 'loud' } }, 'LOOKOUT_LOG'],
    [{ argv: { port: '-1' } }, '--port'],
    [{ argv: { log: '' } }, '--log']
  ] as const) {
    const from = { argv: {}, env: {}, config: null, profile, ...argvOrEnv }
    t.throws(
      () => resolveSettings(from),
      { code: 'usage', message: new RegExp(`^${name} is `) },
      JSON.stringify(argvOrEnv)
    )
  }
})

t.test(
  'the start settings come from the data folder that was named, and a refused configuration has no say',
  async (t) => {
    const data = t.testdir({ 'config.json': '{"http":{"port":1234}}' })
    const env = { LOOKOUT_DATA: data, LOOKOUT_PROFILE: 'minimal_pi' }
    t.match(await readSettings({ argv: {}, env, root }), {
      dataFolder: data,
      profileName: 'minimal_pi',
      port: 1234,
      host: '0.0.0.0',
      origins: { data: 'environment', profile: 'environment', port: 'config.json' }
    })
    writeFileSync(join(data, 'config.json'), '{"http":{"port":-1}}')
    t.match(await readSettings({ argv: {}, env, root }), { port: 8080, origins: { port: 'default' } })
    writeFileSync(join(data, 'config.json.bak'), '{"http":{"port":4321}}')
    t.match(await readSettings({ argv: {}, env, root }), { port: 4321 }, 'the backup is what will run')
    await t.rejects(readSettings({ argv: { profile: 'none' }, env, root }), { code: 'config-refused' })
  }
)

t.test('an explanation lists what differs from the defaults, by pointer, and hides secrets', async (t) => {
  const raw = {
    station: { name: 'Lookout', contact: 'me@example.org' },
    coverage: { enabled: true, areas: [{ name: 'N', west: 1, south: 2, east: 3, north: 4 }] },
    notifications: {
      destinations: {
        mail: { type: 'email', smtp_password: 'hunter2', smtp_port: 587, recipients: ['a'] },
        hook: { webhook_headers: { 'X-Any': 'hunter2' }, webhook_url: 'https://u:hunter2@x/?key=hunter2' }
      }
    },
    odd: { api_key: 'hunter2' }
  }
  const settings = await readSettings({ argv: {}, env: {}, root, config: parseWith(configSchema, raw, 'x') })
  const config = parseWith(configSchema, raw, 'x')
  const list = explainSettings(settings, raw, config)
  t.notMatch(JSON.stringify(list), 'hunter2')
  const fromConfig = list.filter(({ origin }) => origin.startsWith('config.json')).map(({ name }) => name)
  t.same(fromConfig, [
    '/station/contact',
    '/coverage/areas/0/name',
    '/coverage/areas/0',
    '/notifications/destinations/mail/type',
    '/notifications/destinations/mail/smtp_password',
    '/notifications/destinations/mail/recipients',
    '/notifications/destinations/hook/webhook_headers/X-Any',
    '/notifications/destinations/hook/webhook_url',
    '/odd'
  ])
  t.match(list, [
    { name: 'LOOKOUT_DATA', value: './data', origin: 'default' },
    { name: 'LOOKOUT_PROFILE', value: 'home' }
  ])
  t.ok(list.some(({ name, origin }) => name === 'profile.tuning.heap_mb' && origin === 'profile home'))
})

t.test('a slip of the pen is recognised, another word is not', async (t) => {
  const known = ['enabled', 'region_tagging', 'areas', 'mt', 'mc']
  for (const [word, want] of [
    ['enabeld', 'enabled'],
    ['Enabled', 'enabled'],
    ['regiontaging', 'region_tagging'],
    ['area', 'areas'],
    ['notes', null],
    ['xy', null],
    ['', null]
  ] as const) {
    t.equal(nearest(word, known), want, word)
  }
})

t.test('odd rings are recognised', async (t) => {
  const cases: [name: string, ring: number[][], outer: boolean, want: RingFault[]][] = [
    [
      'a good square',
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
        [0, 0]
      ],
      true,
      []
    ],
    [
      'a good hole',
      [
        [0, 0],
        [0, 1],
        [1, 1],
        [1, 0],
        [0, 0]
      ],
      false,
      []
    ],
    [
      'clockwise',
      [
        [0, 0],
        [0, 1],
        [1, 1],
        [1, 0],
        [0, 0]
      ],
      true,
      ['winding']
    ],
    [
      'open',
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1]
      ],
      true,
      ['open_ring']
    ],
    [
      'a bow tie',
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0]
      ],
      true,
      ['self_crossing']
    ],
    [
      'a star',
      [
        [0, 3],
        [2, -3],
        [-3, 1],
        [3, 1],
        [-2, -3],
        [0, 3]
      ],
      true,
      ['self_crossing']
    ],
    [
      'a line',
      [
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0]
      ],
      true,
      ['zero_area']
    ],
    [
      'a point',
      [
        [5, 5],
        [5, 5]
      ],
      true,
      ['zero_area']
    ],
    ['nothing', [], true, ['open_ring', 'zero_area']],
    [
      'over the antimeridian, as GeoJSON may write it',
      [
        [179, 0],
        [-179, 0],
        [-179, 1],
        [179, 1],
        [179, 0]
      ],
      true,
      []
    ],
    [
      'over the antimeridian with longitudes beyond 180',
      [
        [179, 0],
        [181, 0],
        [181, 1],
        [179, 1],
        [179, 0]
      ],
      true,
      ['longitude']
    ],
    [
      'touching itself in a corner',
      [
        [0, 0],
        [2, 0],
        [1, 1],
        [2, 2],
        [0, 2],
        [1, 1],
        [0, 0]
      ],
      true,
      []
    ],
    [
      'very small',
      [
        [0, 0],
        [1e-7, 0],
        [1e-7, 1e-7],
        [0, 1e-7],
        [0, 0]
      ],
      true,
      []
    ]
  ]
  for (const [name, ring, outer, want] of cases) t.same(drain(ringFaults(ring, outer)), want, name)
})

t.test('warnings', async (t) => {
  const square = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
        [0, 0]
      ]
    ]
  }
  const warningsOf = (raw: unknown): string[] =>
    configWarnings(raw, parseWith(configSchema, raw, 'x')).map(({ path, code }) => `${path} ${code}`)
  const cases: [name: string, raw: unknown, want: string[]][] = [
    [
      'nothing odd',
      {
        coverage: { region_tagging: true, areas: [{ name: 'N', geometry: square }] },
        notifications: { region_routes: { enabled: true, cells: { fire: { N: { mt: 0 } } } } }
      },
      []
    ],
    [
      'unknown keys at any depth',
      {
        a: 1,
        coverage: { areas: [{ codes: ['ID'], b: 1 }] },
        radios: [{ id: 'r', network: 'mt', link: 'simulated', c: 1 }],
        families: { own: { d: 1 } }
      },
      ['/a unknown_key', '/coverage/areas/0/b unknown_key', '/radios/0/c unknown_key', '/families/own/d unknown_key']
    ],
    [
      'boxes',
      {
        coverage: {
          areas: [{ west: 170, south: 0, east: -170, north: 1 }, { bbox: [0, 0, 181, 1] }, { bbox: [1, 0, 1, 1] }]
        }
      },
      ['/coverage/areas/0 antimeridian', '/coverage/areas/1/bbox/2 longitude', '/coverage/areas/2/bbox zero_area']
    ],
    [
      'a compass form beyond 180',
      { coverage: { areas: [{ west: 0, south: 0, east: 190, north: 1 }] } },
      ['/coverage/areas/0/east longitude']
    ],
    [
      'circles',
      { coverage: { areas: [{ parts: [{ codes: ['ID'] }, { circle: { lat: 0, lon: 200, radius_km: 0 } }] }] } },
      ['/coverage/areas/0/parts/1/circle/lon longitude', '/coverage/areas/0/parts/1/circle/radius_km zero_area']
    ],
    [
      'rings of a MultiPolygon',
      {
        coverage: {
          areas: [
            {
              geometry: {
                type: 'MultiPolygon',
                coordinates: [
                  square.coordinates,
                  [
                    [
                      [0, 0],
                      [1, 1],
                      [1, 0],
                      [0, 1],
                      [0, 0]
                    ]
                  ]
                ]
              }
            }
          ]
        }
      },
      ['/coverage/areas/0/geometry/coordinates/1/0 self_crossing']
    ],
    [
      'a polygon without rings',
      { coverage: { areas: [{ geometry: { type: 'Polygon', coordinates: [] } }] } },
      ['/coverage/areas/0/geometry/coordinates zero_area']
    ],
    [
      'a name twice',
      {
        coverage: {
          areas: [{ name: 'N', codes: ['ID'] }, { name: ' N ', codes: ['MT'] }, { codes: ['WA'] }, { codes: ['OR'] }]
        }
      },
      ['/coverage/areas/1/name duplicate_name']
    ],
    [
      'cells that lead nowhere',
      {
        coverage: { region_tagging: true, areas: [{ name: 'N', codes: ['ID'] }] },
        families: { own: {} },
        notifications: { region_routes: { enabled: true, cells: { own: { N: { mt: 1 } }, fyre: { S: { mt: 1 } } } } }
      },
      [
        '/notifications/region_routes/cells/fyre orphan_family',
        '/notifications/region_routes/cells/fyre/S orphan_region'
      ]
    ],
    [
      'a matrix without tagging',
      {
        coverage: { areas: [{ name: 'N', codes: ['ID'] }] },
        notifications: { region_routes: { enabled: true, cells: { fire: { N: { mt: 1 } } } } }
      },
      ['/notifications/region_routes/enabled tagging_off']
    ],
    [
      'a matrix that has cells and is off',
      {
        coverage: { areas: [{ name: 'N', codes: ['ID'] }] },
        notifications: { region_routes: { cells: { fire: { N: { mt: 1 } } } } }
      },
      ['/notifications/region_routes matrix_off']
    ],
    [
      'a matrix with the two switches of another system',
      {
        coverage: { areas: [{ name: 'N', codes: ['ID'] }] },
        notifications: { region_routes: { mt_enabled: true, mc_enabled: true, cells: { fire: { N: { mt: 1 } } } } }
      },
      ['/notifications/region_routes/mt_enabled imported_matrix_off']
    ],
    [
      'a matrix that was switched off, with the switches of its networks',
      {
        coverage: { areas: [{ name: 'N', codes: ['ID'] }] },
        notifications: { region_routes: { enabled: false, mt_enabled: true, cells: { fire: { N: { mt: 1 } } } } }
      },
      ['/notifications/region_routes matrix_off']
    ],
    [
      'a matrix that is off for a network its cells name',
      {
        coverage: { region_tagging: true, areas: [{ name: 'N', codes: ['ID'] }] },
        notifications: {
          region_routes: { enabled: true, mt_enabled: false, mc_enabled: false, cells: { fire: { N: { mt: 1 } } } }
        }
      },
      ['/notifications/region_routes/mt_enabled matrix_network_off']
    ],
    [
      'cells of events that have no region',
      {
        coverage: { region_tagging: true, areas: [{ name: 'N', codes: ['ID'] }] },
        notifications: {
          region_routes: { enabled: true, cells: { rf_propagation: { N: { mt: 1 } }, mesh_health: { N: { mt: 1 } } } }
        }
      },
      [
        '/notifications/region_routes/cells/rf_propagation regionless_row',
        '/notifications/region_routes/cells/mesh_health regionless_row'
      ]
    ],
    [
      'cells of watched nodes that were given a region',
      {
        coverage: { region_tagging: true, areas: [{ name: 'N', codes: ['ID'] }] },
        sources: [{ kind: 'mesh_health', regions: ['N'] }],
        notifications: { region_routes: { enabled: true, cells: { mesh_health: { N: { mt: 1 } } } } }
      },
      []
    ],
    [
      'a cell that is on and mute',
      {
        coverage: { region_tagging: true, areas: [{ name: 'N', codes: ['ID'] }] },
        notifications: {
          region_routes: {
            enabled: true,
            cells: { fire: { N: { mt: 1, mute: true } }, roads: { N: { mt: 1, mute: true, enabled: false } } }
          }
        }
      },
      ['/notifications/region_routes/cells/fire/N/mute idle_mute']
    ],
    [
      'letters of ASCII for Japanese',
      {
        station: { language: 'ja' },
        messages: { channels: { 'mt:1': { ascii: true }, 'mt:2': { language: 'fr', ascii: true } } }
      },
      ['/messages/channels/mt:1/ascii unfoldable']
    ],
    [
      'policies and rules that lead nowhere',
      {
        notifications: {
          destinations: { d: {} },
          toggles: { fire: { regions: ['S'], destinations: ['d', 'e'] } },
          rules: [{ region_scope: ['S'], destinations: ['e'] }]
        }
      },
      [
        '/notifications/toggles/fire/regions/0 orphan_region',
        '/notifications/toggles/fire/destinations/1 orphan_destination',
        '/notifications/rules/0/region_scope/0 orphan_region',
        '/notifications/rules/0/destinations/0 orphan_destination'
      ]
    ]
  ]
  for (const [name, raw, want] of cases) {
    t.test(name, async (t) => {
      t.same(warningsOf(raw), want)
    })
  }

  t.test('ask whether another name was meant', async (t) => {
    const raw = {
      covrage: {},
      coverage: { areas: [{ nane: 'x', name: 'North', codes: ['ID'] }] },
      notifications: { toggles: { fires: { regions: ['Nort'] } } }
    }
    const messages = configWarnings(raw, parseWith(configSchema, raw, 'x')).map(
      ({ message }) => /did you mean "(.*)"\?$/.exec(message)?.[1]
    )
    t.same(messages, ['coverage', 'name', 'fire', 'North'])
  })
})

t.test('lookout check-config', async (t) => {
  const run = async (
    args: string[],
    env: Record<string, string> = {}
  ): Promise<{ code: number; out: string; err: string }> => {
    const said = { out: '', err: '' }
    const code = await checkConfig(args, {
      env,
      language: 'en',
      root,
      out: (text) => {
        said.out += text
      },
      err: (text) => {
        said.err += text
      }
    })
    return { code, ...said }
  }
  const folder = t.testdir({
    good: { 'config.json': '{}' },
    odd: { 'config.json': '{\n "coverage": {\n  "spare": [],\n  "areas": [] }, "http": {"port": 5, "port": 6} }' },
    slip: { 'config.json': '{\n "notifications": { "standbye": {}, "mine": 1 } }' },
    bad: {
      'config.json':
        '{\n "coverage": { "areas": [ { "west": 1, "south": "x", "east": 2, "north": 3 } ] },\n "station": 1 }',
      'config.json.bak': '{}'
    },
    torn: { 'config.json': '{\n "a": ', 'config.json.bak': '{}' },
    empty: {}
  })
  const file = (name: string): string => join(folder, name, 'config.json')

  t.test('accepts a good file, with and without naming it', async (t) => {
    t.match(await run([file('good')]), { code: 0, err: '', out: `${file('good')}: accepted\n` })
    t.match(await run([], { LOOKOUT_DATA: join(folder, 'good') }), { code: 0, err: '' })
    t.match(await run(['--data', join(folder, 'empty')]), { code: 0, err: '', out: 'accepted' })
  })

  t.test('accepts an odd one with warnings on stderr', async (t) => {
    const { code, err } = await run([file('odd')])
    t.equal(code, 0)
    t.match(err, `warning: ${file('odd')}:3:3: /coverage/spare: unknown key`)
    t.match(err, `warning: ${file('odd')}:4:38: /http/port: this key stands twice`)
  })

  t.test('refuses a slip of a known key, which does nothing: its owner meant something', async (t) => {
    const { code, err, out } = await run([file('slip')])
    t.match({ code, out }, { code: 3, out: '' })
    t.match(err, `error: ${file('slip')}:2:21: /notifications/standbye: unknown key "standbye"`)
    t.match(err, `warning: ${file('slip')}:2:37: /notifications/mine: unknown key`)
    const { ok, errors, warnings } = JSON.parse((await run([file('slip'), '--json'])).out)
    t.equal(ok, false)
    t.match(
      [errors, warnings],
      [[{ code: 'unknown_key', path: '/notifications/standbye' }], [{ path: '/notifications/mine' }]]
    )
  })

  t.test('refuses with 3, every fault with line, column and pointer, whatever the backup says', async (t) => {
    const { code, err, out } = await run([file('bad')])
    t.match({ code, out }, { code: 3, out: '' })
    t.match(err, `error: ${file('bad')}:2:40: /coverage/areas/0/south: must be a number, not "x"\n`)
    t.match(err, `error: ${file('bad')}:3:2: /station: must be an object`)
    t.match(await run([file('torn')]), { code: 3, err: `error: ${file('torn')}:2:7: the file ends here` })
    t.match(await run([file('empty')]), { code: 3, err: 'no such file' })
    t.match(await run([folder]), { code: 3, err: 'cannot be read' })
  })

  t.test('says the same to a machine', async (t) => {
    const bad = await run([file('bad'), '--json'])
    t.match(JSON.parse(bad.out), {
      ok: false,
      errors: [{ line: 2, column: 40, path: '/coverage/areas/0/south', code: 'type' }, { path: '/station' }]
    })
    const odd = await run([file('odd'), '--json', '--explain'])
    t.match(JSON.parse(odd.out), {
      ok: true,
      errors: [],
      warnings: [{ code: 'unknown_key' }, { code: 'repeated_key' }]
    })
    t.ok(
      JSON.parse(odd.out).settings.some(
        (entry: { name: string; value: string }) => entry.name === 'LOOKOUT_HTTP_PORT' && entry.value === '6'
      )
    )
  })

  t.test('--explain tells every value and its origin, judged by the file named', async (t) => {
    const { code, out } = await run([file('odd'), '--explain'], { LOOKOUT_PROFILE: 'minimal_pi', LOOKOUT_LOG: 'warn' })
    t.equal(code, 0)
    t.match(out, /LOOKOUT_HTTP_PORT +6 +\(config\.json\)/)
    t.match(out, /LOOKOUT_LOG +warn +\(environment LOOKOUT_LOG\)/)
    t.match(out, /LOOKOUT_HTTP_HOST +0\.0\.0\.0 +\(profile minimal_pi\)/)
    t.match(out, /profile\.features\.has_contacts +false +\(profile minimal_pi\)/)
    for (const name of [
      'knowledge/allowed_languages',
      'notifications/enabled',
      'coverage/enabled',
      'coverage/region_tagging',
      'scraper/rate_limit_delay',
      'library/port'
    ])
      t.match(out, new RegExp(`^/${name} .*\\(default\\)$`, 'm'), name)
  })

  t.test('does not know other options', async (t) => {
    await t.rejects(run(['--fix']), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' })
    await t.rejects(run(['a', 'b']), { code: 'usage' })
    t.match(await run(['--help']), { code: 0, out: /^usage: / })
  })
})
