// A printer needs a script; the page does not.
import { offerPrint } from '/static/lib/print.js'

offerPrint()
