/** How the sentence sounds that answers a question of this form. */
const CUES: readonly (readonly [question: RegExp, answer: RegExp])[] = [
  [
    /\b(?:who|which|whom)\b.*\b(?:not|never|avoid)\b|\b(?:wer|welche\w?)\b.*\b(?:nicht|kein\w*)\b/i,
    /\b(?:not|no|never|nobody|only|except|unless|nicht|kein\w*|nie|nur|außer)\b/i
  ],
  [
    /^(?:should|can|could|may|must|is|are|do|does|will|darf|kann|soll|muss|ist|sind)\b|\b(?:allowed|safe|ok|okay|dangerous|erlaubt)\b/i,
    /\b(?:not|no|never|none|nobody|may|must|only|cannot|allowed|forbidden|safe|unsafe|harmful|dangerous|poisonous|harmless|loses?|useless|enough|yes|nicht|kein\w*|nie|darf|dürfen|nur|verboten|erlaubt|gefährlich|giftig|schädlich)\b/i
  ],
  [
    /\bwhen\b|\bwann\b/i,
    /\b(?:after|before|until|when|while|once|as soon as|within|every|during|from|nach|vor|bis|wenn|sobald|erst|alle)\b/i
  ],
  [
    /\bwhere\b|\bwhich side\b|\bwo\b/i,
    /\b(?:in|on|at|under|above|below|between|near|from|against|auf|unter|über|an|am|im)\b/i
  ],
  [/\bformula\b|\bformel\b/i, /\b(?:divided|times|multiplied|rule|plus|minus|durch|mal)\b|[×÷=]/i],
  [/\bwhy\b|\bwarum\b/i, /\b(?:because|so that|else|since|for the|weil|damit|sonst|denn)\b|:/i]
]

/** True when the text sounds like the answer to a question of this form; false where the form tells nothing. */
export function soundsLikeAnswer(question: string, text: string): boolean {
  return CUES.some(([form, answer]) => form.test(question.trim()) && answer.test(text))
}
