/** The oldest of the young rows: enough of them, so that one stamped by a wrong clock does not decide alone. */
const LOOKED_AT = 50
/** Above every number of a row. */
const NO_ROW = Number.MAX_SAFE_INTEGER

/**
 * Condition for rows that may be forgotten: stamped before `?1`, and not younger by their number than rows stamped since. A stamp in
 * the past on a row that came later is of a clock that was behind, and whoever is forgotten for it is told again.
 */
export function isOlder({ table, number, stamp }: { table: string; number: string; stamp: string }): string {
  return `${stamp} < ?1 AND coalesce(${number}, 0) < coalesce((SELECT min(n) FROM
    (SELECT ${number} AS n FROM ${table} WHERE ${stamp} >= ?1 ORDER BY ${stamp} LIMIT ${LOOKED_AT})), ${NO_ROW})`
}
