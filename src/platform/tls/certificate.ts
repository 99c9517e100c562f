import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../errors.ts'

/** A key with the certificate of it, as a server of https takes them. */
export interface KeyPair {
  /** PEM. */
  key: string
  /** PEM; others may follow that lead to whoever vouches for it. */
  certificate: string
  facts: CertificateFacts
}

export interface CertificateFacts {
  /** SHA-256 of the certificate, as browsers show it: `AB:CD:…`. */
  fingerprint: string
  /** Epoch milliseconds. */
  validFrom: number
  validTo: number
  /** The names and addresses it is for. */
  names: readonly string[]
}

/** Reads both, and holds them against each other. @throws AppError `bad-input` that says which of them is no good. */
export function readPair(key: string, certificate: string): KeyPair {
  const read = readCertificate(certificate)
  const own = readKey(key)
  if (!read.checkPrivateKey(own)) throw refused(because('tls_not_its_key'))
  return {
    key,
    certificate,
    facts: {
      fingerprint: read.fingerprint256,
      validFrom: Date.parse(read.validFrom),
      validTo: Date.parse(read.validTo),
      names: namesIn(read)
    }
  }
}

function readCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw refused(because('tls_no_certificate'))
  }
}

function readKey(text: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch {
    // One with a passphrase, too: nobody is there to type it.
    throw refused(because('tls_no_key'))
  }
}

/** `DNS:lookout.local, IP Address:10.42.0.1` */
function namesIn({ subjectAltName = '' }: X509Certificate): string[] {
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):([^\s,"]+)/g)].map(([, name = '']) => name.toLowerCase())
}

function refused(reason: Reason): AppError {
  return new AppError('bad-input', reason)
}
