import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../../model/words/languages.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'

/** The files that the build made of each page: `bundles.json` beside the files it names, whose names change with their content. */
export interface BundleList {
  /** By the script of the page below `/static`: the one file of it and of all it imports, in each language. */
  scripts: Record<string, Record<string, string>>
  /** By the sheet of the page below `/static`, `style.css` for none of its own: one file with the common one in it. */
  sheets: Record<string, string>
}

/** The addresses of scripts and sheets as pages name them. */
export interface Bundles {
  /** The folder of the files that never change; null without a build. */
  folder: string | null
  script: (script: string, language: Language) => string
  /** One or two addresses. */
  sheets: (sheet: string | undefined) => readonly string[]
}

const ADDRESS = '/static/bundles'

/** Everything from where it lies: as the sources are served. */
export const UNBUNDLED: Bundles = {
  folder: null,
  script: (script) => `/static/${script}`,
  sheets: (sheet) => ['style.css', ...(sheet === undefined ? [] : [sheet])].map((file) => `/static/${file}`)
}

/** The bundles of a folder; of a folder without them, or for a page that has none, everything from where it lies. */
export function readBundles(folder: string): Bundles {
  const list = readList(join(folder, 'bundles.json'))
  if (list === null) return UNBUNDLED
  const { scripts, sheets } = list
  return {
    folder,
    script: (script, language) => {
      const file = scripts[script]?.[language]
      return file === undefined ? UNBUNDLED.script(script, language) : `${ADDRESS}/${file}`
    },
    sheets: (sheet) => {
      const file = sheets[sheet ?? 'style.css']
      return file === undefined ? UNBUNDLED.sheets(sheet) : [`${ADDRESS}/${file}`]
    }
  }
}

function readList(path: string): BundleList | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as BundleList
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
