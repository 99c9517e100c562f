import type { AddressBook } from '../../knowledge/addresses/address-book.ts'

/** What the web asks of the address database (contract §10). */
export type AddressesDesk = Pick<AddressBook, 'lookup' | 'suggest' | 'health' | 'inspect'>
