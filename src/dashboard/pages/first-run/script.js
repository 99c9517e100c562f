// The first steps: a form per step, each saved by itself.

import '/static/lib/shell.js'
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { firstStepsHead, STEPS, stepList } from '/static/shared/first-steps.js'
import { toast } from '/static/shared/parts.js'
import { html, render } from '/static/vendor/ui.js'
import { AreaStep } from './area.js'
import { MatrixStep } from './matrix.js'
import { PlaceStep } from './place.js'
import { RadiosStep } from './radios.js'
import { SourcesStep } from './sources.js'
import { canWrite, edition, goTo, NAMES, notice, standing, step } from './state.js'
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
  return stepList(
    pen,
    standing(),
    (name, content) =>
      html`<button type="button" aria-current=${step.value === name ? 'step' : undefined} onClick=${() => goTo(name)}>${content}</button>`
  )
}

function FirstRun() {
  const name = step.value
  return html`${firstStepsHead(pen, { canWrite })}
    <${Progress} />
    <section aria-labelledby="step">
      <h2 id="step" tabindex="-1">
        ${name === 'test' ? NAMES.test : t('Step {number} of 5: {name}', { number: STEPS.indexOf(name) + 1, name: NAMES[name] })}
      </h2>
      ${toast(pen, notice.value)}
      <${FORMS[name]} key=${`${name} ${edition.value}`} />
    </section>`
}

// The list of the server stays where it is; the form comes below it.
const place = document.getElementById('first-run')
if (place) render(html`<div><${FirstRun} /></div>`, place)
