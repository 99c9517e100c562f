import type { Clock } from '../platform/clock/clock.ts'
import { isClockSet } from '../platform/clock/clock-set.ts'
import type { SelfReport } from '../warning/readiness/self-report.ts'

const EVERY_MS = 1000
/** NTP steps by less, and a daylight saving change is none: this is somebody, or a board that lost its battery. */
const JUMP_MS = 60_000

/**
 * Looks every second at how much time has passed, by the wall clock and by one that cannot be set: tells when the wall clock
 * leapt (contract §13). `onLeap`: also when it is set for the first time. Answers how to stop.
 */
export function watchTime(
  report: Pick<SelfReport, 'clockJumped'>,
  {
    clock,
    steady = () => performance.now(),
    onLeap = () => undefined
  }: { clock: Clock; steady?: () => number; onLeap?: () => void }
): () => void {
  let cancel = (): void => undefined
  let [wall, passed] = [clock.now(), steady()]
  const look = (): void => {
    const [wallNow, passedNow] = [clock.now(), steady()]
    const took = passedNow - passed
    const leapt = wallNow - wall - took
    if (Math.abs(leapt) > JUMP_MS) onLeap()
    // A clock that was never set and now is has been mended.
    if (Math.abs(leapt) > JUMP_MS && isClockSet(wall)) report.clockJumped(Math.round(leapt / 1000), wallNow)
    ;[wall, passed] = [wallNow, passedNow]
    cancel = clock.after(EVERY_MS, look)
  }
  cancel = clock.after(EVERY_MS, look)
  return () => cancel()
}
