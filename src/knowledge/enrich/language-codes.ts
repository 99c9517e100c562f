/** ISO 639-1 and ISO 639-3 of the same language, in pairs (registration authority's table, codes of individual and macro languages). */
const PAIRS =
  'aa aar ab abk ae ave af afr ak aka am amh an arg ar ara as asm av ava ay aym az aze ba bak be bel bg bul bi bis bm bam ' +
  'bn ben bo bod br bre bs bos ca cat ce che ch cha co cos cr cre cs ces cu chu cv chv cy cym da dan de deu dv div dz dzo ' +
  'ee ewe el ell en eng eo epo es spa et est eu eus fa fas ff ful fi fin fj fij fo fao fr fra fy fry ga gle gd gla gl glg ' +
  'gn grn gu guj gv glv ha hau he heb hi hin ho hmo hr hrv ht hat hu hun hy hye hz her ia ina id ind ie ile ig ibo ii iii ' +
  'ik ipk io ido is isl it ita iu iku ja jpn jv jav ka kat kg kon ki kik kj kua kk kaz kl kal km khm kn kan ko kor kr kau ' +
  'ks kas ku kur kv kom kw cor ky kir la lat lb ltz lg lug li lim ln lin lo lao lt lit lu lub lv lav mg mlg mh mah mi mri ' +
  'mk mkd ml mal mn mon mr mar ms msa mt mlt my mya na nau nb nob nd nde ne nep ng ndo nl nld nn nno no nor nr nbl nv nav ' +
  'ny nya oc oci oj oji om orm or ori os oss pa pan pi pli pl pol ps pus pt por qu que rm roh rn run ro ron ru rus rw kin ' +
  'sa san sc srd sd snd se sme sg sag sh hbs si sin sk slk sl slv sm smo sn sna so som sq sqi sr srp ss ssw st sot su sun ' +
  'sv swe sw swa ta tam te tel tg tgk th tha ti tir tk tuk tl tgl tn tsn to ton tr tur ts tso tt tat tw twi ty tah ug uig ' +
  'uk ukr ur urd uz uzb ve ven vi vie vo vol wa wln wo wol xh xho yi yid yo yor za zha zh zho zu zul'

/** Codes that mean a language of the table: bibliographic ones (ISO 639-2/B), and the members of macrolanguages that detectors name. */
const OTHERS =
  'alb sq arm hy baq eu bur my chi zh cze cs dut nl fre fr geo ka ger de gre el ice is mac mk mao mi may ms per fa rum ro ' +
  'slo sk tib bo wel cy cmn zh yue zh wuu zh arb ar arz ar pes fa prs fa zlm ms zsm ms swh sw azj az azb az uzn uz plt mg ' +
  'npi ne ory or ydd yi als sq ekk et lvs lv khk mn kmr ku ckb ku gom kok knn kok fuv ff zyb za hms hmn hnj hmn pbt ps pbu ps qug qu ' +
  'quz qu gax om gaz om bih bho'

const words = PAIRS.split(' ')
const TO_THREE = new Map<string, string>()
const TO_SHORT = new Map<string, string>()
for (let at = 0; at < words.length; at += 2) {
  const [two = '', three = ''] = [words[at], words[at + 1]]
  TO_THREE.set(two, three)
  TO_SHORT.set(three, two)
}
const others = OTHERS.split(' ')
for (let at = 0; at < others.length; at += 2) TO_SHORT.set(others[at] ?? '', others[at + 1] ?? '')

/** Detectors tell the two written forms of Norwegian apart; who allows Norwegian means both. */
const FAMILY = new Map([
  ['nb', 'no'],
  ['nn', 'no']
])

/** The language of a document when nobody can say (ISO 639-2 §4.1). */
export const UNDETERMINED = 'und'

/**
 * The code the program keeps: ISO 639-1 where the language has one, else ISO 639-3. Takes either, in any case, also with
 * a region (`pt-BR`). `eng` = `en` (contract §8).
 */
export function languageCode(raw: string): string {
  const code = raw.trim().toLowerCase().split(/[-_]/)[0] ?? ''
  return TO_SHORT.get(code) ?? code
}

/** ISO 639-3 of a code: `en` → `eng`. What is not known comes back as it is. */
export function threeLetterCode(raw: string): string {
  const code = languageCode(raw)
  return TO_THREE.get(code) ?? code
}

/** True when two codes mean the same language, or one is a written form of the other. */
export function sameLanguage(one: string, other: string): boolean {
  const [a, b] = [languageCode(one), languageCode(other)]
  return a === b || FAMILY.get(a) === b || FAMILY.get(b) === a
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** The English name; the code itself when there is none. */
export function languageName(raw: string): string {
  const code = languageCode(raw)
  return /^[a-z]{2,3}$/.test(code) ? (names.of(code) ?? code) : code
}
