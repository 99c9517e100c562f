import t from 'tap'
import { shownSettings } from '../../../src/cli/support/shown-settings.ts'
import { parseWith } from '../../../src/platform/config/issues.ts'
import { describeSettings, type Setting } from '../../../src/settings/describe.ts'
import { type Config, configSchema } from '../../../src/settings/schema.ts'
import { canaryConfig } from '../../helpers/canaries.ts'

const parsed = (config: unknown): Config => parseWith(configSchema, config, 'the configuration')

t.test('of every text that a configuration can hold, the names of regions and families alone are shown', (t) => {
  const { config, canaries } = canaryConfig()
  const said = JSON.stringify(shownSettings(parsed(config))).toLowerCase()
  t.ok(canaries.length > 100, `${canaries.length} texts`)
  const seen = canaries.filter(({ canary }) => said.includes(canary.toLowerCase())).map(({ path }) => path)
  for (const path of seen) t.match(path, /^\/(?:coverage\/areas\/\d+\/name|families\/canary\d+z)$/, path)
  t.ok(seen.length > 0, 'they are')
  t.end()
})

t.test('of every number that a configuration can hold, none tells a place, a node or a port', (t) => {
  const numbers: string[] = []
  const walk = ({ type, members, items, values, kinds }: Setting, key: string): void => {
    if (type === 'number') numbers.push(key)
    for (const [name, member] of Object.entries({ ...members, ...kinds })) walk(member, name)
    for (const inner of [items, values]) if (inner !== undefined) walk(inner, key)
  }
  walk(describeSettings(), '')
  const telling = numbers.filter((key) => /lat|lon|port|elevation|radius|_km$|node/.test(key))
  t.ok(telling.includes('lat') && telling.includes('port'), 'there are such numbers')
  const config = parsed({
    coverage: {
      areas: [{ name: 'North', parts: [{ circle: { lat: 44.123456, lon: -114.654321, radius_km: 17.77 } }] }]
    },
    station: { anchors: [{ name: 'Home', lat: 44.123456, lon: -114.654321 }] },
    sources: [{ kind: 'nws', point: { lat: 44.123456, lon: -114.654321 } }],
    notifications: { rules: [{ delivery_type: 'mesh_dm', node_ids: [2748779069] }] },
    radios: [{ id: 'a', network: 'mt', link: 'tcp', host: '10.0.0.77', port: 47774 }],
    http: { port: 47775, host: '10.0.0.78' }
  })
  const said = JSON.stringify(shownSettings(config))
  for (const secret of ['44.12', '114.65', '17.77', '2748779069', '4777', '10.0.0'])
    t.notOk(said.includes(secret), secret)
  t.end()
})

t.test('intervals, cells and kinds are shown; channels of MeshCore by a number that tells equal from unequal', (t) => {
  const config = parsed({
    coverage: {
      areas: [
        { name: 'North', codes: ['IDC013'] },
        { name: 'South', codes: ['IDC015'] }
      ]
    },
    sources: [{ kind: 'nws', name: 'mine', interval_seconds: 90, url: 'https://me:pass@host.example/x' }],
    notifications: {
      region_routes: {
        enabled: true,
        cells: {
          fire: { North: { mt: 3, mc: '#hush' }, South: { mt: 4, mc: '#hush' }, Gone: { mt: 5 } },
          weather: { North: { mc: '#other', min_severity: 'critical' } },
          someones: { North: { mt: 1 } }
        }
      }
    }
  })
  const said = shownSettings(config)
  t.match(said, {
    coverage: { areas: [{ name: 'North' }, { name: 'South' }] },
    sources: [{ kind: 'nws', enabled: true, interval_seconds: 90, url: 'https:' }],
    notifications: {
      region_routes: {
        enabled: true,
        cells: {
          fire: { North: { mt: 3, mc: 'channel 1' }, South: { mt: 4, mc: 'channel 1' }, '#3': { mt: 5 } },
          weather: { North: { mc: 'channel 2', min_severity: 'critical' } },
          '#3': { North: { mt: 1 } }
        }
      }
    }
  })
  t.notMatch(JSON.stringify(said), /hush|other"|Gone|someones|mine|me:pass|host\.example/)
  t.end()
})
