const LEVEL = '(?:watch|warning|advisory|statement|alert|risk)'
/** Words of times and of standing: a line of nothing else says what head and time of the message say already. */
const STANDING =
  "(?:is|are|was|remains?|continues?|now|in|effect|has|been|will|be|issued|extended|replaced|cancel+ed|expires?|expired|from|through|until|til|to|and|at|by|this|today|tonight|late|early|overnight|rest|of|further|notice|(?:morning|afternoon|evening|night|midnight|noon|\\w+day)(?:'s)?|\\d{1,4}(?::\\d\\d)?|[ap]m|/?(?:[ecmpahs][sd]t|ak[sd]t|chst|sst|utc)/?|/)"
const NAMED_AGAIN = new RegExp(`^(?:an? |the )?(?:[\\w/'-]+ ){1,5}${LEVEL}s?(?: ${STANDING})+[.!]?$`, 'i')

/** True for a headline such as `STORM WARNING TODAY` or `WIND ADVISORY IN EFFECT UNTIL 6 PM`: the name of the product and its time. */
export const isNamedAgain = (line: string): boolean => NAMED_AGAIN.test(line)
