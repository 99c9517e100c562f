import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually, launch, readyLine } from '../helpers/process.ts'

/** A real datagram socket in the place of systemd's: contract §12. A real systemd: scripts/try-unit.sh. */

const CONFIG = JSON.stringify({ station: { name: 'Test station' }, http: { local_operator: true } })
const missing = ['perl', 'systemd-notify'].filter((name) => spawnSync(name, ['--version']).error !== undefined)
const skip = missing.length === 0 ? false : `not installed: ${missing.join(', ')}`

interface Heard {
  socket: string
  /** All that was said so far. */
  words: () => string
}

/** It drops the descriptor of the barrier as systemd does, for which systemd-notify waits; socat would keep it. */
const EAR = `use Socket; $| = 1; socket(S, AF_UNIX, SOCK_DGRAM, 0) and bind(S, sockaddr_un($ARGV[0])) or die $!;
while (defined recv(S, $m, 65536, 0)) { print "$m\n" unless $m eq "BARRIER=1" }`

/** Outside of the test folder: the path of a socket has room for 107 bytes. */
async function listen(t: Test): Promise<Heard> {
  const folder = mkdtempSync(join(tmpdir(), 'notify-'))
  const socket = join(folder, 's')
  let words = ''
  const ear = spawn('perl', ['-e', EAR, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  ear.stdout.setEncoding('utf8').on('data', (text: string) => (words += text))
  const gone = new Promise((resolve) => ear.once('exit', resolve))
  t.teardown(async () => {
    ear.kill('SIGKILL')
    await gone
    rmSync(folder, { recursive: true })
  })
  await eventually('the socket is there', () => existsSync(socket))
  return { socket, words: () => words }
}

const count = (text: string, word: string): number => text.split(word).length - 1

t.test(
  'the service manager hears of start, life and stop; a process that stands still says nothing',
  { skip },
  async (t) => {
    const { socket, words } = await listen(t)
    const cwd = t.testdir({ data: { 'config.json': CONFIG } })
    const args = ['start', '--port', '0', '--data', 'data', '--no-demo']
    const launched = launch(t, { cwd, args, env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '2400000' } })
    await launched.until('the ready line', () => readyLine(launched.stdout))
    await eventually('it lives', () => count(words(), 'WATCHDOG=1') >= 3)
    t.match(words(), /^EXTEND_TIMEOUT_USEC=60000000\nSTATUS=starting/)
    t.match(words(), /READY=1\nSTATUS=2 of 2 radios ready, 0 messages wait|READY=1\nSTATUS=\d of 2 radios ready/)
    t.equal(count(words(), 'READY=1'), 1)

    launched.signal('SIGSTOP')
    // A word may be on its way. Twice the time in which systemd would have ended it.
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const before = count(words(), 'WATCHDOG=1')
    await new Promise((resolve) => setTimeout(resolve, 4800))
    t.equal(count(words(), 'WATCHDOG=1'), before)

    launched.signal('SIGCONT')
    await eventually('it lives again', () => count(words(), 'WATCHDOG=1') >= before + 2)
    const { code } = await launched.stop()
    t.equal(code, 0)
    await eventually('it said that it stops', () => words().includes('STOPPING=1'))
    t.match(words(), /STOPPING=1\nSTATUS=stopping\n$/, 'and nothing after that')
  }
)

t.test('what passes the words on is started again when it dies, and goes with the station', { skip }, async (t) => {
  const { socket, words } = await listen(t)
  const cwd = t.testdir({ data: { 'config.json': CONFIG } })
  const args = ['start', '--port', '0', '--data', 'data', '--no-demo']
  const launched = launch(t, { cwd, args, env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '2400000' } })
  await launched.until('the ready line', () => readyLine(launched.stdout))
  const relay = (): number[] =>
    spawnSync('pgrep', ['-P', String(launched.child.pid), '-f', 'systemd-notify'], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line !== '')
      .map(Number)
  const first = relay()[0] ?? 0
  t.ok(first > 0, 'something passes the words on')
  process.kill(first, 'SIGKILL')
  await eventually('another one is there', () => relay().some((pid) => pid !== first))
  const before = count(words(), 'WATCHDOG=1')
  await eventually('it is heard', () => count(words(), 'WATCHDOG=1') > before)
  const [second] = relay()
  await launched.kill()
  await eventually('it went too', () => second === undefined || !existsSync(`/proc/${second}`))
})

t.test('where nobody listens, nothing is started for it', async (t) => {
  const cwd = t.testdir({ data: { 'config.json': CONFIG } })
  const launched = launch(t, { cwd, args: ['start', '--port', '0', '--data', 'data', '--no-demo'] })
  await launched.until('the ready line', () => readyLine(launched.stdout))
  t.notMatch(
    spawnSync('pgrep', ['-P', String(launched.child.pid), '-a'], { encoding: 'utf8' }).stdout,
    /systemd-notify/
  )
})
