/** The one sentence of detail, with the grade before it. */
export function gradedDetail(grade: string, detail: string): string {
  if (grade === '' || detail.toLowerCase().includes(grade.toLowerCase())) return detail
  return detail === '' ? grade : `${grade}. ${detail}`
}
