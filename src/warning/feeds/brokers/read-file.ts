import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { because } from '../../../model/reason.ts'
import { AppError, errorText } from '../../../platform/errors.ts'

/** A file a setting names; a relative path begins in the data folder. @throws AppError `missing` saying which setting to look at. */
export async function readSettingFile(setting: string, path: string, dataFolder: string): Promise<Uint8Array> {
  try {
    return await readFile(resolve(dataFolder, path))
  } catch (cause) {
    throw new AppError('missing', because('setting_file_unreadable', { setting, said: errorText(cause) }), { cause })
  }
}
