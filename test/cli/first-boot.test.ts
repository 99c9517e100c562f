import { existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { firstBoot } from '../../src/cli/first-boot.ts'

/** A station before its first start, with what the verb does to it. */
function board(t: Test) {
  const folder = t.testdir({ data: {}, answers: {} })
  const at = (name: string): string => join(folder, name)
  const read = (name: string): string => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '')
  const context = { env: {}, out: () => undefined, err: (text: string) => t.fail(text), language: 'en' as const }
  return {
    boot: async (text: string | Uint8Array, env: Record<string, string> = {}) => {
      writeFileSync(at('lookout-setup.txt'), text)
      const args = [at('lookout-setup.txt'), at('answers'), '--data', at('data')]
      t.equal(await firstBoot(args, { ...context, env }), 0)
      return read('answers/report.txt')
    },
    config: () => JSON.parse(read('data/config.json') || '{}'),
    setConfig: (change: (config: Record<string, unknown>) => void) => {
      const config = JSON.parse(read('data/config.json') || '{}')
      change(config)
      writeFileSync(at('data/config.json'), JSON.stringify(config))
    },
    answer: (name: string) => read(`answers/${name}`),
    wish: () =>
      Object.fromEntries(
        read('data/hotspot')
          .split('\n')
          .map((line) => line.split('=', 2))
      ),
    data: at('data')
  }
}

const WHOLE = `name = Hill 5
country = US
place = Boise, Idaho
areas = Ada, Idaho; IDC027; Home (IDC015)
wifi name = Hill5
wifi passphrase = correct horse
meshtastic = /dev/ttyUSB7
profile = regional_pi
`

t.test('what the file asks for is in the settings before the station starts', async (t) => {
  const { boot, config, wish, answer } = board(t)
  const report = await boot(WHOLE)
  const { station, coverage, radios } = config()
  t.match(station, { name: 'Hill 5', country: 'US', timezone: 'America/Boise', time_format: '12h', units: 'imperial' })
  t.match(station.anchors, [{ name: 'Boise' }])
  t.match(coverage, {
    region_tagging: true,
    areas: [
      { name: 'Ada', codes: ['IDC001'] },
      { name: 'Canyon', codes: ['IDC027'] },
      { name: 'Home', codes: ['IDC015'] }
    ]
  })
  t.match(radios, [{ network: 'mt', link: 'serial', path: '/dev/ttyUSB7' }])
  t.match(wish(), { state: 'on', ssid: 'Hill5', passphrase: 'correct horse', country: 'US' })
  t.notMatch(report, /not taken/)
  t.match(answer('profile').split('\n')[0], 'regional_pi')
})

t.test('the same file again changes nothing, and what was set on the page since stays', async (t) => {
  const { boot, config, setConfig, wish, data } = board(t)
  await boot(WHOLE)
  const [before, wifi] = [config(), wish()]
  t.match(await boot(WHOLE), /nothing new/)
  t.same([config(), wish()], [before, wifi])
  setConfig((all) => {
    all['station'] = { ...before.station, name: 'Ours' }
  })
  t.match(await boot(WHOLE), /nothing new/)
  t.equal(config().station.name, 'Ours')
  const other = WHOLE.replace('Hill 5', 'Theirs').replace('IDC027; ', '')
  t.match(await boot(other), /name is set otherwise on the station/)
  t.equal(config().station.name, 'Ours')
  t.same(
    config().coverage.areas.map(({ name }: { name: string }) => name),
    ['Ada', 'Home'],
    'what nobody has touched follows the file'
  )
  writeFileSync(join(data, 'hotspot'), 'state=off\nssid=Page\npassphrase=of the page\nchannel=6\nasked=9\n')
  t.match(await boot(other), /wifi passphrase is set otherwise/)
  t.match(wish(), { state: 'off', ssid: 'Page' })
})

t.test('settings that are there before the first file stay', async (t) => {
  const { boot, config, setConfig } = board(t)
  setConfig((all) => {
    all['station'] = { name: 'Before' }
  })
  t.match(await boot('name = After\ncountry = DE\nlanguage = en'), /name is set otherwise/)
  t.match(config().station, { name: 'Before', country: 'DE' })
})

t.test('a town makes place, zone and a circle round it, also by degrees', async (t) => {
  const town = board(t)
  await town.boot('land = Deutschland\nort = München\nradius = 30\n')
  t.match(town.config().station, { country: 'DE', timezone: 'Europe/Berlin', time_format: '24h', units: 'metric' })
  t.match(town.config().coverage.areas, [{ circle: { radius_km: 30 } }])
  const degrees = board(t)
  await degrees.boot('place = 48.137, 11.575')
  t.match(degrees.config().station, { country: 'DE', anchors: [{ lat: 48.137, lon: 11.575 }] })
})

t.test('what cannot be used keeps nothing else away, and each has its sentence', async (t) => {
  const { boot, config } = board(t)
  const report = await boot(
    'name = Hill\ncountry = US\nplace = Nowhereville\nareas = Nowhere; Lincoln; IDC001\nmeshcore = usb\nspeed = 5\n'
  )
  t.match(config(), { station: { name: 'Hill' }, coverage: { areas: [{ codes: ['IDC001'] }] } })
  t.match(report, /place was not taken: no town in US is called "Nowhereville"/)
  t.match(report, /areas was not taken: no county or code is called "Nowhere"/)
  t.match(report, /"Lincoln" is more than one place: write Lincoln, .*\(..C\d{3}\) or /)
  t.match(report, /line 6: there is no "speed"/)
})

t.test('a configuration that is not valid keeps its own parts away, and the Wi-Fi is there all the same', async (t) => {
  const { boot, wish, data } = board(t)
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'config.json'), '{ broken')
  t.match(await boot('name = Hill\nwifi name = Hill\nwifi passphrase = correct horse'), /config.json was not taken/)
  t.equal(readFileSync(join(data, 'config.json'), 'utf8'), '{ broken', 'nothing is lost')
  t.match(wish(), { ssid: 'Hill' })
})

t.test('a Wi-Fi without a pass phrase gets one of its own, told on the card while nobody has claimed', async (t) => {
  const { boot, wish, answer } = board(t)
  await boot('wifi name = auto')
  const { ssid, passphrase } = wish()
  t.match(ssid, /^Lookout-[A-Z0-9]{4}$/)
  t.match(passphrase, /^[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/)
  t.match(answer('join.txt'), `${ssid}  pass phrase: ${passphrase}`)
  await boot('wifi name = auto')
  t.equal(wish().passphrase, passphrase, 'and keeps it')
  t.match(answer('join.txt'), passphrase)
  const other = board(t)
  await other.boot('wifi name = auto')
  t.not(other.wish().passphrase, passphrase, 'another card has another')
})

t.test('the pass phrase of the file is in no answer; its bytes are named for root once it is stored', async (t) => {
  const { boot, answer } = board(t)
  const report = await boot(WHOLE)
  for (const text of [report, answer('join.txt'), answer('hide'), answer('profile')]) t.notMatch(text, /correct horse/)
  const [place = ''] = answer('hide').split('\n')
  const [at = 0, length = 0] = place.split(' ').map(Number)
  t.equal(WHOLE.slice(at, at + length), ' correct horse')
  const refused = board(t)
  t.match(await refused.boot('wifi name = A\nwifi passphrase = short'), /line 2: wifi passphrase was not taken/)
  t.equal(refused.answer('hide'), '', 'one that was not taken stays where it is')
  const wide = board(t)
  const said = await wide.boot(Buffer.from(`\ufeff${WHOLE}`, 'utf16le'))
  t.match(said, /not stored as UTF-8: delete it there yourself/)
})

t.test('the report is German where the file or its country says so', async (t) => {
  t.match(await board(t).boot('country = AT'), /übernommen: country = AT/)
  t.match(await board(t).boot('country = AT\nlanguage = en'), /taken: country = AT/)
})

t.test('a profile that counts already is not asked for again', async (t) => {
  const { boot, answer } = board(t)
  await boot('profile = home', { LOOKOUT_PROFILE: 'home' })
  t.equal(answer('profile'), '')
})

t.test('an empty file says what to do', async (t) => {
  t.match(await board(t).boot('# only notes\nname =\n'), /nothing is filled in/)
})

t.test('for the console: code, address and a QR code, nothing once somebody has claimed', async (t) => {
  const folder = t.testdir({
    'claim.txt': 'Lookout\r\nClaim code: 7KQM-3FXB\r\nType it in at http://10.0.0.5:8080/sign-in\r\n'
  })
  const said: string[] = []
  const context = { env: {}, err: () => undefined, language: 'en' as const, out: (text: string) => said.push(text) }
  t.equal(await firstBoot(['--show', join(folder, 'claim.txt')], context), 0)
  t.match(said.join(''), /7KQM-3FXB\r\n/)
  t.match(said.join(''), /\u2588/)
  await t.rejects(firstBoot(['--show', join(folder, 'gone')], context), { code: 'missing' })
})

t.test('a code that comes while another is drawn is drawn too, which systemd does not see', async (t) => {
  const text = (code: string): string => `Claim code: ${code}\nType it in at http://10.0.0.5:8080/sign-in\n`
  const folder = t.testdir({ 'claim.txt': text('7KQM-3FXB') })
  const file = join(folder, 'claim.txt')
  const said: string[] = []
  const shown = (meanwhile: (nth: number) => void): Promise<number> => {
    const out = (words: string): void => meanwhile(said.push(words))
    return firstBoot(['--show', file], { env: {}, err: () => undefined, language: 'en', out })
  }
  t.equal(await shown((nth) => nth === 1 && writeFileSync(file, text('2222-3333'))), 0)
  t.match(said, [/7KQM-3FXB/, /2222-3333/])
  said.length = 0
  t.equal(await shown(() => unlinkSync(file)), 0, 'claimed meanwhile')
  t.equal(said.length, 1)
  writeFileSync(file, text('7KQM-3FXB'))
  said.length = 0
  t.equal(await shown((nth) => writeFileSync(file, text(`2222-333${nth}`))), 0)
  t.equal(said.length, 5, 'not for ever')
})

t.test('without two names it says how it is called', async (t) => {
  const context = { env: {}, err: () => undefined, language: 'en' as const, out: () => undefined }
  await t.rejects(firstBoot([], context), { code: 'usage' })
  await t.rejects(firstBoot(['/nonexistent', '/tmp', '--data', t.testdir({})], context), { code: 'missing' })
})
