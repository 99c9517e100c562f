import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { groundLines } from '../../src/warning/atlas/ground.ts'
import { fire, station } from './harness.ts'

/** The lines below the maps that the server draws, from the bundled atlas: nothing of them is asked for from anywhere. */

const config = { coverage: { region_tagging: true, areas: [{ name: 'Hailey', bbox: [-115, 43, -113.5, 44] }] } }
const LINE = Float32Array.from([-114.5, 43.2, -114.2, 43.6, -113.9, 43.8])
const ground = async () => [{ name: 'states', lines: [LINE] }]
const places = {
  search: async () => [],
  nameOf: async () => '',
  zones: { shape: () => null },
  outline: () => null,
  ground
}

t.test(
  'the map of Now lies on coasts and borders, which are a file of their own and are kept by browsers',
  async (t) => {
    const { ask } = await station(t, { config, context: { places } })
    await ask({ path: '/api/events', body: { ...fire, lat: 43.5, lon: -114.3 } })
    const [, address = ''] = /<use class="ground" href="([^"#]+)#ground"/.exec((await ask('/')).text) ?? []
    t.match(address, /^\/maps\/ground\.svg\?box=-11\d/)
    const { status, headers, text } = await ask(address)
    t.equal(status, 200)
    t.match(headers['content-type'], 'image/svg+xml')
    t.match(headers['cache-control'], 'max-age=86400')
    t.match(text, /<g id="ground"[^>]*><path class="states"[^>]* d="M\d/)
    const corners = [...text.matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)].map(([, x, y]) => [Number(x), Number(y)])
    t.ok(
      corners.length === 3 && corners.every(([x = -1, y = -1]) => x > 0 && x < 800 && y > 0 && y < 500),
      'the line lies inside of the frame that asked for it'
    )
  }
)

t.test('a box that is none is refused, and without an atlas nothing is promised', async (t) => {
  const { ask } = await station(t, { config, context: { places } })
  for (const box of ['', '1,2,3', '1,2,3,x', '3,2,1,4', '1,-91,2,4', '1,2,3,4,5'])
    t.equal((await ask(`/maps/ground.svg?box=${box}`)).status, 422, box)
  t.equal((await ask('/maps/ground.svg')).status, 422)
  const bare = await station(t, { config })
  await bare.ask({ path: '/api/events', body: { ...fire, lat: 43.5, lon: -114.3 } })
  t.notMatch((await bare.ask('/')).text, '<use class="ground"')
  t.equal((await bare.ask('/maps/ground.svg?box=1,2,3,4')).status, 404)
})

t.test(
  'the bundled atlas has states in Idaho, coasts in Europe, and counties only where they can be told apart',
  async (t) => {
    const folder = join(import.meta.dirname, '../../web/vendor/atlas')
    if (!existsSync(join(folder, 'states.lines'))) return t.comment('the atlas is made by the build')
    const found = async (west: number, south: number, east: number, north: number): Promise<Record<string, number>> =>
      Object.fromEntries(
        (await groundLines(folder, { west, south, east, north })).map(({ name, lines }) => [name, lines.length])
      )
    const idaho = await found(-116, 43, -113, 45)
    t.ok(Number(idaho['states']) > 0 && Number(idaho['counties']) > 10, JSON.stringify(idaho))
    const europe = await found(-5, 44, 20, 56)
    t.ok(
      Number(europe['countries']) > 10 && europe['states'] === 0 && europe['counties'] === undefined,
      JSON.stringify(europe)
    )
    const world = await found(-180, -80, 180, 80)
    t.same(Object.keys(world), ['countries'])
  }
)
