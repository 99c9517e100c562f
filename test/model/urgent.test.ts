import t from 'tap'
import { isKindOfMessage } from '../../src/model/kind-names.ts'
import { isUrgent } from '../../src/model/urgent.ts'

t.test('what saves lives is known in every tongue whose fixed words are here', async (t) => {
  for (const call of [
    'Evacuate now',
    'Gehen Sie sofort in geschlossene Räume',
    'Aléjese de la playa',
    'Évacuez la zone',
    "Allontanarsi dai corsi d'acqua e salire ai piani alti",
    'Saia de áreas de risco',
    'Sluit ramen en deuren',
    'Zamknij okna i drzwi',
    'Utrym området',
    'ただちに高台へ避難してください'
  ])
    t.ok(isUrgent(call), call)
})

t.test('what only explains is not urgent', async (t) => {
  for (const line of [
    'Il fiume scorre verso il mare',
    'A chuva continua em todo o estado',
    'De wind draait naar het westen',
    'Wiatr słabnie nad ranem',
    '気象庁が発表しました'
  ])
    t.notOk(isUrgent(line), line)
})

t.test('a name that says only what kind of message it is, is known', async (t) => {
  for (const name of ['Alert RCB', 'Gefahrendurchsage', 'NL-Alert', 'Emergency Alert', 'Allerta'])
    t.ok(isKindOfMessage(name), name)
  for (const name of ['Tornado Warning', 'Sturmböen', 'Allerta meteo', '']) t.notOk(isKindOfMessage(name), name)
})
