/** Titles that order people to leave, or to stay inside, now. Titles are guesses: what is over, practised or told of later is no order. */

/** `Evacuation Order for Croy Creek`, `Mandatory evacuations`, `Evacuate now`, `Shelter in place`; neither centres, routes nor plans. */
const ORDER = new RegExp(
  [
    String.raw`\bevacuation (?:orders?|warnings?|alerts?|notices?|advisor(?:y|ies)|orders?\/\w+)\b`,
    String.raw`\b(?:mandatory|immediate|emergency|full|urgent|level (?:3|three)(?: \(?go\)?)?) evacuations?\b(?! (?:cent|shelter|plan|route|point|site|zone))`,
    String.raw`\bevacuations? (?:is |are |has been |have been |now )*(?:ordered|under ?way|in (?:effect|force|progress)|required|mandatory|immediate|now)\b`,
    String.raw`\b(?:evacuate|leave|get out|take shelter|shelter) (?:now|immediately|at once)\b`,
    String.raw`^\W*evacuate\b`,
    String.raw`\b(?:ordered|told|must|need|urged|required|asked|have)(?: to)? (?:evacuate|shelter)\b`,
    String.raw`\bshelter(?:ing)?[\s-]in[\s-]place\b`,
    String.raw`\bstay[\s-](?:inside|indoors) (?:order|now|immediately)\b`,
    String.raw`\bevakuierung\w* (?:\w+ ){0,3}(?:angeordnet|läuft)\b|\bevakuierungs?anordnung\b|\bsofort (?:evakuieren|verlassen)\b`,
    String.raw`\bordre d.évacuation\b|\bévacuations? (?:obligatoire|immédiate|ordonnée)|\borden de evacuación\b|\bevacuación (?:obligatoria|inmediata)`
  ].join('|'),
  'iu'
)

/** Words that take an order back, speak of one that may come, or of none at all. */
const NO_ORDER = new RegExp(
  [
    String.raw`\b(?:lift(?:ed|s|ing)?|rescind\w*|cancel\w*|ended|ends|(?:is|are|now) over|expired|downgrad\w*|reduced|eased|removed|withdrawn|revoked|terminated|no longer|all[\s-]clear)\b`,
    String.raw`(?<!not )\breturn(?:s|ed|ing)?\b|\bre-?open\w*|\baufgehoben\b|\blevée?s?\b|\blevantad[ao]s?\b`,
    String.raw`\b(?:no|not|without|avoid\w*|never)\b(?: \w+){0,3} (?:evacuat|shelter)`,
    String.raw`\b(?:drills?|exercises?|tests?|testing|training|rehears\w+|mock|simulat\w+|practi[cs]e|übung|exercice|simulacro)\b(?! (?:road|rd|street|st|lane|hall|camp|range|ground|area|caution|cent))`,
    String.raw`\banniversar\w+|\bremember\w*|\bmemorial\b|\blooking back\b|\blessons?\b|\b(?:years?|months?|decades?) (?:ago|after|since|later|on)\b|\bsince (?:19|20)\d\d\b`,
    String.raw`\b(?:may|might|could|would|should) (?:be|become|come|follow|have|need|soon)\b|\b(?:possible|potential|likely|if an evacuation)\b`,
    String.raw`\b(?:how to|what (?:to|is|are|does|do|if)|know your|explained|guide|tips|checklist|faq|webinar|workshop|meeting|survey|study|lawsuit|hearing|policy|plans?|planning|preparedness|month|week|maps?)\b(?! (?:road|rd|street))`
  ].join('|'),
  'iu'
)

/** True when a clause of the title gives such an order. */
export function ordersPeople(title: string): boolean {
  return title.split(/;|[.!?] /).some((clause) => ORDER.test(clause) && !NO_ORDER.test(clause))
}
