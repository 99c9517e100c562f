import type { VerbContext } from '../cli/verb.ts'

/** Parts of the walk of a warning that verbs ask for; each is loaded when it is asked for. */
export const verbTools: Pick<VerbContext, 'simulatedRadios' | 'parseFeedFile' | 'readSource' | 'pollSource'> = {
  simulatedRadios: async (mcNames, clock) =>
    (await import('../warning/radios/create.ts')).createRadios({
      configured: [],
      allowSimulatedDefault: true,
      mcNames,
      clock
    }),
  parseFeedFile: async (content, options) =>
    (await import('../warning/feeds/recorded.ts')).readAnyFeed(content, options),
  readSource: async (body, options) => (await import('../warning/feeds/look.ts')).readRecorded(body, options),
  pollSource: async (options) => (await import('../warning/feeds/look.ts')).pollOnce(options)
}
