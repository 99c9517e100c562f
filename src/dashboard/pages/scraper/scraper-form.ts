import { bytesText, duration, number } from '../../../../web/shared/times.js'
import type { ContainerReport, EngineReport } from '../../../knowledge/scrape/engine.ts'
import { PATTERNS_TEXT } from '../../../knowledge/scrape/path-patterns.ts'
import type { Reason } from '../../../model/reason.ts'
import type { Translate } from '../../words/language.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { type LibraryReader, SCRAPER } from '../library/library-frame.ts'
import { languagesText } from '../library/library-words.ts'

/** Offered first (contract §9, the language list); any other code of ISO 639 can be typed. */
const LANGUAGES = ['eng', 'spa', 'fra', 'deu', 'por', 'rus', 'jpn', 'zho', 'mul'] as const
/** Longer ones are refused. */
const MAX_URL = 2000
const MAX_TITLE = 120

/** The means by which sites are archived here, what they cannot do, and what is missing for more. */
export function engineBox({ chosen, container, builtIn }: EngineReport, { t }: LibraryReader): Html {
  if (chosen === 'container')
    return html`<div class="server"><p><strong class="state good">${t('Whole sites are archived, with a browser.')}</strong> <small>${container.engine ?? ''} · ${container.image}</small></p></div>`
  const why = container.missing.length === 0 ? null : containerHelp(container, t)
  if (chosen === 'built-in')
    return html`<div class="server"><p><strong class="state good">${t('The built-in archiver is used: static pages only.')}</strong></p>
<p>${t('What a page shows only with a script is not kept.')}</p>${why}</div>`
  return html`<div class="server"><p><strong class="state bad">${t('No site can be archived on this machine.')}</strong></p>
<p>${t('For static pages:')} ${sentences(builtIn.missing, t)} <code>sudo apt install zim-tools</code></p>${why}</div>`
}

function containerHelp({ missing, image }: ContainerReport, t: Translate): Html {
  return html`<details class="act"><summary>${t('What is missing for whole sites')}</summary><p>${sentences(missing, t)}</p>
<p class="quiet">${t('Whole sites are archived by the container image {image}, with docker or podman. It is loaded from a file, without the Internet:', { image })} <code>lookout archiver install ${t('FILE')}</code></p></details>`
}

function sentences(missing: readonly Reason[], t: Translate): Content {
  return missing.map((reason) => `${t.reason(reason)}. `)
}

/** The form: an address is enough. */
export function submitForm({ language, t }: LibraryReader): Html {
  const names = LANGUAGES.map((code) => {
    const name = code === 'mul' ? t('several languages') : languagesText(code, language, t)
    return html`<option value="${code}">${name} (${code})</option>`
  })
  return html`<form class="submit" method="post" action="${SCRAPER}" data-stay="clear">
<p class="wide"><label for="url">${t('Address of the site')}</label><input id="url" name="url" type="url" required maxlength="${MAX_URL}" placeholder="https://" autocomplete="off" inputmode="url"></p>
<p><label for="title">${t('Title (may be empty)')}</label><input id="title" name="title" maxlength="${MAX_TITLE}" autocomplete="off"></p>
<p><label for="language">${t('Language')}</label><select id="language" name="language">${names}</select></p>
<p><label for="other">${t('Other language (code)')}</label><input id="other" name="other" maxlength="40" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="${t('ita, or: ita,fra')}"></p>
${moreOptions(t)}
<p class="go"><button class="primary" name="do" value="submit">${t('Archive the site')}</button></p>
</form>`
}

/** The wishes that few jobs have. */
function moreOptions(t: Translate): Html {
  const box = (name: string, label: string, example: string): Html =>
    html`<p><label for="${name}">${label}</label><textarea id="${name}" name="${name}" rows="3" maxlength="${PATTERNS_TEXT}" spellcheck="false" autocapitalize="none" placeholder="${example}"></textarea></p>`
  return html`<details class="act wide"><summary>${t('Which pages, and documents')}</summary><div class="submit">
<p class="wide quiet">${t('One pattern of a path a line; a star stands for anything, a question mark for itself. The first page is always kept.')}</p>
${box('include', t('Only pages like (empty: all)'), '/guide/*')}
${box('exclude', t('No pages like'), '/calendar/*\n/*?print=*')}
<p class="wide"><label class="check"><input type="checkbox" name="documents" value="yes"> ${t('Take linked PDFs and EPUBs into the document library')}</label></p>
</div></details>`
}

/** The limits at which an archiving ends at the latest; the settings change them. */
export function limitsLine({ context, language, t }: LibraryReader): Html {
  const { max_pages, max_bytes, max_minutes, scope, rate_limit_delay, pattern_percent } = context.shownConfig().scraper
  const scopes = {
    host: t('pages of the same host'),
    prefix: t('pages below the first one'),
    domain: t('pages of the host and of those below it')
  }
  const said = t(
    'A site ends after {pages} pages, {size} or {time}, with what it has; {scope}; {delay} s between two.',
    {
      pages: number(max_pages, language),
      size: bytesText(max_bytes, language),
      time: duration(max_minutes * 60_000, language),
      scope: scopes[scope],
      delay: number(rate_limit_delay, language, 2)
    }
  )
  const share = t(
    'Pages that differ in numbers, dates and values alone come last beyond {percent} %, and are left out where they say the same.',
    { percent: number(pattern_percent, language) }
  )
  return html`<p class="quiet">${said} ${pattern_percent < 100 ? share : null} <a href="/settings/scraper">${t('Change')}</a></p>`
}
