/** A report as anybody may post it (docs/interface.md §2), of a day that is over; with `sent_at` of now it is news. */
export const FIRE = {
  id: 'fire-1',
  source: 'test',
  family: 'fire',
  severity: 'priority',
  title: 'Fire at Galena',
  sent_at: '2026-06-01T18:00:00Z',
  lat: 44.5,
  lon: -114
}
