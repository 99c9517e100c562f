import * as v from 'valibot'
import { looseObject } from '../platform/config/object.ts'

const port = v.pipe(
  v.number(),
  v.integer('a port is an integer from 0 to 65535'),
  v.minValue(0, 'a port is an integer from 0 to 65535'),
  v.maxValue(65535, 'a port is an integer from 0 to 65535')
)
const file = v.exactOptional(v.pipe(v.string(), v.nonEmpty('a path, such as /etc/lookout/station.pem')))

const tlsSchema = v.pipe(
  looseObject({
    port: v.pipe(
      v.exactOptional(port),
      v.title('HTTPS port'),
      v.description('Where the dashboard answers by HTTPS too, such as 8443. Without it there is no HTTPS.'),
      v.metadata({ restart: true })
    ),
    certificate_file: v.pipe(
      file,
      v.title('Certificate'),
      v.description(
        'A PEM file of somebody who vouches for this station; a relative path begins in the data folder. Without it the station makes its own.'
      ),
      v.metadata({ restart: true })
    ),
    key_file: v.pipe(
      file,
      v.title('Key of the certificate'),
      v.description('A PEM file without a passphrase.'),
      v.metadata({ restart: true })
    )
  }),
  v.check(
    ({ certificate_file: certificate, key_file: key }) => (certificate === undefined) === (key === undefined),
    'a certificate and its key belong together: give both or neither'
  )
)

export const httpSchema = looseObject({
  host: v.pipe(
    v.exactOptional(v.pipe(v.string(), v.regex(/^[^\s/]+$/, 'a host is an address or a host name, such as 127.0.0.1'))),
    v.title('Listen on'),
    v.description('Address; 0.0.0.0 = every interface. Without it, what the profile says.'),
    v.metadata({ restart: true })
  ),
  port: v.pipe(
    v.exactOptional(port),
    v.title('Port'),
    v.description('0 = any free one. Default 8080.'),
    v.metadata({ restart: true })
  ),
  tls: v.pipe(
    v.optional(tlsSchema, {}),
    v.title('HTTPS'),
    v.description('A second port on which nobody in reach reads the passphrase.')
  ),
  connections_per_address: v.pipe(
    v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(6, 'a browser needs 6 connections'), v.maxValue(512, 'there are 512')),
      32
    ),
    v.title('Connections of one address'),
    v.description(
      'How many of the 512 one address may hold, so that one phone leaves the others theirs. This machine and trusted proxies are not counted.'
    )
  ),
  trusted_proxies: v.pipe(
    v.optional(v.array(v.string()), []),
    v.title('Trusted proxies'),
    v.description('Addresses or CIDR ranges whose X-Idp-Username header is believed.')
  ),
  local_operator: v.pipe(
    v.exactOptional(v.boolean()),
    v.title('This machine is the operator'),
    v.description(
      'True: whoever sits at the machine itself may change things without signing in, unless a proxy stands on it. Without it: true in a preview and for the profile home, false for the Pi profiles.'
    )
  ),
  operators: v.pipe(
    v.optional(v.array(v.string()), []),
    v.title('Operators'),
    v.description('Identities that may write; empty = every authenticated one.')
  ),
  allowed_hosts: v.pipe(
    v.optional(v.array(v.string()), []),
    v.title('Host names'),
    v.description(
      'Names besides IP addresses, localhost, lookout.local, lookout.lan and the host name of this machine (also with .local) under which the dashboard may be called.'
    )
  )
})

export type HttpConfig = v.InferOutput<typeof httpSchema>
