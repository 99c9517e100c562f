/** SQL: an event that concerns nobody here is neither news nor an end. */
export const COVERED = "reason NOT IN ('outside', 'unlocated_weather', 'unplaced')"
