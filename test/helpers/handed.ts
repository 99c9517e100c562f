import type { PacketIdentity, Radio, RadioMessage, Receipt } from '../../src/warning/radios/radio.ts'
import type { SimulatedRadio } from '../../src/warning/radios/simulated.ts'
import type { Station } from './station.ts'

export interface Handed extends RadioMessage {
  at: number
}

/** Everything this radio is handed from now on. */
export function handedTo(radio: Radio, s: Pick<Station, 'clock'>): Handed[] {
  const handed: Handed[] = []
  const send = radio.send.bind(radio)
  radio.send = (message) => {
    handed.push({ ...message, at: s.clock.now() })
    return send(message)
  }
  return handed
}

/** A receipt as a driver gives it. */
export function report(
  radio: Radio,
  identity: PacketIdentity | undefined,
  receipt: Omit<Receipt, 'identity' | 'at'>
): void {
  const { kind, ...details } = receipt
  Reflect.get(radio, 'report').call(radio, { entry: { identity } }, kind, details)
}

/** From now on this radio takes texts and says nothing, until `mended`. */
export function unanswering(
  radio: SimulatedRadio,
  silentNext: 'discarded' | 'on-air' = 'discarded'
): { mended: boolean } {
  const fault = { mended: false }
  const send = radio.send.bind(radio)
  radio.send = (message) => {
    if (!fault.mended) radio.setFault({ silentNext })
    return send(message)
  }
  return fault
}
