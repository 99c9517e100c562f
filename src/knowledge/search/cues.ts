/** How the sentence sounds that answers a question of this form. */
const CUES: readonly (readonly [question: RegExp, answer: RegExp])[] = [
  [/\bwho\b.*\bnot\b|\bwer\b.*\bnicht\b/i, /\b(?:not|no|never|nobody|only|nicht|kein\w*|nie)\b/i],
  [
    /^(?:should|can|could|may|must|is it|are|do i (?:need|have)|darf|kann|soll|muss|ist es)\b|\b(?:allowed|safe|ok|okay|dangerous|erlaubt)\b/i,
    /\b(?:not|no|never|none|nobody|may|must|only|cannot|nicht|kein\w*|nie|darf|dürfen|nur)\b/i
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
