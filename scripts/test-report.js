// The way the runner tells what it did.
const SLOWEST = 20

export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
export const sum = (results, member) => results.reduce((total, result) => total + result[member], 0)

export function tellFile({ ok, file, passed, failed, skipped, wallMs, cpuMs }, place) {
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : [])
  ]
  console.log(
    `${ok ? 'ok' : 'not ok'} ${place} - ${file}  ${counts.join(', ')}  ${seconds(wallMs)}, ${seconds(cpuMs)} CPU`
  )
}

/** Tells what a suite took: from its first file to its last, other suites may have gone on beside it. */
export function tellTimes(name, results, { wallMs, compileMs }) {
  const counted = `${sum(results, 'passed')} passed, ${sum(results, 'failed')} failed`
  console.log(
    `\n${name}: ${seconds(wallMs)} wall, ${seconds(sum(results, 'cpuMs'))} CPU of ${results.length} files, compiled in ${seconds(compileMs)}; ${counted}`
  )
}

/** Tells the slowest of all files. */
export function tellSlowest(results) {
  console.log(`\nthe slowest ${Math.min(SLOWEST, results.length)} (wall, CPU):`)
  for (const { file, wallMs: wall, cpuMs } of [...results].sort((a, b) => b.wallMs - a.wallMs).slice(0, SLOWEST))
    console.log(`  ${seconds(wall).padStart(8)} ${seconds(cpuMs).padStart(8)}  ${file}`)
}

export function tellSkipped(results) {
  const reasons = new Map()
  for (const { file, skipped } of results)
    for (const reason of skipped) reasons.set(reason, (reasons.get(reason) ?? new Set()).add(file))
  if (reasons.size === 0) return
  console.log('\nskipped:')
  for (const [reason, files] of reasons) console.log(`  ${reason}: ${[...files].join(', ')}`)
}
