import type { Setting } from '../../../settings/describe.ts'
import type { Translate } from '../../words/language.ts'

/** A setting with its names and explanations in the language of a page: for its script, which then needs no words of its own for them. */
export function saidSetting(setting: Setting, t: Pick<Translate, 'term'>): Setting {
  const { title, description, members, items, values, kinds } = setting
  const each = (all: Record<string, Setting>): Record<string, Setting> =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, saidSetting(one, t)]))
  return {
    ...setting,
    title: t.term(title),
    ...(description === undefined ? {} : { description: t.term(description) }),
    ...(members === undefined ? {} : { members: each(members) }),
    ...(items === undefined ? {} : { items: saidSetting(items, t) }),
    ...(values === undefined ? {} : { values: saidSetting(values, t) }),
    ...(kinds === undefined ? {} : { kinds: each(kinds) })
  }
}
