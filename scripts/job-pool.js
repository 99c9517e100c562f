/**
 * Does jobs side by side: as many as their weights, the parts of a processor that they keep busy, leave room for. The next
 * that fits is taken, and one too heavy for all of the room is done alone.
 * @template {{ weight: number }} J
 * @param {J[]} jobs in the order in which they are to begin; more may be put behind them meanwhile
 * @param {number} room
 * @param {(job: J) => Promise<void>} work
 */
export async function pool(jobs, room, work) {
  const going = new Set()
  let used = 0
  for (;;) {
    const at = jobs.findIndex(({ weight }) => used + weight <= room || going.size === 0)
    if (at === -1) {
      // A job that goes on may put more behind the last one.
      if (going.size === 0) return
      await Promise.race(going)
      continue
    }
    const [job] = jobs.splice(at, 1)
    used += job.weight
    const done = work(job).finally(() => {
      used -= job.weight
      going.delete(done)
    })
    going.add(done)
  }
}
