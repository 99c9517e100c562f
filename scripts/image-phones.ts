/** Two phones in the hotspot of a booted image: docs/decisions/0064-phones-of-the-image.md. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { BOARD, PROBES } from '../test/helpers/captive-probes.ts'
import { keptApart } from './image-apart.ts'
import { type Board, CABLE, HOST_SEEN } from './image-board.ts'
import {
  AT,
  address,
  apart,
  fieldsOf,
  inside,
  joined,
  joining,
  lastLine,
  lineOf,
  node,
  ONE,
  PHONE_PORT,
  RADIO_PORT,
  STATION,
  status,
  supplicant,
  TWO,
  type Wifi
} from './image-phone-words.ts'

const UDHCPC = `#!/bin/sh
[ "$1" = bound ] || exit 0
ip addr flush dev "$interface"
ip addr add "$ip/$mask" dev "$interface"
ip route replace default via "$router"
echo "ip=$ip router=$router dns=$dns ntpsrv=$ntpsrv opt114=$opt114"
`

/** The second disk of the board: a tar with what phones need and the image has not. Answers its path. */
export function makeTools(work: string, wifi: Wifi): string {
  const folder = join(work, 'phones')
  mkdirSync(folder)
  copyFileSync(join(import.meta.dirname, 'image-phone.ts'), join(folder, 'image-phone.ts'))
  writeFileSync(join(folder, 'udhcpc'), UDHCPC, { mode: 0o755 })
  for (const phone of [ONE, TWO]) {
    writeFileSync(join(folder, `${phone.name}.conf`), joining(phone, wifi))
    writeFileSync(
      join(folder, `${phone.name}-wrong.conf`),
      joining(phone, { ...wifi, passphrase: 'not the pass phrase' })
    )
  }
  const task = {
    dns: STATION,
    own: 'OWN',
    names: ['lookout.lan', 'lookout.local', 'www.google.com'],
    probes: PROBES.map(([url]) => url),
    pages: ['lookout.lan', 'lookout.local', STATION, 'lookout.lan:8080'].map((name) => `http://${name}/alerts`),
    goOn: 'http://lookout.lan/alerts/continue'
  }
  writeFileSync(join(folder, 'task.json'), JSON.stringify(task))
  const file = join(work, 'tools.tar')
  execFileSync('tar', ['-cf', file, '-C', folder, '.'])
  return file
}

/** Someone in the network behind the station: this machine, as its guest sees it. */
async function hostBehind(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const own = server.address()
  return { server, port: typeof own === 'object' && own !== null ? own.port : 0 }
}

interface Seen {
  names: Record<string, string>
  multicast: string
  before: string[]
  going: string
  after: string[]
  pages: { url: string; saw: string; title: string }[]
  written: string
  https: string
  https_ms: number
  time: number | string
}

/** Faults of what a phone saw. */
function faultsOfSight(seen: Seen, title: string): string[] {
  const faults: string[] = []
  for (const [name, saw] of Object.entries({ ...seen.names, 'lookout.local by multicast': seen.multicast }))
    if (saw !== STATION) faults.push(`${name} is ${saw}`)
  for (const [nth, [url, wanted]] of PROBES.entries()) {
    if (seen.before[nth] !== `302 ${BOARD}`) faults.push(`${url} at first: ${seen.before[nth]}`)
    if (seen.after[nth] !== wanted) faults.push(`${url} after: ${seen.after[nth]} instead of ${wanted}`)
  }
  if (seen.going !== '303 /alerts') faults.push(`going on: ${seen.going}`)
  for (const { url, saw, title: found } of seen.pages)
    if (saw !== '200' || found !== title) faults.push(`${url}: ${saw}, "${found}" instead of "${title}"`)
  if (seen.written !== '401') faults.push(`a guest switches the hotspot: ${seen.written}`)
  if (seen.https !== 'ECONNREFUSED' || seen.https_ms > 5000) faults.push(`HTTPS: ${seen.https} in ${seen.https_ms} ms`)
  if (typeof seen.time !== 'number' || Math.abs(seen.time - Date.now() / 1000) > 120) faults.push(`time: ${seen.time}`)
  return faults
}

/** Somebody made a router of the station, for its cable: the firewall of the hotspot is all that is left. */
const ROUTER =
  'echo 1 >/proc/sys/net/ipv4/ip_forward; nft "add table ip away; add chain ip away out { type nat hook postrouting priority 100; }; add rule ip away out oifname eth0 masquerade"'
/** Until both tables are loaded, up to a minute. */
const RULES_BACK =
  'for n in $(seq 60); do nft list table inet lookout_hotspot >/dev/null 2>&1 && nft list table netdev lookout_hotspot >/dev/null 2>&1 && echo back && break; sleep 1; done'

/** Calls places from phone `one`. */
async function reaches(board: Board, places: readonly string[]): Promise<Record<string, string>> {
  return JSON.parse(lineOf(await board.ask(inside(ONE, node(`reach ${places.join(' ')}`))), '{')) as Record<
    string,
    string
  >
}

interface Look {
  /** Of an operator. */
  token: string
  wifi: Wifi
  /** Of an alert that stands on the board. */
  title: string
}

/** Joins the phones, lets them look, and answers the figures and whatever is not as it should be. */
export async function phonesIn(
  board: Board,
  { token, wifi, title }: Look
): Promise<{ figures: object; faults: string[] }> {
  const faults: string[] = []
  const expect = (what: string, holds: boolean, saw: unknown): void => {
    if (!holds) faults.push(`${what}: ${JSON.stringify(saw)}`)
  }
  // A file system of its own: nothing is run from /run. The kernel tells of every phone that joins, in the middle of what is asked.
  await board.ask('dmesg -n 1')
  await board.ask(`mkdir -p ${AT} && mount -t tmpfs -o mode=755 phones ${AT} && tar -xf /dev/vdb -C ${AT}`)
  await board.ask(apart(ONE))
  await board.ask(apart(TWO))

  await board.ask(supplicant(TWO, 'two-wrong'))
  const refused = await board.ask(
    `for n in $(seq 60); do grep -q WRONG_KEY ${AT}/two-wrong.log && break; sleep 1; done; ${status(TWO)}; grep -c WRONG_KEY ${AT}/two-wrong.log; kill $(cat ${AT}/two.pid); sleep 2`
  )
  expect('a wrong pass phrase', !refused.includes('COMPLETED') && Number(lastLine(refused)) > 0, refused)

  const offers = []
  for (const phone of [ONE, TWO]) {
    await board.ask(supplicant(phone, phone.name))
    const state = fieldsOf(await board.ask(joined(phone)))
    expect(`${phone.name} joins by WPA2`, state['wpa_state'] === 'COMPLETED' && state['key_mgmt'] === 'WPA2-PSK', state)
    expect(`${phone.name} has CCMP`, state['pairwise_cipher'] === 'CCMP', state)
    const offer = fieldsOf(lineOf(await board.ask(address(phone)), 'ip='))
    expect(`${phone.name} gets an address`, /^10\.42\.0\.\d+$/.test(offer['ip'] ?? ''), offer)
    expect(
      'router, names, time',
      [offer['router'], offer['dns'], offer['ntpsrv']].every((one) => one === STATION),
      offer
    )
    const portal = Buffer.from(offer['opt114'] ?? '', 'hex').toString('latin1')
    expect('RFC 8910', portal === 'http://lookout.lan/api/captive-portal', offer)
    offers.push(offer['ip'] ?? '')
  }
  const [own = '', other = ''] = offers

  await board.ask(`sed -i s/OWN/${own}/ ${AT}/task.json`)
  const seen = JSON.parse(lineOf(await board.ask(inside(ONE, node(`look ${AT}/task.json`)), 600), '{')) as Seen
  faults.push(...faultsOfSight(seen, title))

  const behind = await kept(board, other)
  const between = await keptApart(board, { token, wifi, other })
  await board.ask(`kill $(cat ${AT}/phone.pid ${AT}/one.pid ${AT}/two.pid)`)
  return {
    figures: { addresses: offers, seen, ...behind.figures, apart: between.figures },
    faults: [...faults, ...behind.faults, ...between.faults]
  }
}

/** Phones are kept from what is behind; and with the firewall taken away they are not, so that the look is worth something. Leaves the second phone listening. */
async function kept(board: Board, other: string): Promise<{ figures: object; faults: string[] }> {
  const faults: string[] = []
  const { server, port } = await hostBehind()
  const behind = `${HOST_SEEN}:${port}`
  const away = [behind, `${CABLE}:8080`, `${CABLE}:${RADIO_PORT}`, `${STATION}:${RADIO_PORT}`]
  try {
    await board.ask(`${node(`listen ${RADIO_PORT}`)} >/dev/null 2>&1 & echo $! >${AT}/radio.pid`)
    await board.ask(`${inside(TWO, node(`listen ${PHONE_PORT}`))} >/dev/null 2>&1 & echo $! >${AT}/phone.pid`)
    const until = (place: string): string => `until ${node(`reach ${place}`)} | grep -q reached; do sleep 1; done`
    await board.ask(until(`127.0.0.1:${RADIO_PORT}`))
    await board.ask(inside(TWO, `sh -c '${until(`127.0.0.1:${PHONE_PORT}`)}'`))
    await board.ask(ROUTER)
    const station = JSON.parse(lineOf(await board.ask(node(`reach ${away.join(' ')}`)), '{')) as Record<string, string>
    for (const place of away)
      if (station[place] !== 'reached') faults.push(`the station itself does not reach ${place}: ${station[place]}`)

    const phone = `${other}:${PHONE_PORT}`
    const guarded = await reaches(board, [...away, `${STATION}:8080`])
    const routed = await viaStation(board, other)
    for (const place of away) if (guarded[place] === 'reached') faults.push(`a phone reaches ${place}`)
    if (routed === 'reached') faults.push('a phone reaches the other by way of the station')
    if (guarded[`${STATION}:8080`] !== 'reached') faults.push('a phone does not reach the pages')

    // Whoever puts them back would do so at once.
    await board.ask('systemctl stop lookout-hotspot-rules && nft delete table inet lookout_hotspot')
    const open = await reaches(board, [...away, phone])
    const byStation = await viaStation(board, other)
    await board.ask(`systemctl start lookout-hotspot-rules; ${RULES_BACK}`)
    // Another firewall that starts: all of it is gone, and comes back by itself.
    const back = lastLine(await board.ask(`nft flush ruleset; ${RULES_BACK}`))
    if (back !== 'back') faults.push('rules that another firewall cleared away do not come back')
    await board.ask(ROUTER)
    for (const place of away)
      if (open[place] !== 'reached')
        faults.push(`without the firewall a phone does not reach ${place} either: ${open[place]}`)
    if (open[phone] === 'reached')
      faults.push('without the firewall a phone reaches the other: its access point does not keep them apart')
    if (byStation === 'reached') faults.push('without the firewall a phone reaches the other by way of the station')
    const again = await reaches(board, away)
    for (const place of away)
      if (again[place] === 'reached') faults.push(`with the firewall again a phone reaches ${place}`)
    await board.ask(`nft delete table ip away; echo 0 >/proc/sys/net/ipv4/ip_forward; kill $(cat ${AT}/radio.pid)`)
    return {
      figures: { guarded, routed, without_firewall: open, routed_without_firewall: byStation, cleared: back },
      faults
    }
  } finally {
    server.close()
  }
}

async function viaStation(board: Board, other: string): Promise<string> {
  await board.ask(inside(ONE, `ip route add ${other}/32 via ${STATION}`))
  const place = `${other}:${PHONE_PORT}`
  const seen = await reaches(board, [place])
  await board.ask(inside(ONE, `ip route del ${other}/32`))
  return seen[place] ?? ''
}
