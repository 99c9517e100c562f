import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { mailServer } from '../helpers/mail-server.ts'
import { startLookout } from '../helpers/process.ts'
import { closeBrowser, openPage } from './harness.ts'

/** Every kind of destination is tried from the page, on the real program with real servers (docs/interface.md §5). */

t.teardown(closeBrowser)

async function receiver(t: Test): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      bodies.push(body)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/topic`, bodies }
}

t.test(
  'webhook, ntfy, e-mail and a direct text are tried from their settings, and each says what became of it',
  async (t) => {
    const [hook, topic, mail] = [await receiver(t), await receiver(t), await mailServer(t)]
    const destinations = {
      'a hook': { type: 'webhook', webhook_url: hook.url },
      'b phone': { type: 'ntfy', webhook_url: topic.url },
      'c mail': {
        ...{ type: 'email', smtp_host: '127.0.0.1', smtp_port: mail.port, smtp_tls: false },
        ...{ from_address: 'a@example.org', recipients: ['b@example.org'] }
      },
      'd team': { type: 'mesh_dm', node_ids: ['!a1b2c3d4'] },
      'e nowhere': { type: 'webhook', webhook_url: 'http://127.0.0.1:1/' }
    }
    const radios = [{ id: 'mt', network: 'mt', link: 'simulated' }]
    const folder = t.testdir({ data: { 'config.json': JSON.stringify({ notifications: { destinations }, radios }) } })
    const station = await startLookout(t, 'data', { cwd: folder, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
    const watched = await openPage(t, { base: station.url })
    if (watched === null) return
    const { page } = watched
    await page.goto(`${station.url}/settings/notifications`)
    await page.waitForFunction(
      (count) =>
        [...document.querySelectorAll('button')].filter((one) => one.innerText === 'Send a test').length === count,
      { timeout: 15_000 },
      Object.keys(destinations).length
    )
    const said = await page.evaluate(async () => {
      const buttons = [...document.querySelectorAll('button')].filter((one) => one.innerText === 'Send a test')
      for (const button of buttons) button.click()
      const outcomes = buttons.map((button) => button.closest('p')?.nextElementSibling as HTMLElement)
      while (outcomes.some(({ innerText }) => innerText === '')) await new Promise((resolve) => setTimeout(resolve, 50))
      return outcomes.map(({ innerText }) => innerText)
    })
    const taken = 'The server took it. Look whether it arrives.'
    t.same(said.slice(0, 4), [taken, taken, taken, 'It waits for its radio: Messages tells what becomes of it.'])
    t.match(said[4], /^It was not taken: fetch failed/)
    t.match(hook.bodies, [/Nothing has happened/])
    t.match(topic.bodies, [/Nothing has happened/])
    t.match(mail.mails, [/Subject: TEST /])
    await page.goto(`${station.url}/deliveries`)
    t.match(await page.evaluate(() => document.body.innerText), /!a1b2c3d4[\s\S]*TEST/)
    t.same(watched.errors, [])
  }
)
