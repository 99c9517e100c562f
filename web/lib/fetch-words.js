/**
 * All words of the page's language. Their address holds their revision, so a browser asks once. Without an answer the page is in
 * English: better than no page.
 * @returns {Promise<Record<string, string>>}
 */
export async function fetchWords() {
  const address = document.documentElement.dataset['words']
  if (!address) return {}
  try {
    const answer = await fetch(address)
    return answer.ok ? await answer.json() : {}
  } catch {
    return {}
  }
}
