import fc from 'fast-check'

/**
 * Loaded before every test: the same inputs on every machine, so that a failure comes back.
 * LOOKOUT_FUZZ_SEED=random looks for new ones; a number repeats one that was found.
 */
const wanted = process.env['LOOKOUT_FUZZ_SEED'] ?? '20260601'
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) })
