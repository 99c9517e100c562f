/** The part of docs/configuration.md about profiles/. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { profileSchema } from '../src/settings/profile.ts'
import { jsonSchema, type Schema } from './docs-schema.ts'
import { table } from './docs-table.ts'

type Tree = { [key: string]: Tree | string | number | boolean }

function leaves(tree: Tree, path: readonly string[] = []): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'object' ? leaves(value, [...path, key]) : [[[...path, key].join('.'), String(value)]]
  )
}

/** For values whose schema has no description of its own. */
const PROFILE_WORDS: Record<string, string> = {
  'http.host': 'Where the dashboard listens when nothing else says so.',
  'tuning.upload_max_bytes': 'Largest upload, bytes.',
  retention: 'How many days each is kept.'
}

function profileMeaning(path: string): string {
  const own = PROFILE_WORDS[path] ?? PROFILE_WORDS[path.split('.')[0] ?? '']
  if (own !== undefined) return own
  let schema: Schema | undefined = jsonSchema(profileSchema)
  let words = ''
  for (const key of path.split('.')) {
    schema = schema?.properties?.[key]
    words = schema?.description ?? words
  }
  return words
}

/** Every value of every profile. */
export function profileTable(root: string): string {
  const folder = join(root, 'profiles')
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
  const read = files.map((file): [string, Map<string, string>] => [
    file.replace(/\.json$/, ''),
    new Map(leaves(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Tree))
  ])
  const words = read.map(([name, values]) => `- \`${name}\`: ${values.get('description')}`)
  const [first] = read
  const paths = [...(first?.[1].keys() ?? [])].filter((path) => path !== 'description')
  const rows = paths.map((path) => [
    `\`${path}\``,
    ...read.map(([, values]) => values.get(path) ?? ''),
    profileMeaning(path)
  ])
  return `${words.join('\n')}\n\n${table(['Value', ...read.map(([name]) => name), 'Meaning'], rows)}`
}
