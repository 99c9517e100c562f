/** Values of `LOOKOUT_LOG` and `log_level`, most talkative first. Contract §12. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type SettableLogLevel = (typeof LOG_LEVELS)[number]
