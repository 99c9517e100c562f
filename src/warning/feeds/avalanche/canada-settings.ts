import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'
import { leastDanger } from './settings.ts'

/** Forecasts of Avalanche Canada and of the others that publish there. */
export const avalancheCanadaSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('avalanche_canada'),
    url: v.pipe(
      v.optional(httpUrlSchema, 'https://api.avalanche.ca/forecasts/en/products'),
      v.description('Address of the forecasts.')
    ),
    areas_url: v.pipe(
      v.optional(httpUrlSchema, 'https://api.avalanche.ca/forecasts/en/areas'),
      v.description('Address of the outlines of the forecast areas; asked once a day.')
    ),
    min_danger: leastDanger
  }),
  v.title('Avalanche danger (Canada)'),
  v.description('Avalanche forecasts of Avalanche Canada, area by area.')
)

export type AvalancheCanadaSettings = v.InferOutput<typeof avalancheCanadaSourceSchema>
