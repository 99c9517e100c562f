import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openReadOnlyDatabase } from '../../src/platform/database/database-read-only.ts'
import { asides } from '../../src/platform/database/put-aside.ts'
import { errorText } from '../../src/platform/errors.ts'
import { buildShim, noShim } from '../helpers/disk-shim.ts'
import { eventually } from '../helpers/process.ts'
import { drawFaults, type Fault } from './disk-faults.ts'
import { type Answer, DiskStation, event, type Life, pause } from './disk-station.ts'
import { seeded } from './storm-events.ts'

const RULES = [
  'the station starts, or says which file to mend (config.json without a copy)',
  'an immediate event leaves on both radios exactly once',
  'priority is stored, or its sender is told that it was not',
  'no answer is a bare 500',
  'while nothing can be stored, readiness, status and every page say so',
  'storing works again without a restart once the disk does',
  'what was acknowledged as stored is known after a restart, and not told again',
  'killed while the disk fails, mended or not: nothing grave is lost, nothing of before is repeated, nothing lesser is told twice',
  'lookout.db passes its integrity check, once its damage was met',
  'the program never ends by itself, and stops within 5 s'
] as const
type Rule = (typeof RULES)[number]
const KILLED = RULES[7]
/** The ends of a life: in the middle of the failure, or once its disk works again. */
const ENDS = ['stop', 'kill', 'kill-within'] as const
const END_WORDS = { stop: 'then stopped', kill: 'then killed', 'kill-within': 'killed within' } as const

const HELP = `usage: disk-storm [--seed N] [--rounds N] [--mounts] [--program FILE] [--keep]

One round: a station with a history, one seeded fault of its disk (bits, pages, ends and whole files of every database and state file, while it
stands or runs; writes or syncs that fail; a folder that is pulled), an immediate and a priority event, the disk mended, a stop or a kill, a
restart. At the end:
${RULES.map((rule) => `  - ${rule}`).join('\n')}
  --seed N        default: one that is printed
  --rounds N      default 40
  --only WORD     only faults whose name has this in it
  --mounts        also full and read-only file systems; needs root
  --program FILE  the built program instead of the sources
  --keep          keep the folders, and tell where they are
`

const CONFIG = {
  coverage: { enabled: true, region_tagging: true, areas: [{ name: 'North', bbox: [-115, 44, -113, 45] }] },
  notifications: {
    coalesce_seconds: 0,
    toggles: { fire: { cooldown_seconds: 0 } },
    region_routes: { enabled: true, cells: { fire: { North: { mt: 3, mc: 'north' } } } }
  }
}
const PAGES = ['/', '/events', '/alerts', '/deliveries', '/radios', '/settings', '/library', '/knowledge', '/history']
const MOUNT_MIB = 48

class DiskStorm {
  readonly folder = mkdtempSync(join(tmpdir(), 'lookout-disk-'))
  readonly problems: { rule: Rule; what: string }[] = []
  readonly counts = new Map<string, number>()
  readonly #random: () => number
  readonly #template = join(this.folder, 'template')
  readonly #shim = noShim === null ? buildShim() : null
  readonly #faultFile = join(this.folder, 'fault')
  readonly #airLog = join(this.folder, 'air.jsonl')
  readonly #data = join(this.folder, 'data')
  readonly #station: DiskStation
  readonly #o: { mounts: boolean; only: string }
  #round = ''
  #mounted = false

  constructor(seed: number, options: { mounts: boolean; program: string | undefined; only: string }) {
    this.#random = seeded(seed)
    this.#o = options
    this.#station = new DiskStation({
      data: this.#data,
      airLog: this.#airLog,
      program: options.program,
      env: {
        ...(this.#shim === null ? {} : { LD_PRELOAD: this.#shim.library }),
        FAULT_FILE: this.#faultFile,
        FAULT_ROOT: `${this.#data}/`
      },
      onBare: (what) => this.#bad(RULES[3], what)
    })
    writeFileSync(this.#faultFile, '')
    writeFileSync(this.#airLog, '')
  }

  /** A folder with a history: what is told in every round must stay told. */
  async prepare(): Promise<void> {
    mkdirSync(this.#data)
    writeFileSync(join(this.#data, 'config.json'), JSON.stringify(CONFIG))
    const { launched, url } = await this.#station.start()
    for (const id of ['Alfa', 'Bravo', 'Charlie']) await this.#station.post(url, event(id, 'immediate'))
    for (let n = 0; n < 120; n++)
      await this.#station.post(url, { ...event(`old-${n}`, 'routine'), lat: 10, body: 'far away '.repeat(60) })
    await eventually('the history is told', () => this.#station.aired('Charlie') === 2)
    await fetch(`${url}/api/settings`, { method: 'GET' })
    await launched.stop()
    cpSync(join(this.#data, 'config.json'), join(this.#data, 'config.json.bak'))
    renameSync(this.#data, this.#template)
  }

  async round(number: number): Promise<void> {
    const fault = this.#choose()
    const end = ENDS[Math.floor(this.#random() * ENDS.length)] ?? 'stop'
    this.#round = `${number}: ${fault.name}, ${fault.when}, ${END_WORDS[end]}`
    this.#count(fault.name)
    this.#folderAnew(fault)
    let what = ''
    try {
      if (fault.when === 'stopped') what = fault.begin(this.#data)
      this.#round += ` (${what})`
      const started = await this.#startOrSay(fault)
      if (started === null) return
      const id = `Croy${number}x`
      // Stored a moment before the disk fails, and perhaps on its way by then.
      const lesser =
        end === 'kill-within' ? this.#station.post(started.url, event(`${id}p`, 'priority')).catch(() => null) : null
      if (lesser !== null) await pause(Math.floor(this.#random() * 200))
      if (fault.when === 'running') {
        what = fault.begin(this.#data)
        this.#round += ` (${what})`
      }
      if (lesser !== null) await this.#cutOff(started, fault, { id, lesser })
      else await this.#life(started, fault, { id, kill: end === 'kill' })
    } catch (error) {
      this.#bad(RULES[9], errorText(error).slice(0, 600))
    } finally {
      fault.end(this.#data)
      writeFileSync(this.#faultFile, '')
      this.#unmount()
    }
  }

  async #life({ launched, url }: Life, fault: Fault, { id, kill }: { id: string; kill: boolean }): Promise<void> {
    const grave = await this.#station.post(url, event(id, 'immediate'))
    if (grave.status !== 202) this.#bad(RULES[1], `${grave.status} ${grave.text.slice(0, 200)}`)
    await eventually('the warning is told', () => this.#station.aired(id) >= 2)
    const lesser = await this.#station.post(url, event(`${id}p`, 'priority'))
    const told = lesser.status === 202 || lesser.status === 503 || lesser.status === 507
    if (!told) this.#bad(RULES[2], `${lesser.status} ${lesser.text.slice(0, 200)}`)
    await this.#look(url)
    const again = await this.#station.post(url, event(id, 'immediate'))
    if (again.json['duplicates'] !== 1) this.#bad(RULES[1], `posted again: ${again.text.slice(0, 200)}`)
    fault.end(this.#data)
    writeFileSync(this.#faultFile, '')
    try {
      await eventually('storing works again', async () => (await this.#station.storing(url)) === true)
    } catch {
      this.#bad(RULES[5], (await this.#station.get(url, '/api/status')).text.slice(0, 300))
      return void (await launched.kill())
    }
    const stored = (await this.#station.post(url, event(id, 'immediate'))).json['stored'] !== false
    const wasStored = lesser.status === 202 && lesser.json['stored'] !== false
    if (wasStored) await eventually('priority is told', () => this.#station.aired(`${id}p`) >= 2)
    if (launched.over) this.#bad(RULES[9], launched.stderr.slice(-400))
    const before = Date.now()
    const ended = kill ? await launched.kill() : await launched.stop()
    if (!kill && (ended.code !== 0 || Date.now() - before > 6000))
      this.#bad(RULES[9], `code ${ended.code} after ${Date.now() - before} ms: ${ended.stderr.slice(-300)}`)
    if (/unexpected error/.test(ended.stderr)) this.#bad(RULES[9], ended.stderr.slice(-600))
    await this.#after(fault, { id, stored, wasStored })
  }

  /**
   * Killed at a random instant of the failure; the next life begins on a disk that fails still, or is mended. Senders repeat what
   * they warn of, so the grave one is posted again: told then if it was not before, by the radios that lack it or by both.
   */
  async #cutOff(
    { launched, url }: Life,
    fault: Fault,
    { id, lesser }: { id: string; lesser: Promise<Answer | null> }
  ): Promise<void> {
    const mended = fault.name === 'folder pulled' || this.#random() < 0.5
    this.#round += mended ? ', mended' : ', failing on'
    // A post that the kill cuts off may have been answered or not: only what was answered is owed.
    const grave = this.#station.post(url, event(id, 'immediate')).catch(() => null)
    await pause(Math.floor(this.#random() * 600))
    await launched.kill()
    const wasStored = await lesser.then((answer) => answer?.status === 202 && answer.json['stored'] !== false)
    const known = await grave.then((answer) => answer?.status === 202 && answer.json['stored'] !== false)
    if (mended) this.#mend(fault)
    const next = await this.#startOrSay(fault)
    if (next === null) return
    if (!mended && this.#random() < 0.5) await pause(300)
    const again = await this.#station.post(next.url, event(id, 'immediate'))
    if (again.status !== 202) this.#bad(KILLED, `${again.status} ${again.text.slice(0, 200)}`)
    await eventually('the grave one is told', () => this.#station.radiosOf(id) === 2)
    this.#mend(fault)
    await eventually('storing works', async () => (await this.#station.storing(next.url)) === true)
    if (wasStored) await this.#eventuallyToldOnce(next.url, `${id}p`)
    for (const old of ['Alfa', 'Bravo', 'Charlie']) {
      const answer = await this.#station.post(next.url, event(old, 'immediate'))
      if (answer.json['duplicates'] !== 1) this.#bad(KILLED, `${old}: ${answer.text.slice(0, 200)}`)
    }
    await pause(500)
    for (const old of ['Alfa', 'Bravo', 'Charlie'])
      if (this.#station.aired(old) !== 2) this.#bad(KILLED, `${old} was told ${this.#station.aired(old)} times`)
    const times = this.#station.aired(id)
    // Its memory ended with the process, and what was on its way may not have left: at most once more by each radio.
    if (times > 4) this.#bad(KILLED, `${id} was told ${times} times, stored before: ${known}`)
    if (this.#station.aired(`${id}p`) > 2) this.#bad(KILLED, `${id}p was told ${this.#station.aired(`${id}p`)} times`)
    await next.launched.stop()
    await this.#check(fault)
  }

  /** Waits until what was acknowledged as stored is told, or the station says of each message that it may have been. */
  async #eventuallyToldOnce(url: string, id: string): Promise<void> {
    await eventually(`${id} is told or accounted for`, async () => {
      if (this.#station.aired(id) >= 2) return true
      const { text } = await this.#station.get(url, `/api/deliveries?limit=500`)
      const list = (JSON.parse(text) as { deliveries: { event_ids?: string[]; state: string }[] }).deliveries
      const own = list.filter((row) => JSON.stringify(row).includes(id))
      return own.length > 0 && own.every(({ state }) => !['queued', 'held', 'transmitting'].includes(state))
    })
  }

  #mend(fault: Fault): void {
    fault.end(this.#data)
    writeFileSync(this.#faultFile, '')
  }

  /** The next life, on a disk that works. */
  async #after(
    fault: Fault,
    { id, stored, wasStored }: { id: string; stored: boolean; wasStored: boolean }
  ): Promise<void> {
    const next = await this.#station.start()
    await eventually('storing works', async () => (await this.#station.storing(next.url)) === true)
    const expected = [
      ...(stored ? [event(id, 'immediate')] : []),
      ...(wasStored ? [event(`${id}p`, 'priority')] : []),
      ...['Alfa', 'Bravo', 'Charlie'].map((old) => event(old, 'immediate'))
    ]
    for (const one of expected) {
      const answer = await this.#station.post(next.url, one)
      if (answer.json['duplicates'] !== 1) this.#bad(RULES[6], `${String(one['id'])}: ${answer.text.slice(0, 200)}`)
    }
    await pause(500)
    for (const words of [id, ...(wasStored ? [`${id}p`] : [])])
      if (this.#station.aired(words) !== 2) this.#bad(RULES[1], `${words} was told ${this.#station.aired(words)} times`)
    for (const words of ['Alfa', 'Bravo', 'Charlie'])
      if (this.#station.aired(words) !== 2) this.#bad(RULES[6], `${words} was told ${this.#station.aired(words)} times`)
    await next.launched.stop()
    await this.#check(fault)
  }

  async #look(url: string): Promise<void> {
    const storing = await this.#station.storing(url)
    const pages = await Promise.all(PAGES.map(async (path) => ({ path, ...(await this.#station.get(url, path)) })))
    for (const { path, status, text } of pages) {
      if (status >= 500 && status !== 503 && status !== 507)
        this.#bad(RULES[3], `${path}: ${status} ${text.slice(0, 200)}`)
      // The disk may have come back between the two looks.
      const silent = storing === false && status === 200 && !/lost with the next restart/.test(text)
      if (silent && (await this.#station.storing(url)) === false) this.#bad(RULES[4], path)
    }
    const ready = await this.#station.get(url, '/api/health/ready')
    if (storing === false && ready.status === 200 && (await this.#station.storing(url)) === false)
      this.#bad(RULES[4], `ready: ${ready.text.slice(0, 200)}`)
  }

  async #check(fault: Fault): Promise<void> {
    try {
      const db = await openReadOnlyDatabase(join(this.#data, 'lookout.db'))
      const said = db
        .sql('PRAGMA integrity_check')
        .all()
        .map((row) => String(row['integrity_check']))
        .join('; ')
      db.close()
      // Damage that nobody met yet is put aside when somebody does.
      if (said !== 'ok' && (!fault.losesRows || asides(this.#data).length > 0)) this.#bad(RULES[8], said.slice(0, 300))
    } catch (error) {
      if (!fault.losesRows || asides(this.#data).length > 0) this.#bad(RULES[8], errorText(error))
    }
  }

  #folderAnew(fault: Fault): void {
    rmSync(this.#data, { recursive: true, force: true })
    rmSync(`${this.#data}-pulled`, { recursive: true, force: true })
    mkdirSync(this.#data)
    if (fault.name.startsWith('mount')) {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MOUNT_MIB}m`, 'tmpfs', this.#data])
      this.#mounted = true
    }
    cpSync(this.#template, this.#data, { recursive: true })
  }

  #unmount(): void {
    if (this.#mounted) execFileSync('umount', ['-l', this.#data])
    this.#mounted = false
  }

  #choose(): Fault {
    const faultFile = this.#shim === null ? null : this.#faultFile
    const disk = { random: this.#random, template: this.#template, faultFile, mounts: this.#o.mounts }
    for (let tries = 0; tries < 200; tries++) {
      const all = drawFaults(disk)
      const kinds = all.filter(({ name, when }) => `${name} ${when}`.includes(this.#o.only))
      const pick = kinds[Math.floor(this.#random() * kinds.length)]
      if (pick !== undefined) return pick
    }
    throw new Error(`no fault is called ${this.#o.only}`)
  }

  async #startOrSay(fault: Fault): Promise<Life | null> {
    try {
      return await this.#station.start()
    } catch (error) {
      const said = errorText(error)
      const excused = fault.name.includes('config.json') && /config\.json/.test(said)
      if (!excused) this.#bad(RULES[0], said.slice(0, 600))
      return null
    }
  }

  #bad(rule: Rule, what: string): void {
    this.problems.push({ rule, what: `round ${this.#round}: ${what}` })
    console.log(`  not ok: ${rule}\n    round ${this.#round}: ${what}`)
  }

  #count(name: string): void {
    const kind = name.replace(/ of .*/, '')
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }

  close(): void {
    if (this.#shim !== null) rmSync(this.#shim.folder, { recursive: true })
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      rounds: { type: 'string', default: '40' },
      only: { type: 'string', default: '' },
      mounts: { type: 'boolean', default: false },
      program: { type: 'string' },
      keep: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const rounds = Number(values.rounds)
  if (![seed, rounds].every((value) => Number.isInteger(value) && value >= 0)) throw new Error('whole numbers, please')
  console.log(`disk storm, seed ${seed}${noShim === null ? '' : `, without failing writes: ${noShim}`}`)
  const { mounts, program, only } = values
  const storm = new DiskStorm(seed, { mounts, program, only })
  await storm.prepare()
  for (let round = 1; round <= rounds; round++) await storm.round(round)
  storm.close()
  const failed = new Set(storm.problems.map(({ rule }) => rule))
  const kinds = [...storm.counts].sort().map(([kind, n]) => `${kind} ${n}`)
  console.log(`seed ${seed}: ${rounds} rounds: ${kinds.join(', ')}`)
  for (const rule of RULES) console.log(`${failed.has(rule) ? 'not ok' : 'ok'} ${rule}`)
  console.log(`${RULES.length - failed.size} passed, ${failed.size} failed`)
  if (values.keep || failed.size > 0) console.log(`kept: ${storm.folder}`)
  else rmSync(storm.folder, { recursive: true, force: true })
  return failed.size === 0 ? 0 : 1
}

process.exitCode = await main()
