#!/usr/bin/env node
// Measures what the program promises about speed and memory, in one run. Exits 1 when a target is missed.
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const HELP = `usage: npm run bench [-- --quick] [--only PART] [--json FILE]

  --quick      a fifth of the storm, 10 s of rest instead of 60, no packages by themselves, 3 rounds of radios: some minutes less
  --only PART  one of tagging, latency, storm, load, start, radios, feeds, phones, ingest, memory, metadata, search, answers, addresses
  --json FILE  the figures as JSON as well

Each part runs in a process of its own. Run it on a machine that is otherwise idle.
exit codes: 0 every target met · 1 a target missed, or a part failed
`
const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' }
  }
})
const PARTS = [
  ['tagging', 'Tagging events with 1,000 regions', 'bench-tagging.ts'],
  ['latency', 'From an immediate event to the radio (on disk before the first byte)', 'bench-latency.ts'],
  ['storm', 'A storm, with durable guards (on disk before it is acknowledged)', 'bench-storm.ts'],
  ['load', 'Warnings under load on a quarter of a core, limits of minimal_pi', 'bench-load.ts'],
  ['start', 'Start, rest and imports, profile minimal_pi', 'bench-start.ts'],
  ['radios', 'Radio links against wire-level peers, profile minimal_pi', 'bench-radios.ts'],
  ['feeds', 'Recorded listings, read as a poll reads them', 'bench-feeds.ts'],
  ['phones', 'Thirty phones on the hotspot, limits of minimal_pi', 'bench-phones.ts'],
  ['ingest', 'Fifty files from upload to search', 'bench-ingest.ts'],
  ['memory', 'Memory of all processes while much comes in, on each profile', 'bench-memory.ts'],
  ['metadata', 'Title, author, year and domain of real documents', 'bench-metadata.ts'],
  ['search', 'Search over 100,000 vectors', 'bench-search.ts'],
  ['answers', 'Answers to labelled questions, and to nonsense', 'bench-answers.ts'],
  ['addresses', 'Address lookups among five million, memory as on minimal_pi', 'bench-addresses.ts']
]

/** The rows a part answers; a part that fails is a missed target. */
async function measure(file) {
  const args = ['--import=tsx', `scripts/${file}`, ...(file === 'bench-tagging.ts' ? ['--json'] : []), ...quick()]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const end = await new Promise((resolve) =>
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`))
  )
  try {
    const answer = JSON.parse(text)
    return Array.isArray(answer) ? answer : taggingRows(answer)
  } catch (error) {
    return [
      {
        what: `${file} ended with ${end}${text === '' ? ' and no answer' : `: ${error.message}`}`,
        value: '',
        unit: '',
        target: 'an answer',
        ok: false
      }
    ]
  }
}

function quick() {
  return values.quick ? ['--quick'] : []
}

/** The tagging part has a table of its own; here its promises, and the rates they are made of. */
function taggingRows({ checks, rates, compileMs }) {
  const mix = rates.find(({ kind }) => kind === 'mix')
  return [
    ...checks.map(({ what, value, ok, target }) => ({ what, value, unit: '', ok, target })),
    { what: 'events of the mix per CPU second', value: mix.ours, unit: '/s' },
    { what: 'the same, naive turf', value: mix.naive, unit: '/s' },
    { what: 'the same, flatbush + turf', value: mix.flatbush, unit: '/s' },
    { what: 'compiling 1,000 regions', value: compileMs, unit: 'ms' }
  ]
}

function shown(value) {
  return typeof value === 'number'
    ? value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 3 : 4 })
    : value
}

function print(rows) {
  const width = Math.min(64, Math.max(...rows.map(({ what }) => what.length)))
  for (const { what, value, unit, target, ok } of rows) {
    const mark = ok === undefined ? '    ' : ok ? 'ok  ' : 'MISS'
    const figure = `${shown(value)} ${unit}`.trim()
    console.log(`  ${mark} ${what.padEnd(width)}  ${figure}${target === undefined ? '' : `   (target ${target})`}`)
  }
}

if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const chosen = PARTS.filter(([name]) => values.only === undefined || values.only === name)
if (chosen.length === 0) {
  process.stderr.write(HELP)
  process.exit(1)
}
const { status } = spawnSync(process.execPath, ['scripts/ensure-build.js'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(1)

const machine = `${cpus().length}-core ${process.arch}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
console.log(machine)
const results = {}
for (const [name, title, file] of chosen) {
  // A part takes minutes: whoever waits is told which one it is.
  console.log(`\n${title}`)
  results[name] = await measure(file)
  print(results[name])
}
const missed = Object.values(results)
  .flat()
  .filter(({ ok }) => ok === false)
console.log(missed.length === 0 ? '\nevery target met' : `\n${missed.length} missed`)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ machine, results }, null, 2)}\n`)
process.exitCode = missed.length === 0 ? 0 : 1
