import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import fc from 'fast-check'
import t from 'tap'
import { EXTERNAL } from '../../../scripts/build-external.js'
import {
  createDetector,
  type DetectorParts,
  type Guess,
  isSmallEnough
} from '../../../src/knowledge/enrich/detector.ts'
import { judgeLanguage, sampleOf } from '../../../src/knowledge/enrich/language.ts'
import {
  languageCode,
  languageName,
  sameLanguage,
  threeLetterCode
} from '../../../src/knowledge/enrich/language-codes.ts'
import { inWords } from '../../helpers/in-words.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const english = { filter: true, allowed: ['en'] }

const ENGLISH =
  'Boil water for at least one minute before you drink it. Above two thousand metres, boil it for three minutes, because water boils at a lower temperature there.'

/** A paragraph about water in each language, written for this test. */
const SAMPLES: Record<string, string> = {
  en: ENGLISH,
  de: 'Kochen Sie das Wasser mindestens eine Minute lang, bevor Sie es trinken. In großer Höhe sollte es drei Minuten kochen, weil Wasser dort schon bei geringerer Temperatur siedet.',
  fr: "Faites bouillir l'eau pendant au moins une minute avant de la boire. En altitude, il faut la laisser bouillir trois minutes, car elle bout à une température plus basse.",
  es: 'Hierva el agua durante al menos un minuto antes de beberla. A gran altura hay que dejarla hervir tres minutos, porque allí hierve a una temperatura más baja.',
  it: "Fate bollire l'acqua per almeno un minuto prima di berla. In alta montagna bisogna lasciarla bollire tre minuti, perché lì bolle a una temperatura più bassa.",
  pt: 'Ferva a água durante pelo menos um minuto antes de a beber. Em grandes altitudes é preciso deixá-la ferver três minutos, porque ali ferve a uma temperatura mais baixa.',
  nl: 'Kook het water minstens één minuut voordat u het drinkt. Op grote hoogte moet het drie minuten koken, omdat water daar al bij een lagere temperatuur kookt.',
  sv: 'Koka vattnet i minst en minut innan du dricker det. På hög höjd bör det koka i tre minuter, eftersom vatten kokar vid en lägre temperatur där uppe.',
  da: 'Kog vandet i mindst et minut, før du drikker det. I stor højde skal det koge i tre minutter, fordi vand dér koger ved en lavere temperatur, og derfor dræbes bakterierne ikke så hurtigt.',
  fi: 'Keitä vettä vähintään yhden minuutin ajan ennen kuin juot sitä. Korkealla vuoristossa sen pitää kiehua kolme minuuttia, koska vesi kiehuu siellä matalammassa lämpötilassa.',
  pl: 'Przed wypiciem gotuj wodę przez co najmniej jedną minutę. Na dużych wysokościach należy gotować ją trzy minuty, ponieważ wrze tam w niższej temperaturze.',
  cs: 'Před pitím vařte vodu alespoň jednu minutu. Ve vysokých nadmořských výškách ji nechte vařit tři minuty, protože tam voda vře při nižší teplotě.',
  hu: 'Forralja a vizet legalább egy percig, mielőtt megissza. Nagy magasságban három percig kell forralni, mert ott alacsonyabb hőmérsékleten forr a víz.',
  ro: 'Fierbeți apa cel puțin un minut înainte de a o bea. La altitudine mare trebuie lăsată să fiarbă trei minute, pentru că acolo fierbe la o temperatură mai joasă.',
  tr: 'Suyu içmeden önce en az bir dakika kaynatın. Yüksek yerlerde üç dakika kaynatmak gerekir, çünkü su orada daha düşük bir sıcaklıkta kaynar.',
  ru: 'Кипятите воду не менее одной минуты, прежде чем её пить. На большой высоте её нужно кипятить три минуты, потому что там вода закипает при более низкой температуре.',
  uk: 'Кип’ятіть воду щонайменше одну хвилину, перш ніж її пити. На великій висоті її слід кип’ятити три хвилини, бо там вода закипає за нижчої температури.',
  el: 'Βράστε το νερό για τουλάχιστον ένα λεπτό πριν το πιείτε. Σε μεγάλο υψόμετρο πρέπει να βράσει τρία λεπτά, επειδή εκεί βράζει σε χαμηλότερη θερμοκρασία.',
  ar: 'اغلِ الماء لمدة دقيقة واحدة على الأقل قبل أن تشربه. في الأماكن المرتفعة يجب أن يغلي ثلاث دقائق لأن الماء يغلي هناك عند درجة حرارة أقل.',
  he: 'יש להרתיח את המים לפחות דקה אחת לפני השתייה. במקומות גבוהים יש להרתיח אותם שלוש דקות, משום ששם המים רותחים בטמפרטורה נמוכה יותר.',
  hi: 'पानी पीने से पहले उसे कम से कम एक मिनट तक उबालें। अधिक ऊँचाई पर उसे तीन मिनट तक उबालना चाहिए, क्योंकि वहाँ पानी कम तापमान पर उबलता है।',
  zh: '饮用前请将水煮沸至少一分钟。在高海拔地区应煮沸三分钟，因为那里的水在较低的温度下就会沸腾，所以需要更长的时间才能杀死细菌和其他有害的微生物，请务必注意安全。',
  ja: '水を飲む前に少なくとも一分間沸騰させてください。標高の高い場所では水が低い温度で沸騰するため、三分間沸騰させる必要があります。安全のために必ず守ってください。',
  ko: '물을 마시기 전에 적어도 일 분 동안 끓이십시오. 높은 산에서는 물이 더 낮은 온도에서 끓기 때문에 삼 분 동안 끓여야 합니다. 안전을 위해 꼭 지켜 주십시오.',
  vi: 'Hãy đun sôi nước ít nhất một phút trước khi uống. Ở vùng núi cao cần đun sôi ba phút, vì ở đó nước sôi ở nhiệt độ thấp hơn.',
  id: 'Rebuslah air paling sedikit satu menit sebelum diminum. Di tempat yang tinggi air harus direbus tiga menit, karena di sana air mendidih pada suhu yang lebih rendah.'
}

t.test(
  'the detector names the language of a paragraph, and the gate lets English through and tells why it stops the rest',
  async (t) => {
    const detector = createDetector({ small: false, allowed: () => ['en'] })
    t.match(detector.state(), { detector: 'fasttext', state: 'not loaded', reason: null })
    for (const [code, text] of Object.entries(SAMPLES)) {
      const { language, skip } = await judgeLanguage(text, english, detector)
      t.equal(language, code, `${languageName(code)} is stored as ${code} (L8)`)
      t.equal(
        inWords(skip),
        code === 'en'
          ? null
          : `the text is in ${languageName(code)} (${code}), not one of knowledge.allowed_languages: en`
      )
    }
    t.ok(Object.keys(SAMPLES).length >= 25)
    t.equal(detector.state().state, 'ready')
  }
)

t.test('the verdict follows the settings: several languages, three-letter codes, no filter', async (t) => {
  const detector = createDetector({ small: false, allowed: () => ['en'] })
  const judge = (code: string, allowed: string[], filter = true) =>
    judgeLanguage(SAMPLES[code] ?? '', { filter, allowed }, detector)
  t.same(await judge('en', ['eng']), { language: 'en', skip: null }, 'eng = en (contract §8)')
  t.same(await judge('de', ['eng', 'deu']), { language: 'de', skip: null })
  t.same(await judge('de', ['ger']), { language: 'de', skip: null }, 'the bibliographic code is understood too')
  t.match(inWords(await judge('fr', ['en', 'de'])), {
    language: 'fr',
    skip: 'the text is in French (fr), not one of knowledge.allowed_languages: en, de'
  })
  t.same(
    await judge('ja', ['en'], false),
    { language: 'ja', skip: null },
    'without the filter the language is still told'
  )
  t.same(await judge('zh', ['cmn']), { language: 'zh', skip: null })
})

t.test('the gate looks at the first 1500 characters of the first page and at nothing after them', async (t) => {
  const detector = createDetector({ small: false, allowed: () => ['en'] })
  const long = (text: string) => text.repeat(30)
  const cut = (text: string, length: number) => long(text).slice(0, length)
  t.match(await judgeLanguage(cut(ENGLISH, 1500) + long(SAMPLES['de'] ?? ''), english, detector), {
    language: 'en',
    skip: null
  })
  t.match(inWords(await judgeLanguage(cut(SAMPLES['de'] ?? '', 1500) + long(ENGLISH), english, detector)), {
    language: 'de',
    skip: /German/
  })
  const fifty = ENGLISH.replace(/\s/g, '').slice(0, 50)
  let seen: string[] = []
  const watched = {
    state: detector.state,
    guess: async (text: string) => detector.guess(seen[seen.push(text) - 1] ?? '')
  }
  await judgeLanguage('😀'.repeat(1499) + ENGLISH, english, watched)
  t.same(seen, [], 'characters are counted, not code units')
  for (const [name, text, asked] of [
    ['49 non-blank characters', fifty.slice(0, 49), false],
    ['49 among a thousand blanks', [...fifty.slice(0, 49)].join('\n \t '), false],
    ['50 non-blank characters', fifty, true],
    ['nothing', '', false],
    ['figures only', '12 345 6.7 | 89 '.repeat(40), false]
  ] as const) {
    seen = []
    const verdict = await judgeLanguage(text, english, watched)
    t.equal(seen.length > 0, asked, name)
    if (!asked) t.same(verdict, { language: 'und', skip: null }, `${name} is let through as und`)
  }
})

t.test(
  'English with borders of fifty characters, in capitals, with headings, figures and addresses stays English',
  async (t) => {
    const detector = createDetector({ small: false, allowed: () => ['en'] })
    const cases: Record<string, string> = {
      'fifty characters': 'Store drinking water in clean, tightly closed cans and mark them',
      capitals:
        'FIELD MANUAL\n\nWATER SUPPLY POINT OPERATIONS\n\nHEADQUARTERS\nTHIS MANUAL DESCRIBES HOW TO FIND AND CLEAN WATER IN THE FIELD',
      'a table of contents':
        '1 Introduction ........ 3\n2 Finding water ....... 7\n3 Cleaning water by boiling ...... 12\n4 Storage of water in the home .... 19',
      'addresses and figures': `See https://example.org/agua/potable/tratamiento and mail@exemple.fr\n\n${ENGLISH}`,
      'glued to borders': `${'*'.repeat(200)}\n${ENGLISH}\n${'-'.repeat(200)}`
    }
    for (const [name, text] of Object.entries(cases))
      t.same(await judgeLanguage(text, english, detector), { language: 'en', skip: null }, name)
  }
)

t.test('what nobody can tell is let through as und', async (t) => {
  const says = (guesses: Guess[]) => ({
    guess: async () => guesses,
    state: createDetector({ small: false, allowed: () => [] }).state
  })
  const text = ENGLISH
  for (const [guesses, language, skipped] of [
    [[], 'und', false],
    [[{ code: 'de', share: 0.24 }], 'und', false],
    [
      [
        { code: 'de', share: 0.4 },
        { code: 'en', share: 0.3 }
      ],
      'und',
      false
    ],
    [
      [
        { code: 'da', share: 0.45 },
        { code: 'no', share: 0.44 }
      ],
      'da',
      true
    ],
    [
      [
        { code: 'de', share: 0.5 },
        { code: 'en', share: 0.5 }
      ],
      'de',
      true
    ],
    [
      [
        { code: 'en', share: 0.3 },
        { code: 'de', share: 0.2 }
      ],
      'und',
      false
    ]
  ] as [Guess[], string, boolean][]) {
    const verdict = await judgeLanguage(text, english, says(guesses))
    t.equal(verdict.language, language, JSON.stringify(guesses))
    t.equal(verdict.skip !== null, skipped)
  }
  t.same(
    await judgeLanguage(text, { filter: true, allowed: ['no'] }, says([{ code: 'nn', share: 0.9 }])),
    { language: 'nn', skip: null },
    'Norwegian means both of its forms'
  )
})

t.test('L7: without a working detector everything is let through as und, and the state says so', async (t) => {
  const none: DetectorParts = {
    fasttext: () => Promise.reject(new Error('Cannot find package')),
    francMin: () => Promise.reject(new Error('gone'))
  }
  const missing = createDetector({ small: false, allowed: () => ['en'], parts: none })
  t.same(await judgeLanguage(SAMPLES['de'] ?? '', english, missing), { language: 'und', skip: null })
  t.same(inWords(missing.state()), {
    detector: 'fasttext',
    state: 'missing',
    reason: 'the language detector fasttext does not work: Cannot find package'
  })
  const trapped = createDetector({
    small: false,
    allowed: () => ['en'],
    parts: {
      ...none,
      fasttext: async () => () => {
        throw new Error('unreachable executed')
      }
    }
  })
  t.same(await judgeLanguage(ENGLISH, english, trapped), { language: 'und', skip: null })
  t.match(inWords(trapped.state()), { state: 'missing', reason: /unreachable executed/ })
})

t.test('the small detector is taken only where it knows every allowed language', async (t) => {
  t.equal(createDetector({ small: true, allowed: () => ['en'] }).state().detector, 'franc-min')
  t.equal(createDetector({ small: true, allowed: () => ['eng', 'deu'] }).state().detector, 'franc-min')
  for (const unknown of ['ca', 'da', 'fi', 'nor', 'he'])
    t.equal(createDetector({ small: true, allowed: () => ['en', unknown] }).state().detector, 'fasttext', unknown)
  t.equal(createDetector({ small: false, allowed: () => ['en'] }).state().detector, 'fasttext')
  const small = createDetector({ small: true, allowed: () => ['en'] })
  for (const code of ['en', 'de', 'fr', 'es', 'pl', 'ar', 'zh', 'ko', 'el', 'hi']) {
    const { language, skip } = await judgeLanguage(SAMPLES[code] ?? '', english, small)
    t.equal(language, code, code)
    t.equal(skip === null, code === 'en')
  }
  const { data } = await import(join(root, 'node_modules/franc-min/data.js'))
  const { expressions } = await import(join(root, 'node_modules/franc-min/expressions.js'))
  const known = [...Object.values<object>(data).flatMap(Object.keys), ...Object.keys(expressions)].filter((code) =>
    /^[a-z]{3}$/.test(code)
  )
  t.ok(known.length > 70)
  t.same(
    known.filter((code) => !isSmallEnough([code])),
    [],
    'the list is that of the package'
  )
  t.notOk(['ca', 'fi', 'he', 'ti', 'sd'].some((code) => isSmallEnough([code])))
})

t.test('codes of ISO 639-1 and 639-3 mean the same language, both ways', async (t) => {
  for (const [any, short, three] of [
    ['eng', 'en', 'eng'],
    ['EN', 'en', 'eng'],
    ['en-GB', 'en', 'eng'],
    ['deu', 'de', 'deu'],
    ['ger', 'de', 'deu'],
    ['cmn', 'zh', 'zho'],
    ['pt_BR', 'pt', 'por'],
    ['ceb', 'ceb', 'ceb'],
    ['swh', 'sw', 'swa'],
    ['haw', 'haw', 'haw']
  ]) {
    t.equal(languageCode(any ?? ''), short)
    t.equal(threeLetterCode(any ?? ''), three)
  }
  t.ok(sameLanguage('eng', 'en'))
  t.notOk(sameLanguage('de', 'en'))
  t.equal(languageName('und'), 'und')
  t.equal(languageName('eng'), 'English')
  const two = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 2, maxLength: 3 })
  fc.assert(
    fc.property(two, (code) => languageCode(threeLetterCode(code)) === languageCode(code) && languageName(code) !== '')
  )
})

t.test('the detector works from the bundle, where nothing may be fetched', async (t) => {
  const folder = t.testdir({})
  await build({
    stdin: {
      contents: `import { createDetector } from './src/knowledge/enrich/detector.ts'
        globalThis.fetch = () => { throw new Error('no network') }
        const detector = createDetector({ small: false, allowed: () => ['en'] })
        console.log(JSON.stringify(await detector.guess(${JSON.stringify(SAMPLES['de'])})), JSON.stringify(detector.state()))`,
      resolveDir: root,
      loader: 'ts'
    },
    outfile: join(folder, 'dist/detector.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['fasttext.wasm.js'],
    logLevel: 'silent'
  })
  t.ok(EXTERNAL.includes('fasttext.wasm.js'), 'the build leaves the package outside as well')
  mkdirSync(join(folder, 'elsewhere'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'dist/detector.js')], {
    cwd: join(folder, 'elsewhere')
  })
  t.match(stdout, /"code":"de".*"state":"ready"/)
})

t.test('where the first page says little, the pages that follow are judged with it', async (t) => {
  const detector = createDetector({ small: false, allowed: () => ['en'] })
  const page = (text: string) => ({ text })
  const german = (SAMPLES['de'] ?? '').repeat(30)
  t.equal(sampleOf([page('x'.repeat(1500)), page('y')]), 'x'.repeat(1500), 'a whole first page is enough')
  t.match(sampleOf([page(' a\n'.repeat(700)), page('b')]), /b$/, 'blanks do not count')
  t.equal(sampleOf([]), '')
  const book = [page('Der Brunnen\n\nHandbook\n1998'), page(''), page(german), page('The end of all this.')]
  t.match(inWords(await judgeLanguage(sampleOf(book), english, detector)), { language: 'de', skip: /German/ })
})
