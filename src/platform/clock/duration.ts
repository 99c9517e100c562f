const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `30m`, `2h`, `1d`, `1d12h`, in any case: milliseconds; null for anything else, for nothing and for more than 366 days. */
export function parseDuration(text: string): number | null {
  const [, days, hours, minutes] = /^(?:(\d{1,3})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m)?$/.exec(text.toLowerCase()) ?? []
  const ms = Number(days ?? 0) * UNIT_MS.d + Number(hours ?? 0) * UNIT_MS.h + Number(minutes ?? 0) * UNIT_MS.m
  return ms > 0 && ms <= 366 * UNIT_MS.d ? ms : null
}

/** The same the other way round, to the minute below, largest unit first: `1d12h`; under a minute `0m`. */
export function durationText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / UNIT_MS.m))
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor((minutes % 1440) / 60), 'h'],
    [minutes % 60, 'm']
  ] as const
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`])).join('') || '0m'
}
