/**
 * Looks whether guests of the hotspot are kept from one another: hundreds of calls in three sessions of its access point, then with each of the two locks alone.
 * docs/decisions/0069-two-locks-between-guests.md.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Board } from './image-board.ts'
import {
  AT,
  address,
  inside,
  joined,
  joining,
  lineOf,
  node,
  ONE,
  PHONE_PORT,
  supplicant,
  TWO,
  type Wifi
} from './image-phone-words.ts'

/** Calls whose neighbour the phone has to find first, three seconds each, and calls to a neighbour it knows, as somebody sends them who has listened. */
const [ASKING, KNOWING] = [10, 60]
const SWITCHED_MS = 180_000
const PROFILE = '/run/NetworkManager/system-connections/lookout-hotspot.nmconnection'
const LOCK = 'netdev lookout_hotspot'

/** How many calls ended how. */
type Calls = Record<string, number>

/** Calls the other phone; `reached` counts those that were answered. */
async function callOften(board: Board, other: string): Promise<Calls> {
  const place = `${other}:${PHONE_PORT}`
  const often = async (calls: number, atOnce: number): Promise<Calls> =>
    JSON.parse(lineOf(await board.ask(inside(ONE, node(`often ${calls} ${atOnce} ${place}`)), 600), '{')) as Calls
  const sum = await often(ASKING, 1)
  const hardware = `$(ip netns exec two cat /sys/class/net/${TWO.interface}/address)`
  const own = `$(ip netns exec one cat /sys/class/net/${ONE.interface}/address)`
  const ownAddress = `$(ip -n one -4 -o addr show ${ONE.interface} | sed 's,.*inet \\([0-9.]*\\).*,\\1,')`
  await board.ask(
    `ip -n one neigh replace ${other} lladdr ${hardware} nud permanent dev ${ONE.interface}; ip -n two neigh replace ${ownAddress} lladdr ${own} nud permanent dev ${TWO.interface}`
  )
  for (const [how, count] of Object.entries(await often(KNOWING, 10))) sum[how] = (sum[how] ?? 0) + count
  await board.ask(`ip -n one neigh flush nud permanent; ip -n two neigh flush nud permanent`)
  return sum
}

/** Joins both phones anew with this pass phrase; answers the address of the second. */
async function joinAnew(board: Board, wifi: Wifi): Promise<string> {
  let other = ''
  for (const phone of [ONE, TWO]) {
    const conf = Buffer.from(joining(phone, wifi)).toString('base64')
    await board.ask(
      `kill $(cat ${AT}/${phone.name}.pid); sleep 2; echo ${conf} | base64 -d >${AT}/${phone.name}.conf; ${supplicant(phone, phone.name)}`
    )
    await board.ask(joined(phone))
    other = /ip=(\S+)/.exec(lineOf(await board.ask(address(phone)), 'ip='))?.[1] ?? ''
  }
  return other
}

/** Switches the hotspot as its page does. @throws Error when it is not so after a while */
async function switched(board: Board, token: string, body: { on: boolean; passphrase?: string }): Promise<void> {
  const answer = await board.call('PUT', '/api/hotspot', { token, body })
  if (!answer.ok) throw new Error(`PUT /api/hotspot: ${answer.status} ${await answer.text()}`)
  const until = performance.now() + SWITCHED_MS
  while (performance.now() < until) {
    const seen = (await (await board.call('GET', '/api/hotspot', { token })).json()) as {
      state: string
      changing: boolean
    }
    if (!seen.changing && seen.state === (body.on ? 'on' : 'off')) return
    await pause(1000)
  }
  throw new Error(`the hotspot is not ${body.on ? 'on' : 'off'} after ${SWITCHED_MS / 1000} s`)
}

/** The phones are joined and the second one listens. `other`: its address. */
export async function keptApart(
  board: Board,
  { token, wifi, other }: { token: string; wifi: Wifi; other: string }
): Promise<{ figures: Record<string, Calls>; faults: string[] }> {
  const figures: Record<string, Calls> = {}
  const faults: string[] = []
  const look = async (session: string, at: string, wanted: 'none' | 'some'): Promise<void> => {
    const calls = await callOften(board, at)
    figures[session] = calls
    console.error(session, JSON.stringify(calls))
    const answered = calls['reached'] ?? 0
    if (wanted === 'none' && answered > 0) faults.push(`a phone reaches the other, ${session}: ${answered} calls`)
    if (wanted === 'some' && answered === 0) faults.push(`a phone does not reach the other either, ${session}`)
  }
  await look('first session after the start', other, 'none')
  await switched(board, token, { on: false })
  await switched(board, token, { on: true })
  await look('switched off and on by the page', await joinAnew(board, wifi), 'none')
  const changed = { ...wifi, passphrase: 'another quiet owl' }
  await switched(board, token, { on: true, passphrase: changed.passphrase })
  const now = await joinAnew(board, changed)
  await look('another pass phrase', now, 'none')

  await board.ask(
    `systemctl stop lookout-hotspot-rules; nft list table ${LOCK} >${AT}/lock && nft delete table ${LOCK}`
  )
  await look('ap-isolation alone', now, 'none')
  await board.ask(
    `sed -i s/^ap-isolation=1/ap-isolation=0/ ${PROFILE} && nmcli connection load ${PROFILE} && nmcli -w 90 connection up lookout-hotspot`
  )
  const open = await joinAnew(board, changed)
  await look('neither of the two locks', open, 'some')
  await board.ask(`nft -f ${AT}/lock`)
  await look('the rules alone', open, 'none')
  await board.ask('systemctl start lookout-hotspot-rules')
  return { figures, faults }
}
