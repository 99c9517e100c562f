// The first steps: a form per step, each saved by itself.

import { t } from '/static/lib/i18n.js'
import { html, render } from '/static/vendor/ui.js'
import { AreaStep } from './area.js'
import { MatrixStep } from './matrix.js'
import { PlaceStep } from './place.js'
import { RadiosStep } from './radios.js'
import { SourcesStep } from './sources.js'
import { canWrite, edition, goTo, isDone, NAMES, notice, STEPS, step } from './state.js'
import { TestStep } from './test.js'

const FORMS = {
  place: PlaceStep,
  area: AreaStep,
  radios: RadiosStep,
  sources: SourcesStep,
  matrix: MatrixStep,
  test: TestStep
}

function Progress() {
  const items = STEPS.map((name, index) => {
    const current = step.value === name ? 'step' : undefined
    const mark = isDone(name) ? html`<span class="done" aria-hidden="true">✓</span>` : null
    const said = isDone(name) ? html`<span class="hidden"> (${t('done')})</span>` : null
    return html`<li>
      <button type="button" aria-current=${current} onClick=${() => goTo(name)}>
        ${name === 'test' ? '' : `${index + 1}. `}${NAMES[name]}${mark}${said}
      </button>
    </li>`
  })
  return html`<ol class="progress" aria-label=${t('Steps')}>${items}</ol>`
}

function FirstRun() {
  const name = step.value
  return html`
    <p class="about">
      ${t('Five steps lead to a first test message. Each is saved by itself, each can be skipped, and everything can be changed later.')}
    </p>
    ${!canWrite && html`<p class="banner note">${t('You may look at this; saving needs the operator.')} <a href="/sign-in?back=/first-run">${t('Sign in')}</a></p>`}
    <${Progress} />
    <section aria-labelledby="step">
      <h2 id="step" tabindex="-1">
        ${name === 'test' ? NAMES.test : t('Step {number} of 5: {name}', { number: STEPS.indexOf(name) + 1, name: NAMES[name] })}
      </h2>
      <p class="notice" role="status">${notice.value}</p>
      <${FORMS[name]} key=${`${name} ${edition.value}`} />
    </section>
  `
}

const place = document.getElementById('first-run')
if (place) {
  place.textContent = ''
  render(html`<${FirstRun} />`, place)
}
