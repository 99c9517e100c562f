/// <reference lib="dom" />

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElementHandle } from 'puppeteer-core'
import t from 'tap'
import { makeBackup } from '../../src/platform/backup/make.ts'
import { BackupFolder } from '../../src/platform/backup/manifest.ts'
import { backupFile } from '../../src/platform/backup/one-file.ts'
import { startLookout } from '../helpers/process.ts'
import { checkPage, closeBrowser, openPage } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(300_000)

/** A backup in a file, as a phone has it. */
async function fileOn(folder: string): Promise<string> {
  const data = join(folder, 'old')
  mkdirSync(data)
  writeFileSync(join(data, 'config.json'), JSON.stringify({ station: { name: 'Old Hill' } }))
  const backups = new BackupFolder(join(folder, 'lookout-backups'))
  const { stamp } = await makeBackup({
    dataFolder: data,
    backupFolder: backups.path,
    withKeys: true,
    withArchives: false,
    version: '0.0.0-old',
    now: () => Date.parse('2026-11-27T12:00:00Z'),
    tell: () => undefined,
    onProgress: () => undefined
  })
  const { name, content } = await backupFile(backups, stamp)
  const parts: Uint8Array[] = []
  for await (const part of content()) parts.push(part)
  writeFileSync(join(folder, name), Buffer.concat(parts))
  return join(folder, name)
}

t.test('from the first steps a backup is put back by uploading its file from a phone', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'backup-page-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = await fileOn(folder)
  const started = await startLookout(t, t.testdir({}), { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: started.url, width: 360 })
  if (watched === null) return
  const { page, errors, requests } = watched
  await page.goto(`${started.url}/first-run`)
  await Promise.all([page.waitForNavigation(), page.click('a[href="/backup#back"]')])
  const input = (await page.waitForSelector('#uploader input[type=file]')) as ElementHandle<HTMLInputElement>
  await input.uploadFile(file)
  await page.waitForSelector('button[value="restore-uploaded"]', { timeout: 90_000 })
  const asked = requests.filter((url) => url.includes('/api/upload/'))
  t.same([errors, asked], [[], []], 'nobody asks what became of a document that it is not')
  await checkPage(t, { base: started.url, path: '/backup', name: 'backup-uploaded' })
  const said = await page.$eval('main', (main) => main.innerText)
  for (const words of ['lookout-backup-2026-11-27T12-00-00Z.tar', 'by release 0.0.0-old', 'all of them in it'])
    t.match(said, words)
  await Promise.all([page.waitForNavigation(), page.click('button[value="restore-uploaded"]')])
  await page.waitForFunction(() => document.body.innerText.includes('It takes its place when you start'), {
    timeout: 90_000
  })
})
