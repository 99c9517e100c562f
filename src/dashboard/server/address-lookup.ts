import type { AddressIndex } from '../../knowledge/addresses/address-index.ts'

/** The web's part of the address database (contract §10). */
export type AddressLookup = Pick<AddressIndex, 'lookup' | 'suggest' | 'health' | 'inspect'>
