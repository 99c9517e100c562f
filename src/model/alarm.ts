/**
 * How a stored message rings, fixed at its first attempt as its words are: the bell in its text, an alert packet beside or in
 * place of the text, both; `packet`: it is the alert packet beside the text of another message.
 */
export const ALARMS = ['bell', 'beside', 'beside_bell', 'instead', 'instead_bell', 'packet'] as const
export type Alarm = (typeof ALARMS)[number]

/** Those whose message leaves as an alert packet itself: firmware wants them apart. */
export const AS_PACKETS = ['instead', 'instead_bell', 'packet'] as const satisfies readonly Alarm[]
const WITH_BELL: ReadonlySet<Alarm> = new Set(['bell', 'beside_bell', 'instead_bell'])

/** ASCII BEL, at which clients of Meshtastic and its module for notifications ring. */
const BELL = '\u0007'

/** The words as they are handed over: the first part rings. */
export function rung(text: string, alarm: Alarm | null, part: number): string {
  return part === 0 && alarm !== null && WITH_BELL.has(alarm) ? text + BELL : text
}

/** True when this part leaves as Meshtastic's alert (port 11) and not as its text message. */
export function isAlertPacket(alarm: Alarm | null, part: number): boolean {
  return part === 0 && AS_PACKETS.some((one) => one === alarm)
}

/** True when an alert packet with the same words follows the text. */
export function hasPacketBeside(alarm: Alarm | null): boolean {
  return alarm === 'beside' || alarm === 'beside_bell'
}
