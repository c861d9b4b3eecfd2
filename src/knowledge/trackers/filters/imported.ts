/** The operator's imported filter lists, each under the name of its file. */
import { feedFiles } from '../../feeds/files.ts'
import { openFolderFeed } from '../../feeds/folders.ts'
import type { ListedRequest } from '../vendor.ts'
import { openFilters } from './list.ts'

export interface ImportedFilters {
  readonly version: string
  readonly listed: (request: ListedRequest) => string | null
}

/** Null when none was imported. */
export const importedFilters = (folder: string | undefined): ImportedFilters | null => {
  const feed = openFolderFeed(folder, 'filters')
  if (feed === null) return null
  const lists = feedFiles(feed.path, 'filters').map(({ name, text }) => ({
    name: name.replace(/\.txt$/i, ''),
    text: text(),
  }))
  return { version: feed.version, listed: openFilters(lists) }
}
