import type { PushKind } from '../source.ts'
import { readDropped } from './read.ts'
import type { FolderSettings } from './settings.ts'
import { FolderWatch } from './watch.ts'

/** A drop folder: what people and programs put there is read once. Files are never changed, moved or deleted. */
export const folderSource: PushKind<FolderSettings> = {
  mode: 'push',
  kind: 'folder',
  about: 'Events, GeoJSON, CAP and recorded feeds from files put into a folder.',
  open: async (settings, tools) => {
    const watch = new FolderWatch(settings, tools)
    await watch.start()
    return { close: () => watch.close() }
  },
  read: (body, settings, tools) => {
    const { source, receivedAt } = tools
    const families = tools.families?.()
    return readDropped(body, settings, { source, receivedAt, ...(families === undefined ? {} : { families }) })
  }
}
