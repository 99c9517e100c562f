// The QR code of the console holds the claim code in the fragment of its address: that reaches no server, no log and no proxy. Here it
// is put in its field, and leaves the address at once, so that it stays in no history either.
const LONGEST = 32

function takeCode() {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  const field = document.getElementById('code')
  if (!(field instanceof HTMLInputElement)) return
  field.value = code.slice(0, LONGEST)
  document.getElementById('passphrase')?.focus()
}

takeCode()
addEventListener('hashchange', takeCode)
