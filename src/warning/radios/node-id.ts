const BROADCAST = 0xffff_ffff

/** The number of the Meshtastic node written `!a1b2c3d4` or in decimal; null when it names no single node. */
export function parseNodeId(text: string): number | null {
  const hex = /^!([0-9a-f]{8})$/i.exec(text)?.[1]
  const value = hex === undefined ? decimal(text) : Number.parseInt(hex, 16)
  return value > 0 && value < BROADCAST ? value : null
}

function decimal(text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : 0
}
