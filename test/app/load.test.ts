import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

/** A slice of the load bench as it runs everywhere: held to a quarter of a core by signals, which need no rights. */

interface Row {
  what: string
  value: number | string
  ok?: boolean
}

const root = fileURLToPath(new URL('../..', import.meta.url))
/** A probe that did not come counts as a minute. */
const LOST_MS = 60_000

t.test(
  'under load, on a quarter of a core, every immediate event reaches both radios, and none is refused',
  async (t) => {
    if (!existsSync(`${root}dist/lookout.js`)) {
      t.comment('skipped: the program is not built')
      return
    }
    const args = ['--seconds', '12', '--seed', '3', '--before', '300', '--throttle', 'signals']
    const child = spawn(process.execPath, ['--import=tsx', 'scripts/bench-load.ts', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit']
    })
    t.teardown(() => child.kill())
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    t.equal(await new Promise((resolve) => child.once('close', resolve)), 0)
    const rows = JSON.parse(text) as Row[]
    const found = (words: string): Row | undefined => rows.find(({ what }) => what.includes(words))
    // The time it takes is for an idle machine to say (npm run bench -- --only load).
    for (const radio of ['Meshtastic', 'MeshCore']) {
      const slowest = found(`event to ${radio} radio, the slowest`)
      t.ok(Number(slowest?.value) < LOST_MS, `${radio}: ${slowest?.value} ms`)
    }
    t.equal(found('probes answered 202')?.ok, true)
    t.equal(found('texts refused by the radios')?.value, 0)
    t.match(found('of a core by')?.value, /SIGSTOP/)
  }
)
