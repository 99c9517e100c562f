// The state that a test file found in its process and has to leave as it was, for the next file runs in the same one.

/** The time that a thing which ends by itself right after a test, such as a socket that was closed, may take. */
const PATIENCE_MS = 1000
/** Handles of the process itself, what goes on inside of Node, and writes: those to a slow reader of stdout last; a socket is told itself. */
const NOT_OURS = /^(?:PipeWrap|TTYWrap|SimpleWriteWrap|FSReq\w+|Immediate|CloseReq)$/

interface State {
  cwd: string
  env: Record<string, string | undefined>
  globals: Set<string>
  listeners: Map<string, number>
}

const listeners = (): Map<string, number> =>
  new Map(
    process
      .eventNames()
      // Whoever starts programs ends them there, once for the whole process.
      .filter((name) => name !== 'exit')
      .map((name) => [String(name), process.listenerCount(name)])
  )

const state = (): State => ({
  cwd: process.cwd(),
  env: { ...process.env },
  globals: new Set(Object.getOwnPropertyNames(globalThis)),
  listeners: listeners()
})

/** Kinds of handles that keep the process alive, each with how many of them. */
function handles(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo())
    if (!NOT_OURS.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

const more = (before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): string[] =>
  [...now].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name)

/** Variables of the environment that are not what they were; they are so again afterwards. */
function restoreEnv(before: State['env']): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)])
  const changed = [...names].filter((name) => process.env[name] !== before[name])
  for (const name of changed) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  return changed
}

/** Remembers how the process is; `left` tells what is different at the end of a file, and undoes what can be undone. */
export function surroundings(): { left: () => Promise<string[]> } {
  const before = state()
  const held = handles()
  return {
    left: async () => {
      const until = Date.now() + PATIENCE_MS
      while (more(held, handles()).length > 0 && Date.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 5))
      const now = state()
      if (now.cwd !== before.cwd) process.chdir(before.cwd)
      return [
        ...(now.cwd === before.cwd ? [] : ['another working folder']),
        ...restoreEnv(before.env).map((name) => `${name} in the environment`),
        ...[...now.globals].filter((name) => !before.globals.has(name)).map((name) => `the global ${name}`),
        ...more(before.listeners, now.listeners).map((name) => `a listener of the process for ${name}`),
        ...more(held, handles()).map((kind) => `an open ${kind}`)
      ]
    }
  }
}
