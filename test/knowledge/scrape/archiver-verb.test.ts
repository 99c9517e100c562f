import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { archiver } from '../../../src/cli/archiver.ts'
import type { VerbContext } from '../../../src/cli/verb.ts'
import { fakeEngine, IMAGE } from './fake-engine.ts'

async function run(args: string[], path: string): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const unused = async (): Promise<never> => Promise.reject(new Error('not for this verb'))
  const context: VerbContext = {
    version: '1',
    root: '/',
    language: 'en',
    env: { PATH: path, LOOKOUT_DATA: '/nowhere' },
    stdin: Readable.from([]),
    roles: {},
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
    asked: new AbortController().signal,
    startApp: unused,
    simulatedRadios: unused,
    parseFeedFile: unused,
    readSource: unused,
    pollSource: unused,
    openCore: unused
  }
  return { code: await archiver(args, context), ...said }
}

t.test('lookout archiver: what archives here, what is missing, and the image from a file', async (t) => {
  const bare = await run([], '/nowhere')
  t.equal(bare.code, 4)
  t.match(
    bare.out,
    /nothing can be archived here\nno {3}container .*neither docker nor podman.*\nno {3}built-in .*zimwriterfs/
  )
  const engine = fakeEngine(t, { image: false })
  t.match((await run([], engine.path)).out, new RegExp(`the image ${IMAGE} is not loaded`))
  const file = join(engine.state, 'zimit.tar')
  writeFileSync(file, `IMAGE ${IMAGE}\n`)
  t.match(await run(['install', file], engine.path), {
    code: 0,
    out: `${IMAGE} is loaded into docker (0123456789ab)\n`
  })
  const report = await run(['--json'], engine.path)
  t.match(JSON.parse(report.out), { container: { imagePresent: true, engine: 'docker 24.0.7' } })
  t.match(await run(['--help'], engine.path), { code: 0, out: /install FILE/ })
  await t.rejects(run(['install'], engine.path), { code: 'usage' })
  await t.rejects(run(['remove'], engine.path), { code: 'usage' })
  await t.rejects(run(['install', '/nowhere/x.tar'], engine.path), { code: 'missing' })
})
