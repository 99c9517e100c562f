import t from 'tap'
import * as v from 'valibot'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { configSchema } from '../../../src/settings/schema.ts'
import { createRadios, type RadioSetup } from '../../../src/warning/radios/create.ts'
import type { RadioConfig } from '../../../src/warning/radios/settings.ts'
import { SimulatedRadio } from '../../../src/warning/radios/simulated.ts'

const configured = (radios: object[]): RadioConfig[] => v.parse(configSchema, { radios }).radios

function setup(over: Partial<RadioSetup> = {}): RadioSetup {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1))
  return { configured: [], allowSimulatedDefault: false, mcNames: () => [], clock, ...over }
}

t.test('profile home without radios gets one simulated radio for each network', async (t) => {
  const names = ['north-fire']
  const logged: object[] = []
  const log = { info: (details: object) => void logged.push(details), warn: () => undefined }
  const radios = await createRadios(setup({ allowSimulatedDefault: true, mcNames: () => names, log }))
  t.match(
    radios.map(({ description }) => description),
    [
      { id: 'sim-mt', network: 'mt', link: 'simulated', simulated: true, modem: { label: 'ShortFast', dutyCycle: 1 } },
      { id: 'sim-mc', network: 'mc', link: 'simulated', simulated: true, modem: { label: '62.5 kHz SF7 CR5' } }
    ]
  )
  t.same(
    radios[0]?.channels().map(({ id, enabled }) => [id, enabled]),
    [0, 1, 2, 3, 4, 5, 6, 7].map((id) => [id, true])
  )
  t.same(
    radios[1]?.channels().map(({ id }) => id),
    ['north-fire']
  )
  names.push('weather')
  t.same(
    radios[1]?.channels().map(({ id }) => id),
    ['north-fire', 'weather'],
    'follows the configuration'
  )
  t.equal(logged.length, 2)
  for (const radio of radios) {
    t.ok(radio instanceof SimulatedRadio)
    t.equal(radio.health().state, 'connecting', 'made, not connected')
  }
})

t.test('the other profiles make none of their own, and configured radios replace the stand-ins', async (t) => {
  t.same(await createRadios(setup()), [])
  const one = configured([{ id: 'roof', network: 'mt', link: 'simulated', channels: [0, 3] }])
  const radios = await createRadios(setup({ configured: one, allowSimulatedDefault: true }))
  t.same(
    radios.map(({ description }) => description.id),
    ['roof']
  )
  t.same(
    radios[0]
      ?.channels()
      .filter(({ enabled }) => enabled)
      .map(({ id }) => id),
    [0, 3]
  )
  const none = await createRadios(
    setup({ configured: configured([{ id: 'a', network: 'mt', link: 'simulated', channels: [] }]) })
  )
  t.notOk(
    none[0]?.channels().some(({ enabled }) => enabled),
    'an empty list is a list'
  )
})

t.test('a configured MC radio has exactly the names it lists', async (t) => {
  const radios = configured([{ id: 'hill', network: 'mc', link: 'simulated', channels: ['weather'] }])
  const [radio] = await createRadios(setup({ configured: radios, mcNames: () => ['north-fire'] }))
  t.same(radio?.channels(), [{ id: 'weather', name: 'weather', enabled: true }])
})

t.test('a serial or tcp radio gets the driver of its network, not connected yet', async (t) => {
  const cases = [
    { id: 'usb', network: 'mt', link: 'serial', path: '/dev/ttyUSB0' },
    { id: 'wifi', network: 'mt', link: 'tcp', host: '192.0.2.7' },
    { id: 'usb', network: 'mc', link: 'serial', path: '/dev/ttyUSB0' },
    { id: 'wifi', network: 'mc', link: 'tcp', host: '192.0.2.7', port: 5001 }
  ]
  for (const entry of cases) {
    const [radio] = await createRadios(setup({ configured: configured([entry]) }))
    const { id, network, link } = entry
    t.match(radio?.description, { id, network, link, simulated: false })
    t.equal(radio?.health().state, 'connecting')
    await radio?.close()
  }
})

t.test('a channel of the other network is refused, not dropped', async (t) => {
  const cases = [
    { id: 'a', network: 'mt', link: 'simulated', channels: ['north-fire'] },
    { id: 'b', network: 'mc', link: 'simulated', channels: [3] }
  ]
  for (const entry of cases) {
    const made = createRadios(setup({ configured: configured([entry]) }))
    await t.rejects(made, { code: 'config-refused', message: new RegExp(`Radio ${entry.id} lists the channel`) })
  }
})
