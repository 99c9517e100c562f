import * as v from 'valibot'
import { forEverybody } from '../../platform/config/for-everybody.ts'
import { looseObject } from '../../platform/config/object.ts'
import { isAllowEntry } from '../../platform/net/allow-list.ts'

const address = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/[^\s/?#]+[^\s?#]*$/i, 'an address begins with http:// or https:// and has no ? or #')
)
const optionalAddress = v.union([v.literal(''), address])
const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))

/** The offline-wiki library (contract §9). */
export const librarySchema = looseObject({
  server: v.pipe(
    v.optional(v.picklist(['supervised', 'external', 'off'], 'a server is supervised, external or off'), 'supervised'),
    v.title('Library server'),
    v.description(
      'supervised: Lookout starts and stops kiwix-serve itself, when it is installed. external: somebody else does. off: archives are read, but nothing serves them.'
    ),
    v.metadata({ restart: true })
  ),
  port: v.pipe(
    v.optional(whole(0, 65535), 8081),
    v.title('Port of the library server'),
    v.description('Where the supervised server listens, on the address of the dashboard; 0 = any free one.'),
    v.metadata({ restart: true })
  ),
  server_url: v.pipe(
    v.optional(optionalAddress, ''),
    v.title('Address of an external server'),
    v.description('Where Lookout reaches the external kiwix-serve, such as http://127.0.0.1:8430.'),
    v.metadata({ restart: true })
  ),
  server_pid_file: v.pipe(
    v.optional(v.string(), ''),
    v.title('Process file of an external server'),
    v.description(
      'File with the process id of the external server: it is told to reload by SIGHUP. Empty: it must watch its library file.'
    ),
    v.metadata({ restart: true })
  ),
  wiki_url: v.pipe(
    v.optional(optionalAddress, ''),
    v.title('Public address of the library'),
    v.description(
      'Begins every citation of an article. Empty: the host name the reader used, with the port of the library.'
    ),
    forEverybody()
  ),
  detect_minutes: v.pipe(
    v.optional(whole(1, 1440), 10),
    v.title('Look for archives every, minutes'),
    v.description('How often the folder of archives and the feed of the server are compared.')
  )
})
export type LibraryConfig = v.InferOutput<typeof librarySchema>

/** Archiving of web sites (contract §9). */
export const scraperSchema = looseObject({
  rate_limit_delay: v.pipe(
    v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(60)), 0.5),
    v.title('Pause between pages, seconds'),
    v.description('Between two pages of one host.')
  ),
  max_pages: v.pipe(
    v.optional(whole(1, 1_000_000), 2000),
    v.title('Most pages of a site'),
    v.description('An archiving ends after this many pages.')
  ),
  max_bytes: v.pipe(
    v.optional(whole(1024 * 1024, 1024 ** 4), 2 * 1024 ** 3),
    v.title('Most bytes of a site'),
    v.description('An archiving ends after this many bytes.')
  ),
  max_minutes: v.pipe(
    v.optional(whole(1, 7 * 24 * 60), 240),
    v.title('Longest archiving, minutes'),
    v.description('An archiving ends after this time, with what it has.')
  ),
  scope: v.pipe(
    v.optional(v.picklist(['host', 'prefix', 'domain'], 'a scope is host, prefix or domain'), 'host'),
    v.title('Scope'),
    v.description('What belongs to a site: its host, the folder of its first page, or the host and those below it.')
  ),
  pattern_percent: v.pipe(
    v.optional(whole(1, 100), 25),
    v.title('Most of a crawl for one pattern, percent'),
    v.description(
      'Pages whose addresses differ in numbers, dates and values alone are one pattern (calendars). Beyond this part of the pages it waits for all others, and is left out where its pages say the same. 100: no such limit.'
    )
  ),
  max_documents: v.pipe(
    v.optional(whole(1, 1000), 100),
    v.title('Most documents of a site'),
    v.description('So many linked PDFs and EPUBs at most go into the document library, where a job asks for them.')
  ),
  max_document_bytes: v.pipe(
    v.optional(whole(1024 * 1024, 1024 ** 4), 512 * 1024 ** 2),
    v.title('Most bytes of documents of a site'),
    v.description('The linked PDFs and EPUBs of a job hold at most so many bytes together.')
  ),
  allowed_hosts: v.pipe(
    v.optional(
      v.pipe(
        v.array(
          v.pipe(
            v.string(),
            v.maxLength(255),
            v.check(isAllowEntry, 'an own host is like wiki.station.lan, *.station.lan, 10.20.0.7 or 10.20.0.0/16')
          )
        ),
        v.maxLength(50, 'at most 50 hosts and networks')
      ),
      []
    ),
    v.title('Own hosts that may be archived'),
    v.description(
      'Hosts and networks of your own that may be archived although they are private: wiki.station.lan, *.station.lan, 10.20.0.0/16. Never this station itself, nor addresses of its link.'
    )
  ),
  image: v.pipe(
    v.optional(v.string(), 'ghcr.io/openzim/zimit:3.1.2'),
    v.title('Image of the archiver'),
    v.description('Container image used where docker or podman and this image are present. Nothing is ever downloaded.')
  )
})
export type ScraperConfig = v.InferOutput<typeof scraperSchema>

/** Postal addresses (contract §10). */
export const addressesSchema = looseObject({
  file: v.pipe(
    v.optional(v.string(), ''),
    v.title('Address file'),
    v.description('SQLite file of addresses, read only. Empty: addresses.sqlite in the data folder.'),
    v.metadata({ restart: true })
  )
})

const service = (title: string) =>
  v.pipe(
    v.optional(optionalAddress, ''),
    v.title(title),
    v.description('The dashboard links to it where the profile expects it. Empty: no link.'),
    forEverybody()
  )

/** Companion services of a profile (contract §10): only linked to, never called. */
export const servicesSchema = looseObject({
  contacts_url: service('Contacts'),
  landclass_url: service('Land classes'),
  hillshade_url: service('Hillshade'),
  traffic_overlay_url: service('Traffic'),
  nominatim_details_url: service('Place details')
})
export type ServicesConfig = v.InferOutput<typeof servicesSchema>
export type ServiceName = keyof typeof servicesSchema.entries
