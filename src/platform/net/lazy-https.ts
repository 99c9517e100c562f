import type { Agent, AgentOptions } from 'node:https'

/**
 * node:https with all of TLS, loaded when somebody first asks by it: 3.5 MiB of Node 24's own memory (an empty process has 8), which a
 * station without sources, or with the Internet gone, never needs. Not import(): whoever opens a request needs it at once.
 */
export function lazyHttps(): typeof import('node:https') {
  return process.getBuiltinModule('node:https')
}

/** One agent for all that ask by https, made at the first call. */
export function lazyHttpsAgent(options: AgentOptions): () => Agent {
  let agent: Agent | null = null
  return () => {
    agent ??= new (lazyHttps().Agent)(options)
    return agent
  }
}
