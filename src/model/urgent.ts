/** Sentences that save lives. They win over whatever else a bulletin says, in the tongues that warn most on our feeds. */
const URGENT = [
  /\bevacuate\b|\b(?:leave|get out|go)\b[^.]{0,40}\b(?:now|immediately|at once)\b/i,
  /\b(?:move|get|go|climb|seek)(?:ing)? (?:immediately )?(?:inland |uphill |upstairs )?(?:(?:or|and) )?(?:to )?(?:(?:higher|high|safe) ground|safe harbor)\b/i,
  /\b(?:take|seek|find)\b[^.]{0,30}\b(?:cover|shelter)\b/i,
  /\b(?:move|get|go) to (?:an (?:interior|inner) room|a (?:basement|safe room)|the (?:basement|lowest floor))\b/i,
  /\bshelter[- ]in[- ]place\b|\bshelter now\b|\bstay (?:inside|indoors)\b/i,
  /\bclose (?:all |your )?(?:windows|doors)\b|\bboil\b[^.]{0,30}\bwater\b(?! (?:advisory|notice|order|alert|warning))|(?<!\b(?:not|don't) )\bcall 911\b/i,
  // Whole short sentences: long ones explain the sport, not the danger.
  /^(?:please )?(?:stay|keep) (?:off|out of|clear of|away from)\b(?! (?:the )?(?:windows|doors|glass))[^.]{0,35}\.?$|^do not (?:drink|use the water|approach)\b/i,
  /\b(?:Fenster und T[üu]ren|T[üu]ren und Fenster)\b[^.]{0,40}\b(?:schlie(?:ß|ss)en|geschlossen)\b|\bschlie(?:ß|ss)en Sie\b[^.]{0,20}\b(?:Fenster|T[üu]ren)\b/i,
  /\b(?:verlassen|r[äa]umen) Sie\b|\bbegeben Sie sich\b|\bgehen Sie\b[^.]{0,20}\b(?:ins?|zu[rm]?) (?:geschlossene|sichere|H[äa]us|Geb[äa]ude|h[öo]here)|\bsuchen Sie\b[^.]{0,30}\b(?:Schutz|auf)\b|\bMeiden Sie\b/i,
  /\b(?:al[ée]jese|evac[uú]e|dir[ií]jase|busque (?:refugio|un lugar)|abandone|permanezca en (?:su casa|casa|interiores))\b/i,
  /(?:^|\s)(?:[ée]vacuez|quittez|[ée]loignez-vous|mettez-vous [àa] l'abri|restez (?:chez vous|[àa] l'int[ée]rieur))(?=\s|[.!,]|$)/i,
  // Italian, Portuguese, Dutch.
  /(?<!\p{L})(?:evacuare|allontana(?:rsi|tevi)|(?:salite|salire|sali) ai piani|(?:restate|rimanete|rimanere) (?:in casa|al chiuso)|cercate riparo|chiudete (?:le )?(?:porte|finestre)|non (?:bevete|uscite))(?!\p{L})/iu,
  /(?<!\p{L})(?:saia|abandone|evacue|afaste-se|dirija-se|procure (?:abrigo|um local|local)|(?:permane[çc]a|fique) em (?:casa|local))(?!\p{L})/iu,
  /(?<!\p{L})(?:evacueer|verlaat|ga (?:direct |onmiddellijk )?naar binnen|blijf binnen|sluit (?:de )?(?:ramen|deuren)|zoek (?:een )?(?:schuilplaats|beschutting))(?!\p{L})/iu,
  // Polish, Czech, Swedish, Norwegian, Danish.
  /(?<!\p{L})(?:ewakuuj|opuść|zamknij (?:okna|drzwi)|(?:pozostań|zostań) w domu|schroń|szukaj schronienia|unikaj|nie wychodź)/iu,
  /(?<!\p{L})(?:evakuujte|opusťte|zavřete (?:okna|dveře)|nevycházejte|ukryjte se|utrym|gå (?:inomhus|innendørs|indenfor|inn|ind)|stäng (?:fönster|dörrar)|lukk? (?:vinduer|dører|døre)|sök skydd|søk (?:ly|dekning))/iu,
  /避難|逃げて|高台|命を守|屋内/u
]

/** True for an instruction to evacuate, to take shelter, to keep away, to leave the water, to close the windows. */
export const isUrgent = (sentence: string): boolean => URGENT.some((pattern) => pattern.test(sentence))
