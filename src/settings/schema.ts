import * as v from 'valibot'
import { httpSchema } from '../dashboard/settings.ts'
import { addressesSchema, librarySchema, scraperSchema, servicesSchema } from '../knowledge/library/settings.ts'
import { knowledgeSchema, uploadsSchema } from '../knowledge/settings.ts'
import { backupSchema } from '../platform/backup/settings.ts'
import { looseObject } from '../platform/config/object.ts'
import { LOG_LEVELS } from '../platform/log/log-levels.ts'
import { powerSchema } from '../platform/metrics/power-settings.ts'
import { warningEntries } from '../warning/settings.ts'

/** The one truth about `config.json`: types, checks, defaults, JSON Schema, documentation and OpenAPI come from here. */

export const configSchema = v.pipe(
  looseObject({
    ...warningEntries,
    knowledge: v.pipe(v.optional(knowledgeSchema, {}), v.description('Documents: how they are read and searched.')),
    uploads: v.pipe(v.optional(uploadsSchema, {}), v.description('What may be uploaded.')),
    library: v.pipe(v.optional(librarySchema, {}), v.description('The offline-wiki library and its server.')),
    scraper: v.pipe(v.optional(scraperSchema, {}), v.description('Archiving of web sites.')),
    addresses: v.pipe(v.optional(addressesSchema, {}), v.description('Where postal addresses are looked up.')),
    services: v.pipe(v.optional(servicesSchema, {}), v.description('Companion services the dashboard links to.')),
    backup: v.pipe(v.optional(backupSchema, {}), v.description('Backups that the station makes by itself.')),
    power: v.pipe(v.optional(powerSchema, {}), v.description('When the board is switched off by itself.')),
    http: v.pipe(v.optional(httpSchema, {}), v.description('The dashboard and its API.')),
    log_level: v.pipe(
      v.exactOptional(v.picklist(LOG_LEVELS, `a log level is one of ${LOG_LEVELS.join(', ')}`)),
      v.title('Log level'),
      v.description('How much is logged. Default info.'),
      v.metadata({ restart: true })
    )
  }),
  v.title('Lookout configuration')
)

export type Config = v.InferOutput<typeof configSchema>
