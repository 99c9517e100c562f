import * as v from 'valibot'
import { looseObject } from '../../platform/config/object.ts'

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
  codes: v.pipe(
    v.optional(v.picklist(['never', 'escalating', 'always'], 'codes is never, escalating or always'), 'escalating'),
    v.title('Codes'),
    v.description(
      'Which texts end in the code of their alert (#K7QF), for !ack and !why: those that escalate, every one, or none.'
    )
  )
})

export type MessagesConfig = v.InferOutput<typeof messagesSchema>
