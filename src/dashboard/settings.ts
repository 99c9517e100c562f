import * as v from 'valibot'
import { looseObject } from '../platform/config/object.ts'

export const httpSchema = looseObject({
  host: v.pipe(
    v.exactOptional(v.pipe(v.string(), v.regex(/^[^\s/]+$/, 'a host is an address or a host name, such as 127.0.0.1'))),
    v.title('Listen on'),
    v.description('Address; 0.0.0.0 = every interface. Without it, what the profile says.'),
    v.metadata({ restart: true })
  ),
  port: v.pipe(
    v.exactOptional(
      v.pipe(
        v.number(),
        v.integer('a port is an integer from 0 to 65535'),
        v.minValue(0, 'a port is an integer from 0 to 65535'),
        v.maxValue(65535, 'a port is an integer from 0 to 65535')
      )
    ),
    v.title('Port'),
    v.description('0 = any free one. Default 8080.'),
    v.metadata({ restart: true })
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
