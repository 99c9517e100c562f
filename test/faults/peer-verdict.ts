import type { Network } from '../../src/warning/radios/radio.ts'
import type { Cells, Expected } from './peer-storm-events.ts'

/** One text a peer put on the air. `identity`: packet id, or sender timestamp. */
export interface Aired {
  network: Network
  channel: number | string
  text: string
  identity: number
}

/** One message in `GET /api/deliveries`. */
export interface Told {
  id: number
  transport: string
  channel: number | string
  state: string
  reason: string | null
  text: string | null
  family: string
  regions: string[]
  severity: string
}

export const RULES = [
  'every text was on the air intact, on the right channel, exactly once: as the deliveries say',
  'nothing else was on the air',
  'every event made for a cell was told in full on the channels of its cell',
  'every delivery is on the channel its cell of the matrix names',
  'no two texts share an identity',
  'no radio refused anything: neither for its rate nor for a full queue',
  'no delivery failed, and the fate of none is unknown'
] as const

export interface PeerRun {
  aired: readonly Aired[]
  told: readonly Told[]
  expected: readonly Expected[]
  cells: Cells
  refused: readonly string[]
}

const SENT = new Set(['sent', 'heard', 'unconfirmed'])
const NEVER_SENT = new Set(['merged', 'suppressed', 'expired'])

/** Judges a storm by what the peers put on the air. */
export function judgePeers({ aired, told, expected, cells, refused }: PeerRun): { rule: string; what: string }[] {
  const problems: { rule: string; what: string }[] = []
  const problem = (rule: number, what: string): void => void problems.push({ rule: RULES[rule] ?? '', what })
  const rest = [...aired]
  for (const row of [...told].sort((a, b) => a.id - b.id)) {
    const { id, state, reason, channel, transport } = row
    if (SENT.has(state)) {
      if (!take(rest, row)) problem(0, `delivery ${id} (${state}) on ${transport} ${channel}: ${row.text}`)
    } else if (!NEVER_SENT.has(state)) problem(6, `delivery ${id} is ${state} (${reason})`)
    if (SENT.has(state) && !named(row, cells)) problem(3, `delivery ${id}: ${row.family} on ${transport} ${channel}`)
  }
  for (const { network, channel, text } of rest) problem(1, `${network} ${channel}: ${text}`)
  for (const { token, network, channel } of expected) {
    const count = aired.filter(
      (one) => one.network === network && one.channel === channel && new RegExp(`\\b${token}\\b`, 'i').test(one.text)
    ).length
    if (count !== 1) problem(2, `${token} on ${network} ${channel}: ${count} times`)
  }
  const packets = new Set<string>()
  for (const { network, identity, text } of aired) {
    const packet = `${network} ${identity}`
    if (packets.has(packet)) problem(4, `${packet}: ${text}`)
    packets.add(packet)
  }
  for (const what of refused) problem(5, what)
  return problems
}

/** Takes the texts of one delivery out of `rest`: its one text, or its parts, which the list joins with a space. */
function take(rest: Aired[], { transport, channel, text }: Told): boolean {
  if (text === null) return false
  const places = rest.filter((one) => one.network === transport && one.channel === channel)
  const whole = places.find((one) => one.text === text)
  const parts = whole === undefined ? assembled(text, places) : [whole]
  for (const part of parts ?? []) rest.splice(rest.indexOf(part), 1)
  return parts !== null
}

function assembled(text: string, pieces: readonly Aired[]): Aired[] | null {
  if (text === '') return []
  for (const piece of pieces) {
    if (text !== piece.text && !text.startsWith(`${piece.text} `)) continue
    const others = assembled(
      text.slice(piece.text.length + 1),
      pieces.filter((one) => one !== piece)
    )
    if (others !== null) return [piece, ...others]
  }
  return null
}

function named({ transport, channel, family, regions }: Told, cells: Cells): boolean {
  return regions.some((region) => {
    const cell = cells[family]?.[region]
    return cell !== undefined && (transport === 'mt' ? cell.mt : cell.mc) === channel
  })
}
