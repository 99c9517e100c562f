import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { commonEntries } from '../common-settings.ts'
import { mappingEntry } from '../reading/mapping-settings.ts'

const seconds = (most: number) =>
  v.pipe(
    v.number('seconds are a number'),
    v.minValue(1, 'at least 1 second'),
    v.maxValue(most, `at most ${most} seconds`)
  )

/** Settings of a drop folder: files put there are read once. */
export const folderSourceSchema = v.pipe(
  looseObject({
    ...commonEntries('folder'),
    path: v.pipe(
      v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty('a folder has a path')), 'drop'),
      v.description('The folder. A relative path is inside the data folder, and made when it is not there.')
    ),
    as: v.pipe(
      v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
      v.description('Kind of the files: nws, usgs, cap, events … Default: each tells by its content.')
    ),
    mapping: mappingEntry,
    scan_seconds: v.pipe(v.optional(seconds(3600), 5), v.description('How often the folder is looked at.')),
    settle_seconds: v.pipe(
      v.optional(seconds(600), 2),
      v.description('A file is complete when size and time have not changed for this long.')
    ),
    max_megabytes: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(0.01), v.maxValue(64)), 8),
      v.description('Longer files are refused.')
    )
  }),
  v.title('Drop folder'),
  v.description('Events, GeoJSON, CAP and recorded feeds from files put into a folder.')
)

export type FolderSettings = v.InferOutput<typeof folderSourceSchema>
