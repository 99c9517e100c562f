import t from 'tap'
import { parseWith } from '../../src/platform/config/issues.ts'
import { walkSchema } from '../../src/platform/config/schema-walk.ts'
import { configSchema } from '../../src/settings/schema.ts'
import { configWarnings } from '../../src/settings/warnings.ts'
import { withProfileSources } from '../../src/station/profile-sources.ts'
import { kindOf } from '../../src/warning/feeds/create.ts'
import { meshHealthKind } from '../../src/warning/feeds/mesh-health/kind.ts'
import { KNOWN_KINDS, sourceName } from '../../src/warning/feeds/settings.ts'

const parse = (sources: unknown) => parseWith(configSchema, { sources }, 'the configuration')

t.test('every kind of the configuration has a reader, of the same mode and name', async (t) => {
  t.same(parse([]).sources, [])
  for (const { kind, mode, title, about } of KNOWN_KINDS) {
    const reader = kind === 'mesh_health' ? meshHealthKind(() => []) : await kindOf(kind)
    t.match(reader, { kind, mode }, kind)
    t.ok(title !== '' && about !== '' && reader.about !== '', `${kind} says what it brings`)
  }
  t.equal(new Set(KNOWN_KINDS.map(({ kind }) => kind)).size, KNOWN_KINDS.length)
  await t.rejects(kindOf('crystal_ball'), { code: 'bad-input', message: /Known: .*nws/ })
  await t.rejects(kindOf('constructor'), { code: 'bad-input' })
})

t.test('a source is refused at the place that is wrong; an unknown kind is answered with the known ones', async (t) => {
  for (const [sources, path, message] of [
    [[{ kind: 'crystal_ball' }], '/sources/0/kind', /one of .*nws.*usgs/],
    [[{}], '/sources/0/kind', /one of .*nws/],
    [[3], '/sources/0', /one of .*nws/],
    [{ kind: 'usgs' }, '/sources', /list/],
    [[{ kind: 'usgs' }, { kind: 'usgs' }], '/sources', /names of sources must differ/],
    [[{ kind: 'usgs' }, { kind: 'nws', name: 'usgs' }], '/sources', /names of sources must differ/],
    [[{ kind: 'usgs', name: 'Big Quakes' }], '/sources/0/name', /lower-case/],
    [[{ kind: 'usgs', interval_seconds: 0 }], '/sources/0/interval_seconds', /at least 1/],
    [
      [{ kind: 'usgs', overrides: { Earthquake: { level: 'routine' } } }],
      '/sources/0/overrides/Earthquake/level',
      /unknown key/
    ],
    [
      [{ kind: 'usgs', overrides: { Earthquake: { severity: 'loud' } } }],
      '/sources/0/overrides/Earthquake/severity',
      /./
    ],
    [[{ kind: 'nws', url: 'api.weather.gov' }], '/sources/0/url', /https:\/\//]
  ] as const) {
    t.throws(() => parse(sources), { code: 'invalid', issues: [{ path, message }] }, JSON.stringify(sources))
  }
  t.match(parse([{ kind: 'usgs' }, { kind: 'usgs', name: 'near' }]).sources, [
    { enabled: true, tell_when_stale: false },
    { name: 'near' }
  ])
})

t.test(
  'inside of a source, too, unknown keys and families are told, and each value has a place of its own',
  async (t) => {
    const raw = {
      sources: [
        { kind: 'usgs', flor: 3, overrides: { Earthquake: { family: 'fir' } } },
        { kind: 'nws', point: { lat: 1, lon: 2 } }
      ]
    }
    t.match(configWarnings(raw, parseWith(configSchema, raw, 'x')), [
      { path: '/sources/0/flor', code: 'unknown_key', message: /did you mean "floor"/ },
      { path: '/sources/0/overrides/Earthquake/family', code: 'orphan_family', message: /did you mean "fire"/ }
    ])
    const leaves: string[] = []
    walkSchema(configSchema, raw, ({ path, leaf }) => void (leaf && leaves.push(path.join('/'))))
    t.ok(leaves.includes('sources/1/point/lat'), leaves.join(' '))
  }
)

t.test(
  'what the profile switches on is added, unless the configuration names it; a name that is taken stays',
  async (t) => {
    const added = (sources: unknown) => {
      const config = parse(sources)
      const made = withProfileSources(() => config, { sources: ['mesh_health'] })()
      return made.sources.map(({ kind, enabled, ...source }) => `${kind} ${sourceName({ kind, ...source })} ${enabled}`)
    }
    t.strictSame(added([]), ['mesh_health mesh_health true'])
    t.strictSame(added([{ kind: 'mesh_health', enabled: false }]), ['mesh_health mesh_health false'])
    t.strictSame(added([{ kind: 'mesh_health', name: 'ours' }]), ['mesh_health ours true'])
    t.strictSame(added([{ kind: 'usgs', name: 'mesh_health' }]), [
      'usgs mesh_health true',
      'mesh_health own_mesh_health true'
    ])
  }
)
