/**
 * Writes the two tables of questions about addresses from the made-up countries they belong to. What is right in them follows from how
 * the countries are made, not from what the program finds.
 *
 *   node --import=tsx scripts/address-questions.ts
 */
import { writeFileSync } from 'node:fs'
import { TABLES, tablePath, tableText } from '../test/knowledge/addresses/tables.ts'

for (const table of TABLES) writeFileSync(tablePath(table), tableText(table))
