import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

/** The shipped rules of udev, as it reads them: each known board gets its name, its rights, and nothing else gets any. */

const FILE = join(fileURLToPath(new URL('../..', import.meta.url)), 'deploy/udev/60-lookout.rules')

/** A device as the kernel and the builtins `usb_id` and `path_id` describe it; a key of the rules to its value. */
type Device = Readonly<Record<string, string>>
interface Named {
  links: string[]
  /** All that was assigned, by its key. */
  given: Record<string, string>
}

const TERM = /([A-Z]+(?:\{[^}]+\})?)(==|!=|\+=|=)"([^"]*)"/y

/** The terms of a rule. @throws Error for what is none: udev leaves such a line out, and says so in the journal alone. */
function termsOf(line: string): [key: string, operator: string, value: string][] {
  const terms: [string, string, string][] = []
  for (let at = 0; at < line.length; ) {
    TERM.lastIndex = at
    const [whole, key = '', operator = '', value = ''] = TERM.exec(line) ?? []
    if (whole === undefined) throw new Error(`no rule: ${line.slice(at)}`)
    terms.push([key, operator, value])
    at += whole.length + (/^,? */.exec(line.slice(at + whole.length))?.[0].length ?? 0)
  }
  return terms
}

const RULES = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map(termsOf)

/** A pattern of udev(7): `|` between alternatives, `*`, `?` and sets as a shell has them. */
const fits = (value: string, pattern: string): boolean =>
  pattern.split('|').some((one) =>
    new RegExp(
      `^${one
        .replace(/[.+^${}()\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.')}$`
    ).test(value)
  )

/** Walks the rules as udev does: a rule whose conditions all hold is carried out, and GOTO leads to its label. */
function walk(device: Device): Named {
  const known: Record<string, string> = { ...device }
  const named: Named = { links: [], given: {} }
  let until: string | null = null
  for (const rule of RULES) {
    const label = rule.find(([key]) => key === 'LABEL')?.[2]
    if (until !== null && label !== until) continue
    until = null
    const holds = rule
      .filter(([, operator]) => operator === '==' || operator === '!=')
      .every(([key, operator, value]) => fits(known[key] ?? '', value) === (operator === '=='))
    if (!holds) continue
    for (const [key, operator, value] of rule) {
      if (operator !== '=' && operator !== '+=') continue
      const said = value.replaceAll(/\$env\{(\w+)\}/g, (_, name: string) => known[`ENV{${name}}`] ?? '')
      if (key === 'GOTO') until = said
      else if (key === 'SYMLINK') named.links.push(said)
      else if (key !== 'LABEL' && !key.startsWith('IMPORT')) named.given[key] = said
      if (key.startsWith('ENV{')) known[key] = said
    }
  }
  return named
}

const tty = (vendor: string, model: string, more: Device = {}): Device => ({
  ACTION: 'add',
  SUBSYSTEM: 'tty',
  KERNEL: 'ttyACM0',
  'ENV{ID_VENDOR_ID}': vendor,
  'ENV{ID_MODEL_ID}': model,
  'ENV{ID_SERIAL_SHORT}': 'A1B2',
  'ENV{ID_PATH}': 'platform-fd500000.pcie-usb-0:1.2:1.0',
  ...more
})

/** The numbers by which boards of the two firmwares show, as their board files and the drivers of the bridges have them. */
const BOARDS: [vendor: string, models: string, name: string, boards: string][] = [
  ['303a', '1001 0002 80d6', 'esp32', 'the USB of the ESP32-S3: Heltec V4 and others'],
  ['239a', '8029 0029 002a 802a 4405 4404 0071 00b3 009f', 'nrf52', 'boards of the nRF52: RAK4631, T-Echo'],
  ['2886', '1667 1668 0059 0057 0044 0166 8044', 'seeed', 'Seeed: T1000-E, XIAO'],
  ['2e8a', '000a 000f', 'rp2040', 'the USB of the RP2040 and RP2350: Pico'],
  ['16d0', '1178', 'lora', 'a board with a number of its own'],
  ['10c4', 'ea60 ea70 ea71', 'cp210x', 'CP210x: Heltec V3, T-Beam, Station G2'],
  ['1a86', '7523 55d3 55d4', 'ch34x', 'CH34x: T-LoRa, T-Deck, T-Beam'],
  ['0403', '6001 6015', 'ftdi', 'FT232 and FT231X'],
  ['067b', '2303 23a3', 'pl2303', 'PL2303']
]

t.test('each known board has a name by its number and one by its socket, and belongs to dialout', async (t) => {
  for (const [vendor, models, name, boards] of BOARDS) {
    for (const model of models.split(' ')) {
      const { links, given } = walk(tty(vendor, model))
      t.same(
        links,
        [`radio/${name}-A1B2`, 'radio/port-platform-fd500000.pcie-usb-0:1.2:1.0'],
        `${boards}, ${vendor}:${model}`
      )
      t.match(given, { GROUP: 'dialout', MODE: '0660', 'ENV{ID_MM_DEVICE_IGNORE}': '1', 'ENV{ID_MM_PORT_IGNORE}': '1' })
    }
  }
})

t.test('the rules name no board that is not in this table', (t) => {
  const named = RULES.flatMap((rule) =>
    rule.filter(([key, operator]) => key === 'ENV{LOOKOUT_BOARD}' && operator === '=')
  )
  t.same(named.map(([, , name]) => name).sort(), BOARDS.map(([, , name]) => name).sort())
  t.end()
})

t.test('a board without a number of its own has the name of its socket alone', (t) => {
  t.same(walk(tty('10c4', 'ea60', { 'ENV{ID_SERIAL_SHORT}': '' })).links, [
    'radio/port-platform-fd500000.pcie-usb-0:1.2:1.0'
  ])
  t.end()
})

t.test('what is no radio, no serial port or goes away gets neither a name nor rights', (t) => {
  const nothing: Named = { links: [], given: {} }
  for (const [what, device] of [
    ['a modem', tty('12d1', '1506')],
    ['another device of a maker of bridges', tty('10c4', '8a2a')],
    ['a console of the board', tty('10c4', 'ea60', { KERNEL: 'ttyAMA0' })],
    ['the disk of a board that waits for a new firmware', tty('239a', '0029', { SUBSYSTEM: 'block', KERNEL: 'sda' })],
    ['a board that is pulled', tty('239a', '8029', { ACTION: 'remove' })]
  ] as const)
    t.same(walk(device), nothing, what)
  t.end()
})

t.test('a button that gives the key PROG1 and no other is the one of the station', (t) => {
  const key = (capabilities: string): Device => ({
    ACTION: 'add',
    SUBSYSTEM: 'input',
    KERNEL: 'event3',
    'ATTRS{capabilities/key}': capabilities
  })
  t.match(walk(key('100000 0 0')).given, { 'ENV{SYSTEMD_WANTS}': 'lookout-button@%k.service', TAG: 'systemd' })
  t.same(walk(key('402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe')).given, {}, 'a keyboard')
  // Bit 148 of a row of words of 64 bits, the last of which is the first.
  t.equal((148n / 64n).toString(), String('100000 0 0'.split(' ').length - 1))
  t.equal(1n << (148n % 64n), BigInt('0x100000'))
  t.end()
})

const verifies = spawnSync('udevadm', ['verify', '--help']).status === 0
t.test(
  'udev itself finds no fault in the rules',
  { skip: verifies ? false : 'udevadm has no verify here: it comes with systemd 254' },
  (t) => {
    const { status, stdout, stderr } = spawnSync('udevadm', ['verify', FILE], { encoding: 'utf8' })
    t.equal(status, 0, `${stdout}${stderr}`)
    t.end()
  }
)
