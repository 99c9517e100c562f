import { LANGUAGES, type Language } from '../../../model/words/languages.ts'
import { THEMES, type Theme } from '../../server/theme.ts'
import { LANGUAGE_NAMES, type Translate } from '../../words/language.ts'
import { type Html, html } from './html.ts'
import { icon } from './icons.ts'

interface Shown {
  language: Language
  theme: Theme
  /** The page to come back to. */
  path: string
  t: Translate
}

const themeNames = (t: Translate): Readonly<Record<Theme, string>> => ({
  auto: t('As the device'),
  light: t('Light'),
  dark: t('Dark'),
  sunlight: t('Sunlight'),
  night: t('Night (red)')
})

/** The display of the pages in this browser: theme and language, kept in cookies; plain forms. */
export function displayMenu({ language, theme, path, t }: Shown): Html {
  const names = themeNames(t)
  const themes = THEMES.map(
    (name) => html`<button name="to" value="${name}" aria-pressed="${String(name === theme)}">${names[name]}</button>\n`
  )
  return html`<details class="menu"><summary>${icon('display')}<span>${t('Display')}</span></summary>
<div class="sheet small">
<form action="/theme" class="choices"><p>${t('Colours')}</p><input type="hidden" name="back" value="${path}">
${themes}</form>
<div class="choices"><p>${t('Language')}</p>${languageForm(language, path)}</div>
</div></details>`
}

/** One button per language, in its own words. */
export function languageForm(language: Language, path: string): Html {
  const buttons = LANGUAGES.map(
    (name) =>
      html`<button name="to" value="${name}" lang="${name}" aria-pressed="${String(name === language)}">${LANGUAGE_NAMES[name]}</button>\n`
  )
  return html`<form action="/language" class="choices"><input type="hidden" name="back" value="${path}">
${buttons}</form>`
}
