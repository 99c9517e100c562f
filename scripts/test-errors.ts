// Stands in for the package `async-hook-domain` in compiled tests. That one follows every promise to learn in which test it
// began, which makes each `await` cost about ten times as much. Here one test runs after another, so an error that nobody
// caught is that of the test that runs.
type Told = (error: unknown, origin: string) => void
interface Running {
  activeSubtests: ReadonlySet<Running>
  hookDomain: Domain
}

let root: Running | null = null
/** Made before the root of all tests is known: the root's own. */
let first: Domain | null = null

/** Names the root of all tests, in which the running one is looked for. */
export function errorsGoTo(tests: unknown): void {
  root = tests as Running
}

function running(): Domain | null {
  if (root === null) return first
  let test = root
  for (let inner: Running | undefined = root; inner !== undefined; inner = [...inner.activeSubtests].at(-1))
    test = inner
  return test.hookDomain
}

/** Whatever the test makes of it, the process has failed. */
function tell(error: unknown, origin: string): void {
  process.exitCode = 1
  running()?.onerror(error, origin)
}

/** The exports of the package, as far as tap uses them. */
export class Domain {
  readonly onerror: Told

  constructor(onerror: Told) {
    this.onerror = onerror
    first ??= this
  }

  // tap asks for it; nothing is kept here that would have to go.
  destroy(): void {}
}

process.on('uncaughtExceptionMonitor', (error, origin) => {
  // A test that listens itself wants to see the error itself.
  if (process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0) return
  tell(error, origin)
  process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null))
})
process.on('unhandledRejection', (error) => {
  if (process.listenerCount('unhandledRejection') === 1) tell(error, 'unhandledRejection')
})
