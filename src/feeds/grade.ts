/** Words by which the NWS raises a warning above others of its kind (impact-based warnings), the gravest first. */
const GRADES: readonly (readonly [RegExp, string])[] = [
  [/\bTORNADO EMERGENCY\b/i, 'Tornado emergency'],
  [/\bFLASH FLOOD EMERGENCY\b/i, 'Flash flood emergency'],
  [/\bPARTICULARLY DANGEROUS SITUATION\b/i, 'Particularly dangerous situation']
]

/** `Tornado emergency`, `Particularly dangerous situation` …; '' for a usual one. `text` is what the product says. */
export function gradeOf(text: string): string {
  return GRADES.find(([pattern]) => pattern.test(text))?.[1] ?? ''
}

/** The one sentence of detail, with the grade before it. */
export function gradedDetail(grade: string, detail: string): string {
  if (grade === '' || detail.toLowerCase().includes(grade.toLowerCase())) return detail
  return detail === '' ? grade : `${grade}. ${detail}`
}
