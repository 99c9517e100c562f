import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import type { GuestRequest } from './guest-requests.ts'

/** CPU of the main thread of a program that is not ours, by the scheduler: what its other threads and children do is not counted. */
export function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
}

/**
 * Runs inside of the program from 'begin' to 'end': CPU of its main thread between two turns of its loop, at most; a little more
 * than the longest step. It looks every millisecond, which costs a few hundredths of the time.
 */
const METER = `
import { closeSync, openSync, readSync } from 'node:fs'
if (process.argv.includes('start') && process.send !== undefined) {
  const file = openSync('/proc/self/task/' + process.pid + '/schedstat', 'r')
  const buffer = Buffer.alloc(64)
  const cpu = () => {
    process.cpuUsage()
    return Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, 64, 0)).split(' ')[0]) / 1e6
  }
  let [timer, used, longest] = [null, 0, 0]
  const look = () => {
    const now = cpu()
    longest = Math.max(longest, now - used)
    used = now
  }
  process.on('message', (asked) => {
    if (asked === 'begin') {
      ;[used, longest] = [cpu(), 0]
      timer = setInterval(look, 1).unref()
    }
    if (asked === 'end') {
      clearInterval(timer)
      look()
      process.send({ longest })
    }
  })
  process.channel.unref()
}
`
/** The environment of a program whose steps are measured. */
export const METERED = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(METER)}` }

/** The longest step of a metered program while this is done, in milliseconds of CPU of its main thread. */
export async function longestStep(child: ChildProcess, work: () => Promise<unknown>): Promise<number> {
  child.send('begin')
  await work()
  return new Promise((resolve) => {
    child.once('message', (told: { longest: number }) => resolve(told.longest))
    child.send('end')
  })
}

/** A program that does nothing for so long has done what it was asked for. Milliseconds. */
const STILL_MS = 25
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Of one question: the status of its answer, the bytes of it, and what it cost the main thread. */
export interface GuestCost {
  status: number
  bytes: number
  cpuMs: number
}

/** Asks as a phone on the hotspot does: it calls the station by its address there, so nobody takes it for the operator. */
export function askAsGuest(
  port: number,
  { method, path, body }: GuestRequest
): Promise<Omit<GuestCost, 'cpuMs'> & { retryMs: number }> {
  const isForm = typeof body === 'string'
  const sent = body === undefined ? undefined : isForm ? body : JSON.stringify(body)
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const headers = {
    host: '10.42.0.1',
    ...(sent === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(sent) })
  }
  return new Promise((resolve, reject) => {
    const req = request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (res) => {
      let bytes = 0
      res.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      res.once('end', () =>
        resolve({ status: res.statusCode ?? 0, bytes, retryMs: 1000 * Number(res.headers['retry-after'] ?? 1) })
      )
    })
    req.once('error', reject)
    req.end(sent)
  })
}

let asked = 0

/** The same question as nobody has asked it yet: what was made for another address of the same page is given to nobody. */
function anew(question: GuestRequest): GuestRequest {
  if (question.method !== 'GET') return question
  return { ...question, path: `${question.path}${question.path.includes('?') ? '&' : '?'}asked=${asked++}` }
}

/** CPU of the main thread until it is still again, less what it does by itself in that time. */
export async function costOfGuest(
  { pid, port }: { pid: number; port: number },
  question: GuestRequest
): Promise<GuestCost> {
  for (;;) {
    await still(pid)
    const begun = mainThreadMs(pid)
    const { retryMs, ...answer } = await askAsGuest(port, anew(question))
    await still(pid)
    if (answer.status !== 429) return { ...answer, cpuMs: mainThreadMs(pid) - begun }
    await pause(retryMs)
  }
}

/** Returns once the main thread has rested: a machine whose clock of processors stands still is none that this waits for long. */
async function still(pid: number): Promise<void> {
  for (let looks = 0; looks < 200; looks++) {
    const before = mainThreadMs(pid)
    await pause(STILL_MS)
    if (mainThreadMs(pid) - before < 0.5) return
  }
}
