/**
 * The exports of a CommonJS package that was imported when needed: in a bundle they stand in `default` alone, unbundled
 * beside it, and under some loaders there is no `default`.
 */
export function exportsOf<Exports extends object>(module: Exports): Exports {
  if (!('default' in module) || typeof module.default !== 'object' || module.default === null) return module
  return module.default as Exports
}
