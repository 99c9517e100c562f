import * as v from 'valibot'

/**
 * Said of a text of the configuration that everybody may read: it stands on the air, in events or in traces anyway. Every
 * other text is the operator's alone.
 */
export const forEverybody = <Text>() => v.metadata<Text, { readonly public: true }>({ public: true })
