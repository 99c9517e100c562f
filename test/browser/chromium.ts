import { existsSync } from 'node:fs'

/** The engine without the windows around it costs a fifth less; its script in /usr/bin would stay between us and it. */
const EXECUTABLES = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium']

/** Path of Debian's browser; another one by CHROMIUM. It need not exist. */
export function chromium(): string {
  return process.env['CHROMIUM'] ?? EXECUTABLES.find((path) => existsSync(path)) ?? '/usr/bin/chromium'
}
