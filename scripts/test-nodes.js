#!/usr/bin/env node
// Runs the core of the suites on the long-term lines of Node that the program promises to run on, beside the one that runs this:
// each as npm packages carry it.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The newest of each line when this was written; 24.21.0 is the one of the bundles (scripts/pack-node.ts). */
const VERSIONS = ['20.20.2', '22.23.3', '24.21.0']
/** Where another Node may differ: files, processes, SQLite, sockets, the text of errors; and one walk through the verbs. */
const CORE = [
  'test/platform',
  'test/settings',
  'test/warning/routing',
  'test/app/verbs.test.ts',
  'test/app/running.test.ts',
  'test/app/small-heap.test.ts'
]

if (process.argv.includes('--help')) {
  console.log(
    `usage: npm run test:nodes [-- VERSION…]\nRuns ${CORE.join(', ')} on Node ${VERSIONS.join(', ')} without the line of the Node that runs this, or on the versions named.`
  )
  process.exit(0)
}

const own = `${process.versions.node.split('.')[0]}.`
const named = process.argv.slice(2)
let failed = false
for (const version of named.length > 0 ? named : VERSIONS.filter((one) => !one.startsWith(own))) {
  const folder = join(root, 'artifacts/nodes', version)
  mkdirSync(folder, { recursive: true })
  const node = join(folder, 'node')
  run(process.execPath, ['--import=tsx', 'scripts/pack-node.ts', version, node])
  console.log(`Node ${version}`)
  // Programs that tests start by name run on this Node too.
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
  failed = !run(node, ['scripts/test.js', ...CORE], env) || failed
}
process.exitCode = failed ? 1 : 0

function run(command, args, env = process.env) {
  return spawnSync(command, args, { cwd: root, env, stdio: 'inherit' }).status === 0
}
