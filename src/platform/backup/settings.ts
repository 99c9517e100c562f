import * as v from 'valibot'
import { looseObject } from '../config/object.ts'

/** Backups that the station makes by itself (docs/operator.md, "Backup"). */
export const backupSchema = looseObject({
  every: v.pipe(
    v.optional(v.picklist(['off', 'daily', 'weekly'], 'backups are off, daily or weekly'), 'off'),
    v.title('Backups by itself'),
    v.description('How often the station adds a backup by itself.')
  ),
  keep: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(365)), 7),
    v.title('Backups to keep'),
    v.description('Older ones are removed once a new one was found whole.')
  ),
  folder: v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^(?:\/.*)?$/, 'a folder begins with /')), ''),
    v.title('Folder for backups'),
    v.description('Empty: a stick labelled LOOKOUT. Another folder must be there, and one the service may write to.')
  )
})

export type BackupConfig = v.InferOutput<typeof backupSchema>
