// A printer needs a script; the page does not.
import '/static/lib/shell.js'
import { offerPrint } from '/static/lib/print.js'

offerPrint()
