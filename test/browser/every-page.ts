import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { tableOfRoutes } from '../helpers/answer-check.ts'
import { type GuestWorld, guestWorld } from '../helpers/guest-world.ts'

const root = join(import.meta.dirname, '..', '..')

/** The built program with as much on every page as a station comes to have. */
export async function fullStation(t: Pick<Test, 'teardown'>): Promise<GuestWorld> {
  execFileSync(process.execPath, [join(root, 'scripts/ensure-build.js')], { stdio: ['ignore', 2, 2] })
  const folder = mkdtempSync(join(tmpdir(), 'lookout-pages-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'data'))
  return guestWorld(t, folder, { program: join(root, 'dist/lookout.js') })
}

/** The address of every page that the table of routes has, each with something on it. */
export async function everyPage({ station, eventId, hash }: GuestWorld): Promise<string[]> {
  const { text } = await station.get('/search?q=water')
  const [, code = ''] = /href="\/k\/([^"?]+)/.exec(text) ?? []
  const values: Record<string, string> = { id: eventId, hash, code, section: 'station' }
  const paths = tableOfRoutes()
    .filter(({ method, summary }) => method === 'GET' && summary === '')
    .map(({ path }) => path.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? 'none'))
  const found: string[] = []
  for (const path of paths) {
    const answer = await fetch(station.url + path, { redirect: 'manual', headers: { accept: 'text/html' } })
    await answer.body?.cancel()
    if (answer.status === 200 && answer.headers.get('content-type')?.startsWith('text/html')) found.push(path)
  }
  return [...found, '/search?q=water', '/settings/notifications']
}
