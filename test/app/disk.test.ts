import { execFileSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { holdLock } from '../../src/lib/data-lock.ts'
import { findProgram } from '../../src/lib/programs.ts'
import { loadDriver } from '../../src/lib/sqlite-driver.ts'
import { eventually, ndjson, type Running, startLookout } from '../helpers/process.ts'

/** Contract §6 and §13 on the real program: damaged files, a folder that goes, and a disk that fails. */

const CONFIG = {
  coverage: { enabled: true, region_tagging: true, areas: [{ name: 'North', bbox: [-115, 44, -113, 45] }] },
  notifications: {
    coalesce_seconds: 0,
    region_routes: { enabled: true, cells: { fire: { North: { mt: 3, mc: 'north' } } } }
  }
}
const fire = (id: string, severity = 'immediate'): object => ({
  ...{ id, severity, source: 'test', family: 'fire', title: `Leave ${id} now`, lat: 44.5, lon: -114 },
  expires: new Date(Date.now() + 3_600_000).toISOString()
})

interface Ready {
  status: string
  problems: { code: string; params: Record<string, string> }[]
}
interface Taken {
  accepted: number
  duplicates: number
  stored?: boolean
}

interface World {
  cwd: string
  data: string
  airLog: string
  start: (env?: Record<string, string>) => Promise<Running>
  aired: (words: string) => number
}

function world(t: Test): World {
  const cwd = t.testdir({ data: { 'config.json': JSON.stringify(CONFIG) } })
  const airLog = join(cwd, 'air.ndjson')
  writeFileSync(airLog, '')
  return {
    cwd,
    airLog,
    data: join(cwd, 'data'),
    start: (env = {}) => startLookout(t, 'data', { cwd, env: { LOOKOUT_AIR_LOG: airLog, ...env } }),
    aired: (words) =>
      ndjson<{ text: string }>(readFileSync(airLog, 'utf8')).filter(({ text }) => text.includes(words)).length
  }
}

async function post(station: Running, event: object): Promise<{ status: number; json: Taken }> {
  const { status, json } = await station.post<Taken>('/api/events', event)
  return { status, json }
}

const ready = async (station: Running): Promise<Ready> => (await station.get<Ready>('/api/health/ready')).json

function overwrite(path: string, at: number, bytes: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(bytes, 0xaa), 0, bytes, at)
  closeSync(file)
}

/** What stands in the log would hide damage of the file. */
async function checkpoint(path: string): Promise<void> {
  const db = new (await loadDriver())(path)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

t.test('damaged files never keep the station from starting: each is put aside, made anew and told', async (t) => {
  const w = world(t)
  const first = await w.start()
  t.equal((await post(first, fire('Early'))).status, 202)
  await eventually('it is on the air', () => w.aired('Early') === 2)
  t.equal((await first.launched.stop()).code, 0)
  for (const name of ['metrics.db', 'knowledge.db', 'lookout.db']) await checkpoint(join(w.data, name))
  overwrite(join(w.data, 'metrics.db'), 0, 100)
  const { size } = statSync(join(w.data, 'knowledge.db'))
  overwrite(join(w.data, 'knowledge.db'), 4096, size - 4096)
  overwrite(join(w.data, 'lookout.db'), 0, 24)
  writeFileSync(join(w.data, 'search.db'), 'garbage'.repeat(1000))
  writeFileSync(join(w.data, 'lookout.lock'), 'garbage'.repeat(1000))
  writeFileSync(join(w.data, 'addresses.sqlite'), 'garbage'.repeat(1000))
  const second = await w.start()
  t.match(await post(second, fire('Croy')), { status: 202, json: { accepted: 1 } })
  await eventually('it is on the air', () => w.aired('Croy') === 2)
  const told = await eventually('lookout.db is made anew', async () => {
    const now = await ready(second)
    return now.status === 'ready' && now
  })
  const aside = told.problems.filter(({ code }) => code === 'database_put_aside').map(({ params }) => params['file'])
  t.same(aside.sort(), ['knowledge.db', 'lookout.db', 'metrics.db'])
  t.match(
    await post(second, fire('Early')),
    { status: 202, json: { duplicates: 1 } },
    'what could be read of it counts'
  )
  t.match((await second.get('/')).text, /lookout\.db was damaged and put aside as lookout\.db\.bad-/)
  t.equal((await second.get('/library')).status, 200)
  t.equal((await second.launched.stop()).code, 0)
})

t.test('a data folder that is removed under the running station is told, and warnings go on leaving', async (t) => {
  const w = world(t)
  const station = await w.start()
  t.match(await post(station, fire('Early')), { status: 202, json: { stored: undefined } })
  rmSync(w.data, { recursive: true })
  t.match(await post(station, fire('Croy')), { status: 202, json: { accepted: 1, stored: false } })
  t.match(await post(station, fire('Croy')), { status: 202, json: { duplicates: 1 } })
  const refused = await station.post<{ detail: string }>('/api/events', fire('late', 'routine'))
  t.equal(refused.status, 503)
  t.match(refused.json.detail, /data folder/)
  await eventually('it is on the air', () => w.aired('Croy') === 2)
  const health = await station.get<Ready>('/api/health/ready')
  t.equal(health.status, 503)
  t.match(
    health.json.problems.find(({ code }) => code === 'storage_failing'),
    { params: { reason: 'folder_gone' } }
  )
  t.match((await station.get('/api/status')).json, { storage: { storing: false, fault: 'gone' } })
  for (const path of ['/', '/events', '/radios', '/settings'])
    t.match((await station.get(path)).text, /memory of what was sent is lost with the next restart/, path)
  t.match(station.launched.stderr, /sent from memory, which the next restart loses/)
  const { code, stderr } = await station.launched.stop()
  t.equal(code, 0)
  t.notMatch(stderr, /unexpected error/)
})

t.test(
  'a disk that was pulled and comes back holds what was sent meanwhile, and its folder is locked again',
  async (t) => {
    const w = world(t)
    const station = await w.start()
    t.equal((await post(station, fire('Early'))).status, 202)
    await eventually('it is on the air', () => w.aired('Early') === 2)
    renameSync(w.data, `${w.data}-pulled`)
    t.match(await post(station, fire('Croy')), { status: 202, json: { accepted: 1, stored: false } })
    // Another mount of it: other inodes, and a lock that nobody holds.
    cpSync(`${w.data}-pulled`, w.data, { recursive: true })
    rmSync(`${w.data}-pulled`, { recursive: true })
    await eventually('storing works again', async () => (await ready(station)).status === 'ready')
    await t.rejects(
      holdLock(join(w.data, 'lookout.lock')),
      { code: 'conflict' },
      'a second station would send it all twice'
    )
    t.match(await post(station, fire('Croy')), { status: 202, json: { duplicates: 1, stored: undefined } })
    t.equal((await station.launched.stop()).code, 0)
    const again = await w.start()
    for (const id of ['Early', 'Croy'])
      t.match(await post(again, fire(id)), { status: 202, json: { duplicates: 1 } }, id)
    t.equal((await again.launched.stop()).code, 0)
    t.match([w.aired('Early'), w.aired('Croy')], [2, 2])
  }
)

/** Stands between the program and the disk: while FAULT_FILE holds a name of an error, writes below FAULT_ROOT fail with it. */
const SHIM = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int fault(void) {
  const char *at = getenv("FAULT_FILE");
  char name[16] = {0};
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  if (at == NULL) return 0;
  int file = real_open(at, O_RDONLY);
  if (file < 0) return 0;
  ssize_t got = read(file, name, sizeof name - 1);
  close(file);
  if (got <= 0) return 0;
  if (strncmp(name, "EIO", 3) == 0) return EIO;
  if (strncmp(name, "EROFS", 5) == 0) return EROFS;
  if (strncmp(name, "ENOSPC", 6) == 0) return ENOSPC;
  return 0;
}
static int concerns(int fd) {
  char link[64], path[4096];
  const char *root = getenv("FAULT_ROOT");
  if (root == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strncmp(path, root, strlen(root)) == 0;
}
#define FAILS(fd) do { if (concerns(fd)) { int error = fault(); if (error) { errno = error; return -1; } } } while (0)
#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
ssize_t write(int fd, const void *b, size_t n) { REAL(write); FAILS(fd); return real(fd, b, n); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { REAL(pwrite); FAILS(fd); return real(fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { REAL(pwrite64); FAILS(fd); return real(fd, b, n, o); }
int fsync(int fd) { REAL(fsync); FAILS(fd); return real(fd); }
int fdatasync(int fd) { REAL(fdatasync); FAILS(fd); return real(fd); }
int ftruncate(int fd, off_t n) { REAL(ftruncate); FAILS(fd); return real(fd, n); }
int ftruncate64(int fd, off64_t n) { REAL(ftruncate64); FAILS(fd); return real(fd, n); }
static int opens(const char *p, int f) {
  const char *root = getenv("FAULT_ROOT");
  return root != NULL && (f & (O_WRONLY | O_RDWR | O_CREAT)) != 0 && strncmp(p, root, strlen(root)) == 0 && fault() == EROFS;
}
#define OPEN(name) int name(const char *p, int f, ...) { \\
  va_list list; va_start(list, f); int mode = va_arg(list, int); va_end(list); \\
  REAL(name); \\
  if (opens(p, f)) { errno = EROFS; return -1; } return real(p, f, mode); }
OPEN(open)
OPEN(open64)
int access(const char *p, int m) {
  REAL(access);
  const char *root = getenv("FAULT_ROOT");
  if ((m & W_OK) && root != NULL && strncmp(p, root, strlen(root)) == 0 && fault() == EROFS) { errno = EROFS; return -1; }
  return real(p, m);
}
`

const compiler = process.platform === 'linux' ? (findProgram('cc') ?? findProgram('gcc')) : null

t.test('a disk that fails', { skip: compiler === null && 'no C compiler' }, async (t) => {
  const made = mkdtempSync(join(tmpdir(), 'lookout-shim-'))
  t.teardown(() => rmSync(made, { recursive: true }))
  writeFileSync(join(made, 'shim.c'), SHIM)
  execFileSync(String(compiler), ['-shared', '-fPIC', '-O1', '-o', 'shim.so', 'shim.c', '-ldl'], { cwd: made })

  const failing = (t: Test): World & { env: Record<string, string>; fail: (error: string) => void } => {
    const w = world(t)
    const faultFile = join(w.cwd, 'fault')
    writeFileSync(faultFile, '')
    const env = { LD_PRELOAD: join(made, 'shim.so'), FAULT_FILE: faultFile, FAULT_ROOT: `${w.data}/` }
    return { ...w, env, fail: (error) => writeFileSync(faultFile, error) }
  }

  for (const [error, reason, status] of [
    ['EIO', 'io_error', 503],
    ['EROFS', 'read_only|io_error', 503],
    ['ENOSPC', 'disk_full', 507]
  ] as const) {
    t.test(`with ${error}: warnings leave once and are written down when it works again`, async (t) => {
      const w = failing(t)
      const station = await w.start(w.env)
      t.match(await post(station, fire('Early')), { status: 202, json: { stored: undefined } })
      w.fail(error)
      t.match(await post(station, fire('Croy')), { status: 202, json: { accepted: 1, stored: false } })
      t.match(await post(station, fire('Early')), { status: 202, json: { duplicates: 1 } })
      t.equal((await post(station, fire('late', 'priority'))).status, status)
      await eventually('it is on the air', () => w.aired('Croy') === 2)
      const problem = (await ready(station)).problems.find(({ code }) => code === 'storage_failing')
      t.match(problem?.params['reason'], new RegExp(reason))
      t.match((await station.get('/')).text, /memory of what was sent is lost with the next restart/)
      w.fail('')
      await eventually('storing works again', async () => (await ready(station)).status === 'ready')
      t.match(await post(station, fire('Croy')), { status: 202, json: { duplicates: 1, stored: undefined } })
      t.equal((await station.launched.stop()).code, 0)
      const again = await w.start()
      t.match(await post(again, fire('Croy')), { status: 202, json: { duplicates: 1 } })
      t.equal(w.aired('Croy'), 2)
      t.equal((await again.launched.stop()).code, 0)
    })
  }

  t.test('a station starts on a disk that can only be read, and warns', async (t) => {
    const w = failing(t)
    const first = await w.start()
    t.equal((await post(first, fire('Early'))).status, 202)
    await eventually('it is on the air', () => w.aired('Early') === 2)
    t.equal((await first.launched.stop()).code, 0)
    const before = readdirSync(w.data).sort()
    w.fail('EROFS')
    const station = await w.start(w.env)
    t.match(await post(station, fire('Croy')), { status: 202, json: { accepted: 1, stored: false } })
    t.match(await post(station, fire('Early')), { status: 202, json: { duplicates: 1 } }, 'what it can read counts')
    await eventually('it is on the air', () => w.aired('Croy') === 2)
    t.equal((await station.get('/api/health/ready')).status, 503)
    t.equal((await station.launched.stop()).code, 0)
    t.same(readdirSync(w.data).sort(), before)
  })
})
