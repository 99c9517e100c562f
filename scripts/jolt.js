#!/usr/bin/env node
// Runs a command while every process below it is halted for moments at random and the processors have other work: tests
// that pass on a quiet machine only by luck fail here. The same seed gives the same instants, not the same victims.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const HELP = `usage: node scripts/jolt.js [--seed N] [--every MS] [--longest MS] [--load N] -- COMMAND [ARGUMENT ...]

  --every MS      on average one process is halted in so many milliseconds; default 60
  --longest MS    for at most so long; default 400
  --load N        so many processes that only use a processor; default 1
For instance: node scripts/jolt.js --seed 3 -- npm test
Ends with the command's exit code.`

const at = process.argv.indexOf('--')
const { values } = parseArgs({
  args: process.argv.slice(2, at === -1 ? undefined : at),
  options: {
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '60' },
    longest: { type: 'string', default: '400' },
    load: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h' }
  }
})
const [command, ...args] = at === -1 ? [] : process.argv.slice(at + 1)
const numbers = ['seed', 'every', 'longest', 'load'].map((name) => Number(values[name]))
if (values.help === true || command === undefined || !numbers.every((one) => Number.isInteger(one) && one >= 0)) {
  console[values.help === true ? 'log' : 'error'](HELP)
  process.exit(values.help === true ? 0 : 2)
}
const [seed = 1, every = 60, longest = 400, load = 1] = numbers

let state = seed >>> 0
/** Mulberry32: the same seed, the same numbers from 0 to 1. */
function random() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

/** Numbers of all processes below `top`, in order. */
function below(top) {
  const parents = new Map()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch (error) {
      // It has ended since.
      if (!['ENOENT', 'ESRCH'].includes(error.code)) throw error
    }
  }
  const isBelow = (pid) => pid === top || (parents.has(pid) && isBelow(parents.get(pid)))
  return [...parents.keys()].filter((pid) => pid !== top && isBelow(parents.get(pid))).sort((a, b) => a - b)
}

function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

const halted = new Set()
function jolt(top) {
  const pids = below(top).filter((pid) => !halted.has(pid))
  const victim = pids[Math.floor(random() * pids.length)]
  const ms = random() ** 2 * longest
  if (victim !== undefined) {
    halted.add(victim)
    signal(victim, 'SIGSTOP')
    setTimeout(() => {
      signal(victim, 'SIGCONT')
      halted.delete(victim)
    }, ms)
  }
  timer = setTimeout(() => jolt(top), random() * 2 * every)
}

const busy = Array.from({ length: load }, () =>
  spawn(process.execPath, ['-e', 'for (;;) if (process.ppid === 1) process.exit()'], { stdio: 'ignore' })
)
const child = spawn(command, args, { stdio: 'inherit' })
let timer = setTimeout(() => jolt(child.pid), every)
const end = (code) => {
  clearTimeout(timer)
  for (const pid of halted) signal(pid, 'SIGCONT')
  for (const one of busy) one.kill('SIGKILL')
  process.exit(code)
}
child.on('error', (error) => {
  console.error(`jolt: ${error.message}`)
  end(2)
})
child.on('close', (code) => end(code ?? 1))
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => child.kill(name))
