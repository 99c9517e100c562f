import { networkInterfaces } from 'node:os'

const EVERY_ADDRESS = new Set(['0.0.0.0', '[::]'])

/** The address that a phone in the same network opens; null where the dashboard listens to this machine alone. */
export function addressForPhones(url: string, interfaces = networkInterfaces()): string | null {
  const target = new URL(url)
  const { hostname } = target
  if (!EVERY_ADDRESS.has(hostname)) return /^(?:127\.|\[::1\]|localhost$)/.test(hostname) ? null : url
  const found = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'))
  if (found === undefined) return null
  target.hostname = found.address
  return target.origin
}

/**
 * The page that signs in, with the claim code filled in, as a QR code of half blocks for a terminal, dark on light: 33 columns,
 * 17 lines. The code is good once, and only until somebody has claimed the station. It stands in the fragment, which no server is sent.
 */
export async function claimPicture(address: string, code: string): Promise<string> {
  const { generate } = await import('lean-qr')
  const picture = generate(`${address}/sign-in#code=${code}`)
  const lines: string[] = []
  const margin = 2
  for (let y = -margin; y < picture.size + margin; y += 2) {
    let line = ''
    for (let x = -margin; x < picture.size + margin; x++) line += halves(picture.get(x, y), picture.get(x, y + 1))
    // White on black whatever the terminal is: a scanner wants dark on light.
    lines.push(`\u001b[97;40m${line}\u001b[0m`)
  }
  return `${lines.join('\n')}\n`
}

/** A character is two cells high; what is light in the code is printed. */
function halves(upper: boolean, lower: boolean): string {
  if (upper) return lower ? ' ' : '▄'
  return lower ? '▀' : '█'
}
