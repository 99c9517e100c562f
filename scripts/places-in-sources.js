// Places of compiled files, as stacks tell them, in the words of the sources. Only what failed pays for it: a process that maps
// its own stacks (--enable-source-maps) reads every map at its start, which cost it half of what a small file takes.
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'

const PLACE = /(?:file:\/\/)?([^\s()'"]*\.tap\/compiled\/\d+\/[^\s()'":]+\.js):(\d+):(\d+)/g

/** The map beside a compiled file; null when there is none. */
function mapOf(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

/** @param {string} text of stacks @returns {string} the same, with `src/x.ts:LINE:COLUMN` wherever a map tells it */
export function asInSources(text) {
  const maps = new Map()
  return text.replace(PLACE, (place, name, line, column) => {
    const file = resolve(name)
    if (!maps.has(file)) maps.set(file, mapOf(file))
    const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry?.originalSource === undefined) return place
    const source = relative('', resolve(dirname(file), entry.originalSource))
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}
