import { findingWords } from '../../../../web/shared/matrix-words.js'
import type { MatrixWarning } from '../../editing/matrix-warnings.ts'
import { familyNames } from '../frame/family-names.ts'
import type { Reader } from '../frame/reader.ts'

/** A warning about the matrix as the editor says it while somebody edits, in the language of the reader. */
export function matrixWords({ context, t }: Pick<Reader, 'context' | 't'>): (warning: MatrixWarning) => string {
  const labels = familyNames(context.shownConfig().families, t)
  return ({ family, ...warning }) =>
    findingWords(t, {
      ...warning,
      // A family that is none any more has no label.
      ...(family === undefined ? {} : { family: labels.get(family) ?? family })
    })
}
