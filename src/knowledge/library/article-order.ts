import type { ZimReader } from './zim.ts'

/**
 * The articles of an archive in the order they are read in: cluster by cluster, within a cluster by path, so that each
 * cluster is unpacked once. The same archive gives the same order, always: a place in it is where reading goes on.
 * Eight bytes an article. @throws AppError `bad-input`.
 */
export function articleOrder(reader: ZimReader): Uint32Array {
  const { directory, clusterCount } = reader
  let found = new Uint32Array(1024)
  let clusters = new Uint32Array(1024)
  let count = 0
  for (let index = 0; index < directory.count; index++) {
    const head = directory.head(index)
    if (!reader.isArticle(head)) continue
    if (count === found.length) {
      found = grown(found)
      clusters = grown(clusters)
    }
    found[count] = index
    // An article that claims a cluster that does not exist comes last.
    clusters[count] = Math.min(head.cluster, clusterCount)
    count++
  }
  return sorted(found.subarray(0, count), clusters.subarray(0, count), clusterCount)
}

/** The number of articles there are. @throws AppError `bad-input`. */
export function countArticles(reader: ZimReader): number {
  let count = 0
  for (let index = 0; index < reader.directory.count; index++)
    if (reader.isArticle(reader.directory.head(index))) count++
  return count
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** Counting sort: stable, in two passes. */
function sorted(entries: Uint32Array, clusters: Uint32Array, clusterCount: number): Uint32Array {
  const next = new Uint32Array(clusterCount + 2)
  for (const cluster of clusters) next[cluster + 1] = (next[cluster + 1] ?? 0) + 1
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0)
  const order = new Uint32Array(entries.length)
  entries.forEach((entry, at) => {
    const cluster = clusters[at] ?? 0
    const place = next[cluster] ?? 0
    order[place] = entry
    next[cluster] = place + 1
  })
  return order
}
