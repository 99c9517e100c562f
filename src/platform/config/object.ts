import * as v from 'valibot'

/**
 * valibot takes a list where an object is asked for, and reads it as an empty one: `"cells": []` would wipe the matrix
 * without a word. These three refuse lists; the schemas of this program use them in place of valibot's own.
 */
function refuseLists<Schema extends v.GenericSchema>(schema: Schema): Schema {
  return {
    ...schema,
    '~run'(dataset, config) {
      if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config)
      v._addIssue(schema, 'type', dataset, config)
      return dataset
    }
  } satisfies Schema
}

/** An object whose unknown keys are kept. */
export function looseObject<const Entries extends v.ObjectEntries>(
  entries: Entries,
  message?: string
): v.LooseObjectSchema<Entries, string | undefined> {
  return refuseLists(v.looseObject(entries, message))
}

/** An object without any other keys. */
export function strictObject<const Entries extends v.ObjectEntries>(
  entries: Entries,
  message?: string
): v.StrictObjectSchema<Entries, string | undefined> {
  return refuseLists(v.strictObject(entries, message))
}

/** A dictionary. */
export function record<
  const Key extends v.BaseSchema<string, string | number | symbol, v.BaseIssue<unknown>>,
  const Value extends v.GenericSchema
>(key: Key, value: Value, message?: string): v.RecordSchema<Key, Value, string | undefined> {
  return refuseLists(v.record(key, value, message))
}
