#!/usr/bin/env node
// Restarts on every change of src/, profiles/ or demo/: simulated radios, the demo from its beginning, a data folder of its own.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

if (process.argv.includes('--help')) {
  console.log('usage: npm run dev [-- lookout start options]\nData folder: data/dev (LOOKOUT_DATA overrides).')
  process.exit(0)
}
const root = fileURLToPath(new URL('..', import.meta.url))
const data = process.env.LOOKOUT_DATA ?? `${root}data/dev`
mkdirSync(data, { recursive: true })

// Compressed copies would hide a change of web/.
spawnSync(process.execPath, [`${root}scripts/vendor.js`, '--plain'], { stdio: 'inherit' })

let child = null
let timer = null
let stopping = false

function start() {
  child = spawn(
    process.execPath,
    ['--import=tsx', `${root}src/main.ts`, 'start', '--demo-again', ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: 'inherit',
      env: { LOOKOUT_LOG: 'info', ...process.env, LOOKOUT_DATA: data }
    }
  )
  child.on('exit', (code) => {
    child = null
    if (!stopping && code !== 0) console.error(`lookout ended (${code}); waiting for a change …`)
  })
}

function restart(file) {
  clearTimeout(timer)
  timer = setTimeout(() => {
    console.error(`changed: ${file}`)
    if (child === null) start()
    else {
      child.once('exit', start)
      child.kill('SIGTERM')
    }
  }, 150)
}

for (const folder of ['src', 'profiles', 'demo', 'web'])
  watch(`${root}${folder}`, { recursive: true }, (_event, file) => {
    if (!file?.startsWith('vendor')) restart(`${folder}/${file}`)
  })
function stop() {
  stopping = true
  if (child === null) process.exit(0)
  child.once('exit', () => process.exit(0))
  child.kill('SIGTERM')
}
// Without the second the station would go on alone, and hold the port and the data folder.
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
start()
