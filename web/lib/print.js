// The button that prints a page: it is not shown where nobody could press it.

export function offerPrint() {
  for (const button of document.querySelectorAll('[data-print]')) {
    button.removeAttribute('hidden')
    button.addEventListener('click', () => print())
  }
}
