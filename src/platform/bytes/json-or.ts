/** The value of a JSON text; `otherwise` where the text is none. */
export function jsonOr(otherwise: unknown, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return otherwise
    throw error
  }
}
