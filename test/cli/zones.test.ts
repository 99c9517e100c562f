import { createHash } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { VerbContext } from '../../src/cli/verb.ts'
import { zones } from '../../src/cli/zones.ts'
import { sentenceOf } from '../../src/model/words/sentences.ts'
import { AppError } from '../../src/platform/errors.ts'

const ring = [
  [139, 35],
  [139, 36],
  [140, 36],
  [139, 35]
]
const FILE = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', properties: { codarea: '4314407' }, geometry: { type: 'Polygon', coordinates: [ring] } }
  ]
})

async function run(data: string, args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const context = {
    version: '1.0.0',
    env: {},
    language: 'en',
    asked: new AbortController().signal,
    out: (text: string) => (said.out += text),
    err: (text: string) => (said.err += text)
  }
  const code = await zones([...args, '--data', data], context as unknown as VerbContext)
  return { code, ...said }
}

const refusal = async (data: string, args: string[]): Promise<string> => {
  const error = await run(data, args).catch((caught: unknown) => caught)
  return error instanceof AppError ? `${error.code}: ${sentenceOf(error.reason, 'en')}` : 'no refusal'
}

async function served(t: Test, status: number, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.json`
}

t.test('zones sources says for a country which file, which property, and the command', async (t) => {
  const { code, out } = await run(t.testdir({}), ['sources', 'jp'])
  t.equal(code, 0)
  t.match(out, /jp-municipalities {2}JP: Japan Meteorological Agency, \d{8}_AreaInformationCity_weather_GIS\.zip/)
  t.match(out, /codes {4}JMA:… in the property regioncode, the name in regionname/)
  t.match(out, /lookout zones fetch jp-municipalities/)
  t.notMatch(out, /meteoalarm/)
  t.match((await run(t.testdir({}), ['sources', 'de'])).out, /meteoalarm[\s\S]*de-districts/)
  t.match(await refusal(t.testdir({}), ['sources', 'nz']), /^usage: no source is known for nz/)
})

t.test('zones fetch downloads a file, prints its checksum, and its codes are known without a network', async (t) => {
  const data = t.testdir({})
  const from = await served(t, 200, FILE)
  const { code, out } = await run(data, ['fetch', 'br-municipalities', '--from', from])
  t.equal(code, 0)
  t.match(out, `municipios.geojson: ${FILE.length} bytes, SHA-256 ${createHash('sha256').update(FILE).digest('hex')}`)
  t.match(out, /br-municipalities\.zones\.ndjson\.gz: 1 codes/)
  t.same(readdirSync(join(data, 'zones')), ['br-municipalities.zones.ndjson.gz'], 'what was downloaded is gone')
  t.match(await run(data, ['find', 'IBGE:4314407']), { code: 0, out: /IBGE:4314407 {2}IBGE:4314407/ })
})

t.test('without an answer, and of what cannot be fetched, zones fetch says what to do by hand', async (t) => {
  const data = t.testdir({})
  const gone = await served(t, 404, 'gone')
  t.match(
    await refusal(data, ['fetch', 'br-municipalities', '--from', gone]),
    /^unavailable: .*404.*--from ADDRESS.* Download http.*lookout zones import municipios\.geojson --source br-municipalities$/
  )
  t.match(
    await refusal(data, ['fetch', 'br-municipalities', '--from', 'http://127.0.0.1:1/']),
    /^unavailable: .*127\.0\.0\.1:1.* Download http/
  )
  t.match(await refusal(data, ['fetch', 'au-districts']), /^usage: .*by hand from ftp:.*IDM00001\.zip --source/)
  t.match(await refusal(data, ['fetch', 'atlantis']), /^usage: there is no source atlantis/)
  t.notOk(existsSync(join(data, 'zones')), 'nothing is left behind')
})

t.test('zones import reads a file by its source, or by the property and system that are named', async (t) => {
  const data = t.testdir({ 'a.json': FILE })
  const file = join(data, 'a.json')
  t.match(await run(data, ['import', file, '--source', 'br-municipalities']), { code: 0, out: /: 1 codes/ })
  t.equal((await run(data, ['find', 'IBGE:4314407'])).code, 0)
  t.match(await run(data, ['import', file, '--system', 'INMET', '--code', 'CODAREA']), { code: 0 })
  t.equal((await run(data, ['find', 'INMET:4314407'])).code, 0)
  writeFileSync(file, FILE.replace('codarea', 'CD_MUN'))
  t.match(await refusal(data, ['import', file, '--source', 'br-municipalities']), /^bad-input: .*no feature has/i)
})
