import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort, listenAddress } from '../../../src/knowledge/library/listen-place.ts'
import { manifestOf, writeManifest } from '../../../src/knowledge/library/manifest.ts'
import { LibraryServer, type ServerOptions } from '../../../src/knowledge/library/server.ts'
import { canServeArchives, makeArchive, serverOptions, source } from '../../helpers/archives.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { eventually } from '../../helpers/process.ts'
import { runnable } from '../../helpers/runnable.ts'

t.setTimeout(120_000)
const real = canServeArchives()

/** A folder with an archive and its list, and a server that ends with the test. */
async function library(t: Test, patch: Partial<ServerOptions> = {}) {
  const folder = t.testdir()
  const file = join(folder, 'library.xml')
  if (real) await makeArchive(join(folder, 'archive-1.zim'))
  await writeManifest(file, manifestOf([source(1)]))
  const states: string[] = []
  const server: LibraryServer = new LibraryServer(
    serverOptions(file, { onChange: () => states.push(server.state().status), ...patch })
  )
  t.teardown(() => server.stop())
  return { folder, file, server, states }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A zombie answers too.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const uuids = async (server: LibraryServer): Promise<string[]> => (await server.feed()).map(({ uuid }) => uuid).sort()
const until = (server: LibraryServer, status: string) =>
  eventually(status, () => server.state().status === status && server.state())

t.test('our server runs while there is something to serve, tells its version, and is reloaded by SIGHUP', async (t) => {
  if (!real) return t.comment('skipped: zimwriterfs and kiwix-serve are not installed')
  const { folder, file, server, states } = await library(t)
  t.match(inWords(server.state()), { status: 'off', url: null, reason: 'there is no archive yet' })
  await t.rejects(server.feed(), { code: 'unavailable' })
  t.equal(inWords(await server.reload()), 'it does not run')
  await server.want(true)
  await until(server, 'running')
  t.same(await uuids(server), [source(1).uuid])
  t.match(server.state(), { status: 'running', url: /^http:\/\/127\.0\.0\.1:\d+$/, version: /^\d+\.\d+/, reason: null })
  t.match(server.place(), { kind: 'supervised', prefix: '' })

  copyFileSync(join(folder, 'archive-1.zim'), join(folder, 'archive-2.zim'))
  await writeManifest(file, manifestOf([source(1), source(2)]))
  t.same(await uuids(server), [source(1).uuid], 'without a signal nothing changes')
  const { pid } = server
  t.equal(await server.reload(), null)
  await eventually('the second book', async () => (await uuids(server)).length === 2)
  t.equal(server.pid, pid, 'the same process')

  writeFileSync(file, 'broken')
  t.equal(await server.reload(), null)
  t.equal((await uuids(server)).length, 2, 'a broken list leaves the old books')

  await server.want(false)
  t.match(server.state(), { status: 'off', url: null })
  t.notOk(isRunning(pid ?? 0))
  t.same(states, ['starting', 'running', 'off'])
})

t.test('a server that is killed is started again, on the same port', async (t) => {
  if (!real) return t.comment('skipped: zimwriterfs and kiwix-serve are not installed')
  const { server } = await library(t)
  await server.want(true)
  const before = await until(server, 'running')
  const pid = server.pid ?? 0
  process.kill(pid, 'SIGKILL')
  t.match(inWords(await until(server, 'failed')), { url: null, reason: /SIGKILL/ })
  const after = await until(server, 'running')
  t.equal(after.url, before.url)
  t.not(server.pid, pid)
  server.restart(note('no answer'))
  await until(server, 'failed')
  await until(server, 'running')
  t.same(await uuids(server), [source(1).uuid])
})

t.test('nothing is left of it when the program is killed by SIGKILL', async (t) => {
  if (!real) return t.comment('skipped: zimwriterfs and kiwix-serve are not installed')
  const { file } = await library(t)
  const entry = runnable('test/helpers/library-entry.ts')
  const parent = spawn(process.execPath, [...entry.flags, entry.file, file], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => parent.kill('SIGKILL'))
  let said = ''
  parent.stdout.on('data', (chunk) => {
    said += chunk
  })
  const pid = Number(await eventually('it serves', () => /serving (\d+)/.exec(said)?.[1]))
  t.ok(isRunning(pid))
  parent.kill('SIGKILL')
  await eventually('the server is gone', () => !isRunning(pid))
})

t.test('a port that somebody else has is told as that, and taken once it is free', async (t) => {
  if (!real) return t.comment('skipped: zimwriterfs and kiwix-serve are not installed')
  const port = await freePort('127.0.0.1')
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  const { server } = await library(t, {
    settings: { server: 'supervised', port, server_url: '', server_pid_file: '' }
  })
  await server.want(true)
  t.match(inWords(await until(server, 'failed')), {
    url: null,
    reason: `port ${port} of 127.0.0.1 is taken by another program: set library.port to another`
  })
  await new Promise((resolve) => other.close(resolve))
  t.equal((await until(server, 'running')).url, `http://127.0.0.1:${port}`)
})

t.test('a program that is missing, broken or gone at once is told, and nothing else is tried in a hurry', async (t) => {
  const missing = await library(t, { program: () => null })
  await missing.server.want(true)
  t.match(inWords(await until(missing.server, 'missing')), { reason: /install the package kiwix-tools/ })
  const { folder, file } = await library(t)
  const program = join(folder, 'kiwix-serve')
  writeFileSync(program, '#!/bin/sh\necho "Cannot read the library" >&2\nexit 3\n')
  chmodSync(program, 0o755)
  const server = new LibraryServer(serverOptions(file, { program: () => program }))
  t.teardown(() => server.stop())
  await server.want(true)
  t.match(inWords(await until(server, 'failed')), { reason: 'it ended (exit code 3): Cannot read the library' })
})

t.test('an external server is asked at its address and reloaded through its process file', async (t) => {
  if (!real) return t.comment('skipped: zimwriterfs and kiwix-serve are not installed')
  const { folder, file } = await library(t)
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const pidFile = join(folder, 'kiwix.pid')
  const settings = { server: 'external', port: 0, server_url: url, server_pid_file: pidFile } as const
  const server = new LibraryServer(serverOptions(file, { settings }))
  await server.want(true)
  await t.rejects(server.feed(), { code: 'unavailable' })
  t.match(inWords(server.state()), { status: 'external', url, reason: /127\.0\.0\.1/ })
  t.match(inWords(await server.reload()), /kiwix\.pid: ENOENT/)
  for (const text of ['', 'kiwix', '1', '0', '-1', String(process.pid)]) {
    writeFileSync(pidFile, text)
    t.match(inWords(await server.reload()), /there is no process id in it/, `"${text}"`)
  }
  const said = ['--library', '--address', '127.0.0.1', '--port', String(port), file]
  const child: ChildProcess = spawn('kiwix-serve', said, { stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  writeFileSync(pidFile, `${child.pid}\n`)
  t.same(await eventually('it answers', () => uuids(server).catch(() => null)), [source(1).uuid])
  t.match(server.state(), { status: 'external', url, reason: null })
  await writeManifest(file, manifestOf([]))
  t.equal(await server.reload(), null)
  await eventually('it was reloaded', async () => (await uuids(server)).length === 0)
  await server.want(false)
  await server.stop()
  t.ok(isRunning(child.pid ?? 0), 'what somebody else started is theirs to stop')
})

t.test('a newer server has its books below /content: it is asked once, and links begin there', async (t) => {
  const asked: string[] = []
  const feed = `<feed><totalResults>1</totalResults><entry><id>urn:uuid:${source(1).uuid}</id><title>A</title>
<link type="text/html" href="/viewer#archive-1"/></entry></feed>`
  const newer = createHttpServer((req, res) => {
    const { pathname } = new URL(req.url ?? '', 'http://x')
    asked.push(pathname)
    res.statusCode = pathname === '/catalog/v2/entries' || pathname === '/viewer' ? 200 : 404
    res.end(pathname === '/viewer' ? '<html></html>' : feed)
  })
  await new Promise<void>((resolve) => newer.listen(0, '127.0.0.1', resolve))
  t.teardown(() => newer.close())
  const address = newer.address()
  const port = typeof address === 'object' ? address?.port : 0
  const settings = {
    server: 'external',
    port: 0,
    server_url: `http://127.0.0.1:${port}/`,
    server_pid_file: ''
  } as const
  const { file } = await library(t)
  const server = new LibraryServer(serverOptions(file, { settings }))
  t.match(await server.feed(), [{ uuid: source(1).uuid, name: 'archive-1' }])
  await server.feed()
  t.equal(asked.filter((path) => path === '/viewer').length, 1)
  t.match(server.place(), { kind: 'external', prefix: '/content' })
  t.match(inWords(await server.reload()), /it must watch its library file itself/)
})

t.test('without a server there is none, and the settings say why', async (t) => {
  const off = { server: 'off', port: 0, server_url: '', server_pid_file: '' } as const
  const { server } = await library(t, { settings: off })
  await server.want(true)
  t.match(inWords(server.state()), { status: 'off', url: null, reason: 'library.server is off' })
  t.equal(server.place(), null)
  const nowhere = await library(t, { settings: { ...off, server: 'external' } })
  t.match(inWords(nowhere.server.state()), { status: 'failed', reason: 'library.server_url is empty' })
})

t.test('it listens where the dashboard does, by an address it understands', async (t) => {
  const cases: [string, string][] = [
    ['0.0.0.0', '0.0.0.0'],
    ['::', '0.0.0.0'],
    ['', '0.0.0.0'],
    ['::1', '127.0.0.1'],
    ['[::1]', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['192.0.2.7', '192.0.2.7'],
    ['fd00::7', 'fd00::7']
  ]
  for (const [host, address] of cases) t.equal(await listenAddress(host), address, host)
  await t.rejects(listenAddress('nobody.invalid'), { code: 'unavailable' })
})
