// A printer needs a script; the card does not.
import { offerPrint } from '/static/lib/print.js'

offerPrint()
