import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { SSID, WIFI_PASSPHRASE } from '../../src/settings/hotspot-wish.ts'
import { BOARD, PROBES } from '../helpers/captive-probes.ts'
import { DEPLOY, installStation } from '../helpers/installed.ts'
import { builtProgram, Machine, machineMissing, type Outcome } from '../helpers/machine.ts'
import { eventually } from '../helpers/process.ts'

/**
 * The hotspot as it is installed, on a systemd of its own: the station's wish, the helper of root, firewall, dnsmasq, the built program. Its Wi-Fi
 * is a bridge whose ports are kept apart, as `ap-isolation` does it in an access point; phones and a host of the network behind the station
 * are namespaces. NetworkManager alone is stood in for: there is no Wi-Fi here (docs/decisions/0037).
 */

const missing = ['dnsmasq', 'nft', 'busybox', 'curl', 'ip'].filter(
  (name) => spawnSync(name, ['--help']).error !== undefined
)
const skip = missing.length > 0 ? `not installed: ${missing.join(', ')}` : machineMissing()

const WISH = { on: true, ssid: 'Hill station', passphrase: `quiet "owl" $HOME & 'co'`, country: 'US', channel: 11 }

/** In the place of NetworkManager: the address that its profile names, on the interface that it names. */
const NMCLI = `#!/bin/sh
profile=/run/NetworkManager/system-connections/lookout-hotspot.nmconnection
case "$*" in
  *"connection up lookout-hotspot") ip addr replace "$(sed -n 's/^address1=//p' $profile)" dev "$(sed -n 's/^interface-name=//p' $profile)" ;;
  *"connection down lookout-hotspot") ip addr flush dev guests0 ;;
esac
`
const UDHCPC = `#!/bin/sh
[ "$1" = bound ] || exit 0
ip addr flush dev "$interface"; ip addr add "$ip/$mask" dev "$interface"; ip route replace default via "$router"
echo "nameserver $dns" >"$RESOLV"
echo "ip=$ip router=$router dns=$dns ntpsrv=$ntpsrv opt114=$opt114"
`

function must(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 30_000 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? stderr}`)
  return stdout
}

/** A device in a network of its own, with a cable into the machine. */
class Device {
  readonly space: string
  readonly #resolv: string

  constructor(t: Test, machine: Machine, name: string) {
    this.space = `lookout-${process.pid}-${name}`
    this.#resolv = join('/etc/netns', this.space)
    must('ip', 'netns', 'add', this.space)
    t.teardown(() => {
      spawnSync('ip', ['netns', 'delete', this.space])
      rmSync(this.#resolv, { recursive: true, force: true })
    })
    mkdirSync(this.#resolv, { recursive: true })
    writeFileSync(join(this.#resolv, 'resolv.conf'), '')
    must('ip', '-n', this.space, 'link', 'add', 'net0', 'type', 'veth', 'peer', 'name', name, 'netns', machine.leader)
    must('ip', '-n', this.space, 'link', 'set', 'lo', 'up')
    must('ip', '-n', this.space, 'link', 'set', 'net0', 'up')
  }

  run(command: string, ...args: string[]): Outcome {
    const words = ['netns', 'exec', this.space, command, ...args]
    const { status, stdout, stderr } = spawnSync('ip', words, { encoding: 'utf8', timeout: 30_000 })
    return { status, stdout, stderr }
  }

  /** Asks for an address as phones do; the words of the offer. */
  join(script: string): string {
    const file = join(this.#resolv, 'resolv.conf')
    const words = [
      'netns',
      'exec',
      this.space,
      'busybox',
      'udhcpc',
      '-i',
      'net0',
      '-n',
      '-q',
      '-t',
      '8',
      '-O',
      '114',
      '-O',
      'ntpsrv',
      '-s',
      script
    ]
    const { stdout, stderr } = spawnSync('ip', words, {
      encoding: 'utf8',
      timeout: 30_000,
      env: { ...process.env, RESOLV: file }
    })
    if (!stdout.includes('ip=')) throw new Error(`no address: ${stdout}${stderr}`)
    return stdout
  }

  /** The status of an answer and where it leads; `000` where none came. */
  look(url: string, ...more: string[]): string {
    return this.run(
      'curl',
      '-s',
      '-m',
      '5',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code} %{redirect_url}',
      ...more,
      url
    ).stdout.trim()
  }

  /** A program that takes connections there, until the test ends. */
  listen(t: Test, port: number): void {
    listening(t, ['ip', 'netns', 'exec', this.space], port)
  }

  reaches(address: string, port: number): boolean {
    return isReached(this.run(...CALL, `http://${address}:${port}/`))
  }
}

const LOOKOUT = 'cd /opt/lookout/current && bin/node dist/lookout.js'
const CALL = ['curl', '-s', '-m', '2', '-o', '/dev/null'] as const

/** The exit codes of curl for a connection that was made: an answer, none, one that broke off. */
const isReached = ({ status }: Outcome): boolean => [0, 52, 56].includes(status ?? -1)

const addressOf = (device: Device): string =>
  /inet (10\.42\.0\.\d+)/.exec(device.run('ip', '-4', 'addr', 'show', 'net0').stdout)?.[1] ?? ''

function listening(t: Test, within: readonly string[], port: number): void {
  const [command = '', ...words] = [
    ...within,
    process.execPath,
    '-e',
    `require('net').createServer(s=>s.destroy()).listen(${port})`
  ]
  const child = spawn(command, words, { stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
}

function prepare(root: string): void {
  installStation(root, { station: { name: 'Hill' } })
  for (const unit of ['.service', '.path', '-dns.service', '-rules.service'].map((end) => `lookout-hotspot${end}`))
    writeFileSync(join(root, 'etc/systemd/system', unit), readFileSync(join(DEPLOY, 'systemd', unit)))
  mkdirSync(join(root, 'etc/systemd/system/lookout-hotspot.service.d'))
  writeFileSync(
    join(root, 'etc/systemd/system/lookout-hotspot.service.d/test.conf'),
    '[Unit]\nAfter=\nWants=\n[Service]\nEnvironment=LOOKOUT_HOTSPOT_INTERFACE=guests0\nExecStartPre=\n'
  )
  mkdirSync(join(root, 'etc/tmpfiles.d'), { recursive: true })
  writeFileSync(join(root, 'etc/tmpfiles.d/nm.conf'), 'd /run/NetworkManager/system-connections 0700\n')
  writeFileSync(join(root, 'usr/bin/nmcli'), NMCLI)
  chmodSync(join(root, 'usr/bin/nmcli'), 0o755)
}

/** Asks the station from its own machine, as a script there does. */
function api(machine: Machine, method: string, body?: object): Record<string, unknown> {
  const script = `curl -s -m 5 -X ${method} -H "Authorization: Bearer $(cat /var/lib/lookout/local.token)" -H 'Content-Type: application/json' ${body === undefined ? '' : '--data @-'} http://127.0.0.1:8080/api/hotspot`
  const { stdout } = machine.run(
    'sh',
    '-c',
    body === undefined ? script : `cat <<'EOF' | ${script}\n${JSON.stringify(body)}\nEOF`
  )
  return stdout === '' ? {} : (JSON.parse(stdout) as Record<string, unknown>)
}

/** The rules of the hotspot that are loaded, without their counters. */
const tables = (machine: Machine): string[] =>
  ['inet', 'netdev']
    .map((family) => machine.run('nft', '-s', 'list', 'table', family, 'lookout_hotspot').stdout)
    .filter((table) => table !== '')

async function switched(machine: Machine, to: string): Promise<void> {
  let last: Record<string, unknown> = {}
  await eventually(`the hotspot is ${to}`, () => {
    last = api(machine, 'GET')
    return last['state'] === to && last['changing'] === false
  }).catch((error: unknown) => {
    throw new Error(
      `${error}\n${JSON.stringify(last)}\n${machine.journal('lookout-hotspot')}\n${machine.journal('lookout-hotspot-dns')}`
    )
  })
}

t.test('the hotspot on a systemd of its own', { skip }, async (t) => {
  const units = ['lookout.service', 'lookout-hotspot.service', 'lookout-hotspot.path']
  const machine = await Machine.start({ prepare, binds: builtProgram(), units })
  t.teardown(() => machine.end())
  const [one, two, lan] = ['one', 'two', 'lan'].map((name) => new Device(t, machine, name)) as [Device, Device, Device]
  for (const line of [
    'ip link add guests0 type bridge',
    'ip link set guests0 up',
    ...['one', 'two'].flatMap((port) => [
      `ip link set ${port} master guests0 up`,
      `bridge link set dev ${port} isolated on`
    ]),
    // The network behind the station, and somebody who made a router of it.
    'ip addr add 192.168.77.2/24 dev lan',
    'ip link set lan up',
    'sysctl -qw net.ipv4.ip_forward=1'
  ]) {
    const { status, stderr } = machine.run('sh', '-c', line)
    if (status !== 0) throw new Error(`${line}: ${stderr}`)
  }
  must('ip', '-n', lan.space, 'addr', 'add', '192.168.77.9/24', 'dev', 'net0')
  must('ip', '-n', lan.space, 'route', 'add', 'default', 'via', '192.168.77.2')
  await eventually(
    'the station answers',
    async () => (await machine.get('http://127.0.0.1:8080/api/health'))?.status === 200
  )
  await switched(machine, 'off')
  const script = join(t.testdir({ udhcpc: UDHCPC }), 'udhcpc')
  chmodSync(script, 0o755)

  t.test('the wish of the operator is fulfilled by root, and noted', async (t) => {
    t.equal(
      machine.run(
        'curl',
        '-s',
        '-X',
        'PUT',
        '-H',
        'Content-Type: application/json',
        '-d',
        '{"on":true}',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        'http://127.0.0.1:8080/api/hotspot'
      ).stdout,
      '401'
    )
    api(machine, 'PUT', WISH)
    await switched(machine, 'on')
    const profile = join(machine.root, 'run/NetworkManager/system-connections/lookout-hotspot.nmconnection')
    const text = readFileSync(profile, 'utf8')
    t.equal(statSync(profile).mode & 0o777, 0o600)
    t.match(text, `\nssid=${WISH.ssid}\n`)
    t.ok(text.includes(`\npsk=${WISH.passphrase}\n`), 'as it was typed: no shell read it')
    t.match(text, '\nap-isolation=1\n')
    t.match(text, '\nmethod=manual\n')
    t.notMatch(machine.run('cat', '/run/lookout-hotspot/state').stdout, 'owl', 'the pass phrase is told nobody')
    t.match(readFileSync(join(machine.root, 'var/lib/lookout/audit.log'), 'utf8'), /audit_hotspot_on/)
  })

  t.test('a phone gets address, names, time server and the address of the portal', async (t) => {
    const offer = one.join(script)
    t.match(offer, /ip=10\.42\.0\.\d+ router=10\.42\.0\.1 dns=10\.42\.0\.1 ntpsrv=10\.42\.0\.1/)
    t.match(offer, Buffer.from('http://lookout.lan/api/captive-portal').toString('hex'))
    two.join(script)
  })

  t.test('twelve probes of five families lead to the board; after "Stay connected" each is content', async (t) => {
    for (const [url] of PROBES) t.equal(one.look(url), `302 ${BOARD}`, url)
    t.match(
      one.run('curl', '-s', '-L', 'http://captive.apple.com/hotspot-detect.html').stdout,
      /action="\/alerts\/continue"/
    )
    t.equal(one.look('http://lookout.lan/alerts/continue', '-X', 'POST', '-d', ''), '303 http://lookout.lan/alerts')
    for (const [url, status] of PROBES) t.equal(one.look(url), status, url)
    t.equal(
      two.look('http://captive.apple.com/hotspot-detect.html'),
      `302 ${BOARD}`,
      'the other phone is not let go by that'
    )
  })

  t.test('the alerts are there under every name of the station, by port 80', async (t) => {
    for (const name of ['lookout.lan', 'lookout.local', '10.42.0.1', 'lookout.lan:8080'])
      t.equal(one.look(`http://${name}/alerts`), '200', name)
  })

  t.test('whatever needs HTTPS fails at once', async (t) => {
    const { stdout } = one.run(
      'curl',
      '-s',
      '-m',
      '5',
      '-o',
      '/dev/null',
      '-w',
      '%{exitcode} %{time_total}',
      'https://www.google.com/generate_204'
    )
    const [code, seconds] = stdout.split(' ').map(Number)
    t.equal(code, 7, 'refused')
    t.ok((seconds ?? 9) < 1)
  })

  t.test('a phone reaches neither the other, nor the network behind, nor a port of a radio', async (t) => {
    listening(t, ['nsenter', '-t', machine.leader, '-n'], 4403)
    lan.listen(t, 8088)
    two.listen(t, 8088)
    await eventually('the radio and the host behind are there', () => {
      return lan.reaches('192.168.77.2', 4403) && isReached(machine.run(...CALL, 'http://192.168.77.9:8088/'))
    })
    const other = addressOf(two)
    await eventually('the other phone listens', () => two.reaches(other, 8088))

    t.notOk(one.reaches('10.42.0.1', 4403), 'a port of a radio, at the hotspot')
    t.notOk(one.reaches('192.168.77.2', 4403), 'and at the other address of the station')
    t.notOk(one.reaches('192.168.77.2', 8080), 'nor its pages there')
    t.notOk(one.reaches('192.168.77.9', 8088), 'the network behind')
    t.notOk(one.reaches(other, 8088), 'the other phone, as a neighbour')
    must('ip', '-n', one.space, 'route', 'add', `${other}/32`, 'via', '10.42.0.1')
    t.notOk(one.reaches(other, 8088), 'and by way of the station')
    t.notOk(lan.reaches(other, 8088), 'nor does the network behind reach a phone')
    t.ok(one.reaches('10.42.0.1', 8080), 'the pages it does')
  })

  t.test('guests stay apart where neither the access point nor the firewall keeps them so', async (t) => {
    const other = addressOf(two)
    two.listen(t, 8088)
    await eventually('the other phone listens', () => two.reaches(other, 8088))
    const asRoot = (line: string): void => {
      const { status, stderr } = machine.run('sh', '-c', line)
      if (status !== 0) throw new Error(`${line}: ${stderr}`)
    }
    asRoot('systemctl stop lookout-hotspot-rules')
    // A router that answers for others and passes on: all that somebody can make of the station.
    asRoot('sysctl -qw net.ipv4.conf.guests0.proxy_arp_pvlan=1 net.ipv4.neigh.guests0.proxy_delay=0')
    asRoot('nft delete table inet lookout_hotspot')
    one.run('ip', 'neigh', 'flush', 'all')
    t.notOk(one.reaches(other, 8088), 'by way of the station')
    spawnSync('ip', ['-n', one.space, 'route', 'del', `${other}/32`])
    t.notOk(one.reaches(other, 8088), 'nor does the station answer for its guest')
    asRoot('nft delete table netdev lookout_hotspot')
    one.run('ip', 'neigh', 'flush', 'all')
    two.run('ip', 'neigh', 'flush', 'all')
    t.ok(one.reaches(other, 8088), 'without the rules between guests it does')
    asRoot('systemctl start lookout-hotspot-rules')
    await eventually('both tables are back', () => tables(machine).length === 2)
    asRoot('sysctl -qw net.ipv4.conf.guests0.proxy_arp_pvlan=0')
    one.run('ip', 'neigh', 'flush', 'all')
  })

  t.test('nothing is sent to a guest but what the station sent itself', async (t) => {
    const own = machine.run('cat', '/sys/class/net/guests0/address').stdout.trim()
    t.ok(one.reaches('10.42.0.1', 8080))
    machine.run('ip', 'link', 'set', 'guests0', 'address', '02:00:00:00:00:99')
    one.run('ip', 'neigh', 'flush', 'all')
    t.notOk(one.reaches('10.42.0.1', 8080), 'with the address of another')
    machine.run('ip', 'link', 'set', 'guests0', 'address', own)
    one.run('ip', 'neigh', 'flush', 'all')
    t.ok(one.reaches('10.42.0.1', 8080))
  })

  t.test('doctor says whether it gives out names, and whether the rules between guests are loaded', async (t) => {
    const finding = (): { state: string; detail: string } | undefined => {
      const { stdout } = machine.run('sh', '-c', `${LOOKOUT} doctor --json --data /var/lib/lookout`)
      const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; detail: string }[] }
      return findings.find(({ check }) => check === 'hotspot')
    }
    t.match(finding(), { state: 'ok', detail: /are loaded/ })
    machine.run('systemctl', 'stop', 'lookout-hotspot-dns')
    t.match(finding(), { state: 'missing', detail: /nothing gives out addresses and names: sudo systemctl restart/ })
    machine.run('systemctl', 'start', 'lookout-hotspot-dns')
    machine.run('sh', '-c', 'systemctl stop lookout-hotspot-rules; nft delete table netdev lookout_hotspot')
    t.match(finding(), { state: 'missing', detail: /systemctl start lookout-hotspot/ })
    machine.run('systemctl', 'start', 'lookout-hotspot-rules')
    await eventually('both tables are back', () => tables(machine).length === 2)
    t.match(finding(), { state: 'ok' })
  })

  t.test(
    'rules that somebody clears away are back at once: another firewall that starts, or a rule of them',
    async (t) => {
      const listed = (): string => tables(machine).join('')
      const whole = listed()
      t.match(whole, /from guest to guest/)
      writeFileSync(
        join(machine.root, 'run/systemd/system/nftables.service'),
        '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/usr/sbin/nft flush ruleset\nExecStop=/usr/sbin/nft flush ruleset\n'
      )
      machine.run('systemctl', 'daemon-reload')
      for (const line of [
        'systemctl start nftables',
        'systemctl restart nftables',
        'systemctl stop nftables',
        'nft flush ruleset',
        'nft flush chain inet lookout_hotspot reach',
        'nft delete table netdev lookout_hotspot'
      ]) {
        const { status, stderr } = machine.run('sh', '-c', line)
        t.equal(status, 0, `${line}: ${stderr}`)
        await eventually(`the rules are back after: ${line}`, () => listed() === whole)
      }
      listening(t, ['nsenter', '-t', machine.leader, '-n'], 4403)
      t.notOk(one.reaches('10.42.0.1', 4403))
      t.ok(one.reaches('10.42.0.1', 8080), 'a phone still sees the pages')
      t.match(machine.journal('lookout-hotspot-rules'), /cleared away or changed; they are loaded again/)
    }
  )

  t.test('whoever puts them back is started again when it ends, and finds what went meanwhile', async (t) => {
    const before = machine.show('lookout-hotspot-rules', 'MainPID')
    machine.run('sh', '-c', `kill -9 ${before}; nft flush ruleset`)
    await eventually('both tables are back', () => tables(machine).length === 2)
    t.not(machine.show('lookout-hotspot-rules', 'MainPID'), before)
  })

  t.test('the time is served under the names that phones ask', async (t) => {
    const ask = `const s=require('dgram').createSocket('udp4');const q=Buffer.alloc(48);q[0]=0x23;s.send(q,123,'time.apple.com');
s.on('message',(m)=>{console.log(m[1],m.readUInt32BE(40)-2208988800);process.exit()});setTimeout(()=>process.exit(1),5000)`
    const [stratum, seconds] = one.run(process.execPath, '-e', ask).stdout.split(' ').map(Number)
    t.equal(stratum, 10)
    t.ok(Math.abs((seconds ?? 0) - Date.now() / 1000) < 5)
  })

  t.test('lookout.local is answered by multicast', async (t) => {
    const ask = `const d=require('dgram').createSocket({type:'udp4',reuseAddr:true});
const q=Buffer.concat([Buffer.from([0,0,0,0,0,1,0,0,0,0,0,0,7]),Buffer.from('lookout'),Buffer.from([5]),Buffer.from('local'),Buffer.from([0,0,1,128,1])]);
d.bind(0,()=>{d.setMulticastInterface(process.argv[1]);d.send(q,5353,'224.0.0.251')});
d.on('message',(m)=>{console.log([...m.subarray(-4)].join('.'));process.exit()});setTimeout(()=>process.exit(1),5000)`
    const own = addressOf(one)
    t.equal(one.run(process.execPath, '-e', ask, own).stdout.trim(), '10.42.0.1')
  })

  t.test('a wish that comes while root still works at the one before is fulfilled too', async (t) => {
    const nmcli = join(machine.root, 'usr/bin/nmcli')
    writeFileSync(nmcli, NMCLI.replace('profile=', 'sleep 2\nprofile='))
    api(machine, 'PUT', { on: true, channel: 6 })
    await eventually('root works at it', () => machine.show('lookout-hotspot', 'ActiveState') === 'activating')
    api(machine, 'PUT', { on: true, channel: 1 })
    await switched(machine, 'on')
    const profile = join(machine.root, 'run/NetworkManager/system-connections/lookout-hotspot.nmconnection')
    t.match(readFileSync(profile, 'utf8'), '\nchannel=1\n')
    writeFileSync(nmcli, NMCLI)
  })

  t.test('a hotspot whose rules cannot be put back is switched off', async (t) => {
    const refusing = `printf '#!/bin/sh\\ncase " $* " in *" -f "*) exit 1 ;; esac\\nexec /usr/sbin/nft.real "$@"\\n' >/usr/sbin/nft`
    machine.run('sh', '-c', `mv /usr/sbin/nft /usr/sbin/nft.real && ${refusing} && chmod 755 /usr/sbin/nft`)
    t.equal(machine.run('nft', 'flush', 'ruleset').status, 0)
    await eventually('it says so', () =>
      machine.run('cat', '/run/lookout-hotspot/state').stdout.includes('state=failed\nreason=firewall_refused\n')
    )
    for (const unit of ['lookout-hotspot-dns', 'lookout-hotspot-rules'])
      t.equal(machine.show(unit, 'ActiveState'), 'inactive', unit)
    machine.run('mv', '-f', '/usr/sbin/nft.real', '/usr/sbin/nft')
    machine.run('systemctl', 'start', 'lookout-hotspot.service')
    await switched(machine, 'on')
  })

  t.test('switched off, nothing of it stays', async (t) => {
    api(machine, 'PUT', { on: false })
    await switched(machine, 'off')
    for (const family of ['inet', 'netdev'])
      t.not(machine.run('nft', 'list', 'table', family, 'lookout_hotspot').status, 0, family)
    for (const unit of ['lookout-hotspot-dns', 'lookout-hotspot-rules'])
      t.equal(machine.show(unit, 'ActiveState'), 'inactive', unit)
    t.not(machine.run('test', '-e', '/run/NetworkManager/system-connections/lookout-hotspot.nmconnection').status, 0)
  })

  t.test('a wish of another form is refused by root too, whoever wrote it', async (t) => {
    for (const [line, reason] of [
      ['state=on\nssid=Hill\npassphrase=long enough\nwep=1', 'wish_not_understood'],
      ['state=on\nssid=Hill\\npsk=x\npassphrase=long enough', 'wish_not_understood'],
      ['state=on\nssid=$(reboot)\npassphrase=long enough', 'wish_not_understood'],
      ['state=on\nssid=Hill\npassphrase=short', 'wish_not_understood'],
      ['state=on\nssid=Hill', 'wish_incomplete']
    ] as const) {
      writeFileSync(join(machine.root, 'var/lib/lookout/hotspot'), `${line}\n`)
      machine.run('systemctl', 'start', 'lookout-hotspot.service')
      t.match(machine.run('cat', '/run/lookout-hotspot/state').stdout, `state=failed\nreason=${reason}\n`, line)
    }
    machine.run('sh', '-c', 'rm /var/lib/lookout/hotspot; ln -s /etc/shadow /var/lib/lookout/hotspot')
    machine.run('systemctl', 'start', 'lookout-hotspot.service')
    t.match(machine.run('cat', '/run/lookout-hotspot/state').stdout, /^state=off$/m, 'a link is no wish')
  })
})

t.test('the page takes the names and pass phrases that root takes', async (t) => {
  for (const [text, fits] of [
    ['Hill station', true],
    ['a', true],
    [' Hill', false],
    ['Hill;', false],
    ['x'.repeat(32), true],
    ['x'.repeat(33), false],
    ['Hütte', false]
  ] as const)
    t.equal(SSID.test(text), fits, text)
  const root =
    /passphrase=\*\) fits "\$value" '(.*)' &&/.exec(
      readFileSync(join(DEPLOY, 'hotspot/lookout-hotspot'), 'utf8')
    )?.[1] ?? ''
  for (const text of [
    'abc defgh',
    'short',
    'a[b]c^d~efg',
    'with;semicolon',
    'back\\slash12',
    '12345678',
    ' leading12',
    'trailing12 ',
    'pass&word@x',
    WISH.passphrase,
    'x'.repeat(63),
    'x'.repeat(64),
    'ümlaute sind'
  ]) {
    const { status } = spawnSync('grep', ['-Eqx', '--', root], {
      input: `${text}\n`,
      env: { ...process.env, LC_ALL: 'C' }
    })
    t.equal(WIFI_PASSPHRASE.test(text), status === 0, text)
  }
})
