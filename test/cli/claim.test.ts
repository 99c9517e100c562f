import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import type { NetworkInterfaceInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { claimFile, keepClaim, removeClaimFile, writeClaimFile } from '../../src/cli/claim-file.ts'
import { addressForPhones, claimPicture } from '../../src/cli/claim-picture.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { eventually } from '../helpers/process.ts'

const OF_IPV4 = { family: 'IPv4', netmask: '', mac: '', cidr: null, internal: false } as const
const INTERFACES: NodeJS.Dict<NetworkInterfaceInfo[]> = {
  lo: [{ ...OF_IPV4, address: '127.0.0.1', internal: true }],
  usb0: [{ ...OF_IPV4, address: '169.254.3.1' }],
  wlan0: [{ ...OF_IPV4, address: '10.42.0.1' }]
}

t.test('the file for the claim code is the named one, or on the boot partition where there is one', (t) => {
  const boot = t.testdir({})
  t.equal(claimFile(undefined, join(boot, 'none')), null)
  t.equal(claimFile(undefined, boot), join(boot, 'lookout-claim.txt'))
  t.equal(claimFile('/elsewhere', boot), '/elsewhere')
  t.equal(claimFile('off', boot), null)
  t.end()
})

t.test(
  'it holds the code and where to type it in, for its owner alone, and goes when somebody has claimed',
  async (t) => {
    const file = join(t.testdir({}), 'lookout-claim.txt')
    await writeClaimFile(file, { code: '7KQM-3FXB', url: 'http://10.42.0.1:8080' })
    t.match(readFileSync(file, 'utf8'), /7KQM-3FXB\r\n.*http:\/\/10\.42\.0\.1:8080\/sign-in/)
    t.equal(statSync(file).mode & 0o777, 0o600)
    await removeClaimFile(file)
    t.notOk(existsSync(file))
    await removeClaimFile(file)
    await removeClaimFile('/no/such/folder/file')
  }
)

t.test('without a network it names the machine, and its address there when one is up', async (t) => {
  const file = join(t.testdir({}), 'claim.txt')
  const clock = new VirtualClock(0)
  let address: string | null = null
  const kept = {
    code: '7KQM-3FXB',
    url: 'http://0.0.0.0:8080',
    clock,
    interfaces: () => address,
    name: 'lookout',
    onError: (error: unknown) => t.fail(String(error))
  }
  await keepClaim(file, kept)
  t.match(readFileSync(file, 'utf8'), 'http://lookout.local:8080/sign-in')
  await clock.runTo(60_000)
  t.match(readFileSync(file, 'utf8'), 'lookout.local')
  address = 'http://10.42.0.1:8080'
  await clock.runTo(70_000)
  await eventually('it is written anew', () => readFileSync(file, 'utf8').includes('http://10.42.0.1:8080/sign-in'))
  t.equal(clock.waiting, 0)
  address = null
  await keepClaim(file, kept)
  unlinkSync(file)
  await clock.runTo(120_000)
  t.notOk(existsSync(file), 'once claimed it is not written again')
})

t.test('a phone is given the address of this machine in its network, and none where it reaches nothing', (t) => {
  t.equal(addressForPhones('http://0.0.0.0:8080', INTERFACES), 'http://10.42.0.1:8080')
  t.equal(addressForPhones('http://[::]:80', INTERFACES), 'http://10.42.0.1')
  t.equal(addressForPhones('http://192.168.4.1:8080', INTERFACES), 'http://192.168.4.1:8080')
  t.equal(addressForPhones('http://127.0.0.1:8080', INTERFACES), null)
  t.equal(addressForPhones('http://0.0.0.0:8080', {}), null)
  t.end()
})

/** The script that root runs beside the station, on files of a test; answers the text on the card. */
function onTheCard(folder: string, name = 'lookout-claim.txt', surroundings: NodeJS.ProcessEnv = {}): string | null {
  const script = fileURLToPath(new URL('../../deploy/systemd/lookout-claim', import.meta.url))
  const env = {
    PATH: process.env['PATH'],
    LOOKOUT_CLAIM_FROM: join(folder, 'claim.txt'),
    LOOKOUT_CLAIM_BOOT: join(folder, 'boot'),
    LOOKOUT_CLAIM_ANSWERS: join(folder, 'answers'),
    LOOKOUT_CLAIM_CMDLINE: join(folder, 'running'),
    ...surroundings
  }
  const { status, stderr } = spawnSync(script, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const card = join(folder, 'boot', name)
  return existsSync(card) ? readFileSync(card, 'utf8') : null
}

t.test('beside the unit the file is copied to the card, and goes from there with it', async (t) => {
  const folder = t.testdir({ boot: {} })
  t.equal(onTheCard(folder), null, 'none yet')
  for (const url of ['http://10.42.0.1:8080', 'https://lookout.lan', 'http://[fd00::1]:80']) {
    await writeClaimFile(join(folder, 'claim.txt'), { code: '7KQM-3FXB', url })
    t.equal(onTheCard(folder), readFileSync(join(folder, 'claim.txt'), 'utf8'), url)
  }
  t.same(readdirSync(join(folder, 'boot')), ['lookout-claim.txt'])
  await removeClaimFile(join(folder, 'claim.txt'))
  t.equal(onTheCard(folder), null)
  t.equal(onTheCard(t.testdir({})), null, 'a board without a boot partition')
})

t.test('a station that was broken into gets no file of root onto the card, only a code and an address', (t) => {
  const secret = 'root:$6$hash\nClaim code: 7KQM-3FXB\nType it in at http://a/sign-in\n'
  const folder = t.testdir({ boot: {}, shadow: secret, 'claim.txt': t.fixture('symlink', 'shadow') })
  t.equal(onTheCard(folder), null, 'a link is not followed')
  unlinkSync(join(folder, 'claim.txt'))
  for (const [name, text] of [
    ['no form of ours', 'root:$6$hash\n'],
    ['a code that is none', 'Claim code: $(reboot)\nType it in at http://a/sign-in\n'],
    ['an address that is none', 'Claim code: 7KQM-3FXB\nType it in at http://a/sign-in; rm\n']
  ] as const) {
    writeFileSync(join(folder, 'claim.txt'), text)
    t.equal(onTheCard(folder), null, name)
  }
  writeFileSync(join(folder, 'claim.txt'), secret)
  t.notMatch(onTheCard(folder), 'hash', 'what else stands there stays there')
  t.end()
})

const SETUP = '# Hill\r\nwifi passphrase = correct horse\r\nname = X\r\n'
const ANSWERS = {
  'report.txt': 'Read.\n- taken: name = X\n',
  'join.txt': 'Wi-Fi: Lookout-ABCD\n',
  hide: `${SETUP.indexOf(' correct')} 14\nit is gone\nit is still there\n`,
  profile: 'home\nfrom the next start\nby hand\n'
}
const CLAIM = 'Claim code: 7KQM-3FXB\nType it in at http://10.42.0.1:8080/sign-in\n'

t.test('what became of the set-up file stands on the card, with the claim code while nobody has claimed', (t) => {
  const folder = t.testdir({
    boot: { 'lookout-setup.txt': SETUP, 'cmdline.txt': 'root=LABEL=x ro lookout.profile=minimal_pi quiet\n' },
    answers: ANSWERS,
    running: 'root=LABEL=x ro\n',
    'claim.txt': CLAIM
  })
  const wanted = `Read.
- taken: name = X
- it is gone
- from the next start

Wi-Fi: Lookout-ABCD
Claim code: 7KQM-3FXB
Type it in at http://10.42.0.1:8080/sign-in
`.replaceAll('\n', '\r\n')
  t.equal(onTheCard(folder, 'lookout.txt'), wanted)
  t.equal(onTheCard(folder, 'lookout.txt'), wanted, 'and again, when the station has told its code')
  const setup = readFileSync(join(folder, 'boot/lookout-setup.txt'), 'utf8')
  t.equal(setup, SETUP.replace('correct horse', ' '.repeat(13)), 'in place: nothing else of the file is touched')
  t.equal(readFileSync(join(folder, 'boot/cmdline.txt'), 'utf8'), 'root=LABEL=x ro quiet lookout.profile=home\n')
  unlinkSync(join(folder, 'claim.txt'))
  t.notMatch(onTheCard(folder, 'lookout.txt'), /Claim code|Wi-Fi/, 'once somebody has claimed')
  t.same(readdirSync(join(folder, 'boot')), ['cmdline.txt', 'lookout-setup.txt', 'lookout.txt'])
  writeFileSync(join(folder, 'running'), 'root=LABEL=x ro quiet lookout.profile=home\n')
  t.notMatch(onTheCard(folder, 'lookout.txt'), 'next start', 'the next start was')
  unlinkSync(join(folder, 'answers/report.txt'))
  t.equal(onTheCard(folder, 'lookout.txt'), null, 'a start without a set-up file leaves no older words')
  t.end()
})

/** A `sync` for the script that does `meanwhile`, so that the station writes in the midst of it. */
function meanwhile(folder: string, script: string): NodeJS.ProcessEnv {
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/sync'), `#!/bin/sh\ncd '${folder}' || exit 1\n${script}\n`, { mode: 0o755 })
  return { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
}

t.test('what the station says while the card is written comes onto the card too, which systemd does not see', (t) => {
  const other = CLAIM.replace('7KQM-3FXB', '2222-3333')
  const folder = t.testdir({ boot: {}, 'claim.txt': CLAIM, 'next.txt': other, answers: {} })
  t.match(
    onTheCard(folder, 'lookout-claim.txt', meanwhile(folder, '[ ! -e next.txt ] || mv next.txt claim.txt')),
    /Claim code: 2222-3333/,
    'another code'
  )
  const claimed = t.testdir({ boot: {}, 'claim.txt': CLAIM })
  t.equal(onTheCard(claimed, 'lookout-claim.txt', meanwhile(claimed, 'rm -f claim.txt')), null, 'none any more')
  const read = t.testdir({ boot: {}, answers: { ...ANSWERS, 'new.txt': 'Read anew.\n' }, running: '' })
  t.match(
    onTheCard(read, 'lookout.txt', meanwhile(read, 'cd answers; [ ! -e new.txt ] || mv new.txt report.txt')),
    /^Read anew\./,
    'another report'
  )
  const restless = t.testdir({ boot: {}, 'claim.txt': CLAIM })
  const writes = 'echo >>claim.txt; echo >>written'
  t.throws(() => onTheCard(restless, 'lookout-claim.txt', meanwhile(restless, writes)), /changes again and again/)
  t.equal(readFileSync(join(restless, 'written'), 'utf8').length, 5, 'not for ever: systemd starts it again later')
  t.end()
})

t.test('a set-up file that is another by now loses nothing, and the sentence says that the pass phrase stays', (t) => {
  for (const text of ['name = X\n', `x${SETUP}`, SETUP.slice(0, 30)]) {
    const folder = t.testdir({ boot: { 'lookout-setup.txt': text }, answers: ANSWERS, running: '' })
    t.match(onTheCard(folder, 'lookout.txt'), /- it is still there\r\n- by hand\r\n$/, JSON.stringify(text))
    t.equal(readFileSync(join(folder, 'boot/lookout-setup.txt'), 'utf8'), text)
  }
  t.end()
})

t.test('a station that was broken into changes neither the words of the kernel nor other files', (t) => {
  const folder = t.testdir({
    boot: { 'lookout-setup.txt': SETUP, 'cmdline.txt': 'ro\n' },
    secret: 'root:$6$hash\n',
    answers: {
      'report.txt': t.fixture('symlink', '../secret'),
      hide: '0 999\na\nb\n',
      profile: 'home init=/bin/sh\na\nb\n'
    },
    running: ''
  })
  t.notMatch(onTheCard(folder, 'lookout.txt') ?? '', 'hash')
  unlinkSync(join(folder, 'answers/report.txt'))
  writeFileSync(join(folder, 'answers/report.txt'), 'Read.\u001b[2J\n')
  t.equal(onTheCard(folder, 'lookout.txt'), 'Read.[2J\r\n- b\r\n')
  t.equal(readFileSync(join(folder, 'boot/lookout-setup.txt'), 'utf8'), SETUP)
  t.equal(readFileSync(join(folder, 'boot/cmdline.txt'), 'utf8'), 'ro\n')
  t.end()
})

t.test('the QR code leads to the page with the code behind #, which no server is sent', async (t) => {
  const { generate } = await import('lean-qr')
  const wanted = generate('http://10.42.0.1:8080/sign-in#code=7KQM-3FXB')
  const lines = (await claimPicture('http://10.42.0.1:8080', '7KQM-3FXB'))
    .replaceAll('\u001b[97;40m', '')
    .replaceAll('\u001b[0m', '')
    .split('\n')
  const drawn = Array.from({ length: wanted.size }, (_, y) =>
    Array.from({ length: wanted.size }, (_, x) => {
      const half = lines[1 + Math.floor(y / 2)]?.[x + 2]
      return half === ' ' || half === (y % 2 === 0 ? '▄' : '▀')
    })
  )
  t.same(
    drawn,
    drawn.map((row, y) => row.map((_, x) => wanted.get(x, y)))
  )
})

t.test('the QR code fits a small terminal: half blocks, a light margin, the finders in three corners', async (t) => {
  const picture = await claimPicture('http://10.42.0.1:8080', '7KQM-3FXB')
  const lines = picture.replaceAll('\u001b[97;40m', '').replaceAll('\u001b[0m', '').trimEnd().split('\n')
  t.ok(lines.length <= 20 && lines.every((line) => line.length <= 40), `${lines.length} lines`)
  t.match(lines[0], /^█+$/)
  // A finder begins with seven dark cells, and a dark ring.
  t.equal(lines[1]?.slice(0, 10), '██ ▄▄▄▄▄ █')
  t.equal(lines[1]?.slice(-10), '█ ▄▄▄▄▄ ██')
})
