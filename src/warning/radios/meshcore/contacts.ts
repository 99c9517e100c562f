import { getContacts } from './commands.ts'
import { MORE } from './exchange.ts'
import type { Contact, Message } from './messages.ts'
import { isRefusal, type Session } from './session.ts'

const KEY_PREFIX_HEX = 12

/** The contacts of one node: nodes whose advert it heard, or that were put in by hand. Read when they are needed. */
export class ContactStore {
  #contacts: readonly Contact[] = []

  get all(): readonly Contact[] {
    return this.#contacts
  }

  /** The contacts with exactly this name: names are chosen freely, so there may be several. */
  async named(name: string, session: Session): Promise<readonly Contact[]> {
    const found = this.#withName(name)
    if (found.length > 0) return found
    await this.read(session)
    return this.#withName(name)
  }

  /** The addressee of a direct text: a name, or the key prefix by which its own texts name it. A prefix wins. */
  async addressed(to: string, session: Session): Promise<readonly Contact[]> {
    const byKey = PREFIX.test(to) ? await this.withPrefix(to.toLowerCase(), session) : null
    return byKey === null ? await this.named(to, session) : [byKey]
  }

  /** The contact a key begins with, or null when the node has none. */
  async withPrefix(keyPrefix: string, session: Session): Promise<Contact | null> {
    const known = this.#withPrefix(keyPrefix)
    if (known !== null) return known
    await this.read(session)
    return this.#withPrefix(keyPrefix)
  }

  /** Rejects as `Session.ask` does. A node that refuses keeps the list we had. */
  async read(session: Session): Promise<void> {
    const list: Contact[] = []
    const answer = (message: Message): typeof MORE | 'end' | undefined => {
      if (message.kind === 'contacts-end') return 'end'
      if (message.kind === 'contact') list.push(message)
      return message.kind === 'contact' || message.kind === 'contacts-start' ? MORE : undefined
    }
    const end = await session.ask({ name: 'GET_CONTACTS', payload: getContacts(), answer })
    if (!isRefusal(end)) this.#contacts = list
  }

  #withName(name: string): readonly Contact[] {
    return this.#contacts.filter((contact) => contact.name === name)
  }

  #withPrefix(keyPrefix: string): Contact | null {
    return this.#contacts.find(({ key }) => prefixOf(key) === keyPrefix) ?? null
  }
}

const PREFIX = /^[0-9a-f]{12}$/i

/** The beginning of a key, in hex, by which texts name their sender. */
export function prefixOf(key: Uint8Array): string {
  return Buffer.from(key).toString('hex').slice(0, KEY_PREFIX_HEX)
}
