import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { DEPLOY, installStation } from '../helpers/installed.ts'
import { builtProgram, Machine, machineMissing } from '../helpers/machine.ts'
import { eventually } from '../helpers/process.ts'

/** The set-up file of the boot partition, with the units as they are installed, on a systemd of their own: docs/decisions/0040. */

const skip = machineMissing()
const UNITS = ['lookout-first-boot.service', 'lookout-claim.service', 'lookout-claim.path']
const SETUP =
  'name = Emulated Hill\r\ncountry = DE\r\nwifi name = Hill\r\nwifi passphrase = correct horse\r\nspeed = 5\r\n'

function prepare(root: string): void {
  installStation(root, {})
  for (const unit of UNITS) copyFileSync(join(DEPLOY, 'systemd', unit), join(root, 'etc/systemd/system', unit))
  mkdirSync(join(root, 'boot/firmware'), { recursive: true })
  // As the boot partition of the image: root's alone.
  writeFileSync(join(root, 'boot/firmware/lookout-setup.txt'), SETUP, { mode: 0o600 })
}

t.test('a station that was never started is what the text file on its card says', { skip }, async (t) => {
  const machine = await Machine.start({ prepare, binds: builtProgram(), units: [...UNITS, 'lookout.service'] })
  t.teardown(() => machine.end())
  const card = (name: string): string => {
    const file = join(machine.root, 'boot/firmware', name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  const report = await eventually('the card tells of it', () => {
    const text = card('lookout.txt')
    return text.includes('Claim code: ') && text
  }).catch((error: unknown) => {
    throw new Error(`${error}\n${UNITS.map((unit) => machine.journal(unit)).join('\n')}`)
  })
  const first = await machine.get('http://127.0.0.1:8080/api/first-run')
  t.match(JSON.parse(first?.text ?? '{}'), { station: { name: 'Emulated Hill', country: 'DE' } })
  t.match(report, /übernommen: name = Emulated Hill\r\n/)
  t.match(report, /Zeile 5: „speed“ gibt es nicht/)
  t.match(report, /mit Leerzeichen überschrieben/)
  t.notMatch(report, 'correct horse')
  t.equal(card('lookout-setup.txt'), SETUP.replace('correct horse', ' '.repeat(13)))
  const wish = readFileSync(join(machine.root, 'var/lib/lookout/hotspot'), 'utf8')
  t.match(wish, /passphrase=correct horse\n/)
  t.equal(machine.show('lookout-first-boot', 'Result'), 'success')
})
