/** Looks whether programs that read strangers' files get their views in a booted image: docs/decisions/0068. */
import { setTimeout as pause } from 'node:timers/promises'
import { PROSE, samplePdf } from '../test/helpers/documents.ts'
import type { Board } from './image-board.ts'

const CONVERTED_MS = 10 * 60_000
/** Of the unit of the station: what would take something of it away when the doctor ends, or end the doctor on a busy machine. */
const NOT_THE_DOCTORS = 'RuntimeDirectory|Restart|Watchdog|Timeout|NotifyAccess'

/** Makes a unit that runs the doctor in the surroundings of the station, of the station's own: `unit` to `to`. */
export const doctorUnit = (unit: string, to: string): string =>
  `sed -E -e 's/^Type=.*/Type=oneshot/' -e '/^(${NOT_THE_DOCTORS})/d' -e 's,^(ExecStart=).* start$,\\1-/opt/lookout/current/bin/node /opt/lookout/current/dist/lookout.js doctor --json,' ${unit} >${to}`

/** Megabytes of all processes of these units: a line of /proc/PID/status. */
export const memoryOf = (line: string, ...units: readonly string[]): string =>
  `for p in $(find ${units.map((unit) => `/sys/fs/cgroup/system.slice/${unit}`).join(' ')} -name cgroup.procs -exec cat {} + 2>/dev/null); do cat /proc/$p/status; done | awk '/^${line}/ { s += $2 } END { printf "%.1f\\n", s / 1024 }'`

const DOCTOR = '/run/systemd/system/lookout-doctor.service'

/** Each answers with one line. */
export const VIEWS = {
  sandbox_socket: 'systemctl is-active lookout-sandbox.socket',
  sandbox_before: 'systemctl is-active lookout-sandbox.service',
  s6_sudod: 'command -v s6-sudod',
  own_views: 'find /run/systemd -name 20-views.conf | wc -l',
  view: `${doctorUnit('/usr/lib/systemd/system/lookout.service', DOCTOR)}; systemctl daemon-reload; systemctl start lookout-doctor; journalctl -b -o cat -u lookout-doctor | grep -o 'files: [^;]*; network: [^;]*' | tail -n 1`,
  sandbox: 'systemctl is-active lookout-sandbox.service'
} as const

/** Faults of what VIEWS answered. */
export function faultsOfViews(found: Readonly<Record<string, string>>): string[] {
  const wanted: Record<keyof typeof VIEWS, string> = {
    sandbox_socket: 'active',
    sandbox_before: 'inactive',
    s6_sudod: '/usr/bin/s6-sudod',
    own_views: '0',
    view: 'files: those of their job (bubblewrap, in a service of its own); network: none (bubblewrap)',
    sandbox: 'active'
  }
  return Object.entries(wanted).flatMap(([name, value]) =>
    found[name] === value ? [] : [`${name}: "${found[name]}" instead of "${value}"`]
  )
}

/** An operator gives the station a document; seconds until it is complete. @throws Error when it does not become so */
export async function converted(board: Board, token: string): Promise<number> {
  const begun = performance.now()
  const pdf = await samplePdf([PROSE, PROSE], { title: 'Wells' })
  const { hash } = await board.upload('wells.pdf', pdf, token)
  for (let said = ''; performance.now() - begun < CONVERTED_MS; await pause(1000)) {
    const answer = await board.call('GET', `/api/upload/${hash}/status`)
    said = await answer.text()
    const { status } = JSON.parse(said) as { status?: string }
    if (status === 'complete') return Math.round((performance.now() - begun) / 1000)
    if (status === 'failed' || status === 'rejected') throw new Error(`the document: ${said}`)
  }
  throw new Error(`the document is not complete after ${CONVERTED_MS / 60_000} min`)
}
