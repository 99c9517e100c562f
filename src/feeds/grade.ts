/** Words by which the NWS raises a warning above others of its kind (impact-based warnings), the gravest first. */
const GRADES: readonly (readonly [RegExp, string])[] = [
  [/\bTORNADO EMERGENCY\b/i, 'Tornado emergency'],
  [/\bFLASH FLOOD EMERGENCY\b/i, 'Flash flood emergency'],
  [/\bPARTICULARLY DANGEROUS SITUATION\b/i, 'Particularly dangerous situation']
]

/** A river that rises from minor to major flooding keeps its warning, level and end: only these words change. Gravest first. */
const FLOODS: readonly (readonly [RegExp, string])[] = ['Record', 'Major', 'Moderate'].map((word) => [
  new RegExp(`\\b${word}\\s+flooding\\s+is\\s+(?:now\\s+)?(?:occurring|forecast|expected)\\b`, 'i'),
  `${word} flooding`
])

/** `Tornado emergency`, `Particularly dangerous situation`, `Major flooding` …; '' for a usual one. `text` is what the product says. */
export function gradeOf(text: string): string {
  return [...GRADES, ...FLOODS].find(([pattern]) => pattern.test(text))?.[1] ?? ''
}

/** Whether this grade is one for which phones are woken; the stages of a flood are not. */
export function isWakingGrade(grade: string): boolean {
  return GRADES.some(([, name]) => name === grade)
}

/** The one sentence of detail, with the grade before it. */
export function gradedDetail(grade: string, detail: string): string {
  if (grade === '' || detail.toLowerCase().includes(grade.toLowerCase())) return detail
  return detail === '' ? grade : `${grade}. ${detail}`
}
