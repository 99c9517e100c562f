import type { SimulatedRadio } from '../../src/warning/radios/simulated.ts'
import type { Station } from './station.ts'

/** Sends a text to the station and answers what came back within so many seconds, each as `to text` or `channel text`. */
export async function asks(
  s: Station,
  radio: SimulatedRadio,
  text: Parameters<SimulatedRadio['receive']>[0],
  seconds = 60
): Promise<string[]> {
  const before = radio.airLog.length
  radio.receive(text)
  await s.run(seconds)
  return radio.airLog.slice(before).map(({ to, channel, text: answer }) => `${to ?? channel} ${answer}`)
}
