import * as v from 'valibot'
import { AIR_LANGUAGES } from '../../model/air-languages.ts'
import { forEverybody } from '../../platform/config/for-everybody.ts'
import { looseObject, record } from '../../platform/config/object.ts'

const languageSchema = v.picklist(AIR_LANGUAGES, `a language is one of ${AIR_LANGUAGES.join(', ')}`)

const channelSchema = looseObject({
  language: v.pipe(
    v.exactOptional(languageSchema),
    v.title('Language'),
    v.description('The language of the texts on this channel. Absent: that of the station.')
  ),
  ascii: v.pipe(
    v.exactOptional(v.boolean()),
    v.title('Letters of ASCII only'),
    v.description('As for all channels, for this one alone.')
  )
})

export const messagesSchema = looseObject({
  mt_bytes: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(228)), 200),
    v.title('Meshtastic text limit, bytes'),
    v.description('A text on Meshtastic never has more bytes of UTF-8 than this.')
  ),
  mc_bytes: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(160)), 155),
    v.title('MeshCore text limit, bytes'),
    v.description(
      'Including the node name and ": " which the firmware puts before the text. More than 155 holds for direct texts only: the repeats of a longer channel text are never shown to the station.'
    )
  ),
  target_bytes: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(228)), 140),
    v.title('Target length, bytes'),
    v.description(
      'Texts are written for this length. Up to 20 bytes more where a sentence would break off or what to do would be lost; critical ones then, and immediate ones always, may use the whole limit.'
    )
  ),
  max_parts: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3)), 1),
    v.title('Parts of a long text'),
    v.description('1 = one packet, cut to fit. More parts say more: each is numbered and can be read alone.')
  ),
  ascii: v.pipe(
    v.optional(v.boolean(), false),
    v.title('Letters of ASCII only'),
    v.description(
      'Texts without marks on letters: ä becomes ae in German, é becomes e. They are shorter, and radios without such letters show them. Japanese stays as it is.'
    )
  ),
  channels: v.pipe(
    v.optional(
      record(
        v.pipe(
          v.string(),
          v.regex(/^(?:mt:[0-7]|mc:.{1,31})$/u, 'a channel is mt:0 to mt:7, or mc: and its name'),
          forEverybody()
        ),
        channelSchema
      ),
      {}
    ),
    v.title('Channels with a language of their own'),
    v.description('By mt:INDEX or mc:NAME: what differs there from station.language and from ascii.')
  ),
  codes: v.pipe(
    v.optional(v.picklist(['never', 'escalating', 'always'], 'codes is never, escalating or always'), 'escalating'),
    v.title('Codes'),
    v.description(
      'Which texts end in the code of their alert (#K7QF), for !ack and !why: those that escalate, every one, or none.'
    )
  )
})

export type MessagesConfig = v.InferOutput<typeof messagesSchema>
