import { existsSync, readFileSync, statSync } from 'node:fs'
import type { NetworkInterfaceInfo } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { claimFile, removeClaimFile, writeClaimFile } from '../../src/cli/claim-file.ts'
import { addressForPhones, claimPicture } from '../../src/cli/claim-picture.ts'

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

t.test('a phone is given the address of this machine in its network, and none where it reaches nothing', (t) => {
  t.equal(addressForPhones('http://0.0.0.0:8080', INTERFACES), 'http://10.42.0.1:8080')
  t.equal(addressForPhones('http://[::]:80', INTERFACES), 'http://10.42.0.1')
  t.equal(addressForPhones('http://192.168.4.1:8080', INTERFACES), 'http://192.168.4.1:8080')
  t.equal(addressForPhones('http://127.0.0.1:8080', INTERFACES), null)
  t.equal(addressForPhones('http://0.0.0.0:8080', {}), null)
  t.end()
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
