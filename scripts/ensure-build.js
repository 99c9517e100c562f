#!/usr/bin/env node
// Builds what is missing, or older than its sources, so that `npm start` works right after `npm ci`.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

function newest(folder) {
  let time = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && !/\/vendor|\.(?:br|gz)$/.test(`${entry.parentPath ?? entry.path}/${entry.name}`))
      time = Math.max(time, statSync(`${entry.parentPath ?? entry.path}/${entry.name}`).mtimeMs)
  }
  return time
}

function canBuild() {
  try {
    createRequire(import.meta.url).resolve('esbuild')
    return true
  } catch {
    return false
  }
}

const built = `${root}dist/lookout.js`
const stale =
  !existsSync(built) ||
  statSync(built).mtimeMs <
    Math.max(newest(`${root}src`), newest(`${root}web`), statSync(`${root}package.json`).mtimeMs)
if (stale && !canBuild()) {
  process.stderr.write(
    'dist/ is missing or older than src/, and the packages that build it are not installed (npm ci --omit=dev leaves them out).\n' +
      'Run "npm ci && npm run build" here, or copy dist/ and web/vendor/ of this version from a machine that has them.\n'
  )
  process.exit(4)
}
if (stale) {
  process.stderr.write('building dist/ …\n')
  const { status } = spawnSync(process.execPath, [`${root}scripts/build.js`], { stdio: ['ignore', 2, 2] })
  process.exit(status ?? 1)
}
