/** Starts the card that a power cut left in the emulated board: docs/decisions/0053-cut-power-after-the-event.md. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Board, nameOf } from './image-board.ts'
import { type Ack, eventsOf, judgeData, nameOfAcks, numberOf } from './image-judge.ts'
import { partsOf, put, type Write } from './image-log.ts'

/** A write that was on its way when the power went, and how much of it arrived. */
export interface Kept {
  write: Write
  most: number
}

interface Cut {
  /** Where base.img and log.img are. */
  log: string
  /** All that was on the card for certain. */
  durable: readonly Write[]
  kept: readonly Kept[]
  acks: readonly Ack[]
  /** Where kernel and initial file system are. */
  image: string
  work: string
}

export interface Booted {
  seconds: number
  events: number
  faults: string[]
}

/** Makes the card, boots it until the station answers, asks it what was acknowledged, cuts the power and judges the card once more. */
export async function bootCut({ log, durable, kept, acks, image, work }: Cut): Promise<Booted> {
  const card = join(work, 'booted.img')
  execFileSync('cp', ['--sparse=always', join(log, 'base.img'), card])
  const from = openSync(join(log, 'log.img'), 'r')
  for (const write of durable) put(write, from, card)
  for (const { write, most } of kept) put(write, from, card, { most })
  closeSync(from)
  const board = new Board(card, { folder: image, memory: 512, port: 18091, limit: 1800 })
  const faults: string[] = []
  try {
    board.start()
    const seconds = await board.healthy()
    const name = await nameOf(board)
    if (numberOf(name) < nameOfAcks(acks))
      faults.push(`the station is called ${name}, and name ${nameOfAcks(acks)} was acknowledged`)
    const told = new Set(await toldEvents(board))
    const lost = eventsOf(acks).filter((id) => !told.has(id))
    if (lost.length > 0) faults.push(`booted, and not told: ${lost.join(' ')}`)
    const failed = await board.ask('systemctl --failed --no-legend --plain | cut -d" " -f1 | paste -sd" "')
    if (failed !== '') faults.push(`units failed: ${failed}`)
    const repaired = await board.ask("journalctl -b -o cat -u 'systemd-fsck@*' | tail -n 12")
    console.error(repaired)
    await board.cut()
    const judged = await judgeData(dataOf(card, work), work, acks)
    return {
      seconds,
      events: told.size,
      faults: [...faults, ...judged.faults.map((fault) => `after the boot: ${fault}`)]
    }
  } finally {
    await board.cut()
    for (const name of ['booted.img', 'booted.img.console', 'booted.data', 'lookout'])
      rmSync(join(work, name), { recursive: true, force: true })
  }
}

/** The data partition of a card as a file of its own. */
function dataOf(card: string, work: string): string {
  const data = partsOf(card).find(({ name }) => name === 'data')
  const to = join(work, 'booted.data')
  execFileSync('dd', [
    `if=${card}`,
    `of=${to}`,
    'iflag=skip_bytes',
    `skip=${data?.at}`,
    'bs=4M',
    'conv=sparse',
    'status=none'
  ])
  return to
}

/** The ids of all posted events that the station tells. */
async function toldEvents(board: Board): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await board.call('GET', `/api/events?limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`)
    const page = (await answer.json()) as { events: { id: string; source: string }[]; next: string | null }
    ids.push(...page.events.filter(({ source }) => source === 'cuts').map(({ id }) => id))
    cursor = page.next
  }
  return ids
}
