import type { PinnedKey } from '../../../warning/outbox/pinned-keys.ts'
import { type Html, html } from '../frame/html.ts'
import type { penOf } from '../frame/pen.ts'

/** Pairs of digits enough to compare a key by eye with the one that the node's app shows. */
const SHOWN = 16

/**
 * The pinned keys of admins' nodes, each with a form that forgets it, and which of the `admins` (`commands.admins`) have none yet; null
 * when there are neither.
 */
export function adminKeys(
  { t, moment }: ReturnType<typeof penOf>,
  { keys, admins }: { keys: readonly PinnedKey[]; admins: readonly string[] }
): Html | null {
  const pinned = new Set(keys.map(({ node }) => node))
  // MeshCore proves a contact by the configured key itself: there is none to pin.
  const open = admins.map((one) => one.toLowerCase()).filter((one) => one.startsWith('!') && !pinned.has(one))
  if (keys.length + open.length === 0) return null
  const rows = keys.map(
    ({ node, key, firstSeen, other }) => html`<li class="card"><h3>${node}</h3>
<p>${t('Key')} <code>${short(key)}</code> · ${t('since')} ${moment(new Date(firstSeen).toISOString())}</p>
${other === null ? null : html`<p class="warning">${t('Texts under this id came with another key and were refused:')} <code>${short(other.key)}</code> · ${moment(new Date(other.at).toISOString())}</p>`}
<form method="post" action="/radios/keys/${encodeURIComponent(node)}"><button aria-label="${t('Forget the key')}: ${node}">${t('Forget the key')}</button></form></li>`
  )
  return html`<section aria-labelledby="admin-keys"><h2 id="admin-keys">${t('Keys of admins')}</h2>
<p>${t('An admin has rights over Meshtastic only with the key its node had at first use. Forget a key when the node was set up anew: the next one is taken.')}</p>
${open.length === 0 ? null : html`<p>${t('No key yet: {nodes}. Send !status once from the admin’s phone as a direct message: the key that comes with it is the one from then on.', { nodes: open.join(', ') })}</p>`}
<ul class="plain">${rows}</ul></section>`
}

function short(key: string): string {
  return (key.slice(0, SHOWN).match(/../g) ?? []).join(' ')
}
