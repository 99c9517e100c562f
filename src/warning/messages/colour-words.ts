/** The colours of warnings, as services that name their products by them write these: `Vigilance rouge`, `Aviso de nivel naranja`, `Code oranje`. */
const WORDS: Readonly<Record<string, RegExp>> = {
  YELLOW:
    /(?<!\p{L})(?:yellow|gelb\p{L}*|jaune|amarill[oa]|giall[oa]|amarel[oa]|gele?|geel|żółt\p{L}*|gul[at]?|keltai\p{L}*|žlut\p{L}*)(?!\p{L})/iu,
  ORANGE:
    /(?<!\p{L})(?:orange|amber|naranja|arancion[ei]|laranja|oranje|pomarańczow\p{L}*|oransje|oranssi\p{L}*|oranžov\p{L}*)(?!\p{L})/iu,
  RED: /(?<!\p{L})(?:red|rot\p{L}{0,2}|rouge|roj[oa]|ross[oa]|vermelh[oa]|rood|rode|czerwon\p{L}*|röd[at]?|rød[et]?|punai\p{L}*|červen\p{L}*)(?!\p{L})/iu
}

/** True when a service's own name of its warning says this colour (in English capitals), in whatever tongue. */
export function saysColour(name: string, colour: string): boolean {
  return (WORDS[colour === 'AMBER' ? 'ORANGE' : colour] ?? /^$/).test(name)
}
