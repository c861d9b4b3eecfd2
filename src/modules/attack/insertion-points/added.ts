/** Requests of what was added to a system: see `page/extensions.ts`. */
import { extensionOf, isOfExtension } from '../../../page/extensions.ts'

interface Made {
  readonly url: string
  /** Pages and files that make it. */
  readonly seenOn: readonly string[]
}

/**
 * Whether a request is an extension's, by its address or by all pages and files that make it. `folders`: those that pages have files from. Null where they
 * show no extension.
 */
export const isAddedBy = (folders: readonly string[]): ((one: Made) => boolean) | null => {
  const names = new Set(folders.flatMap((folder) => extensionOf(folder) ?? []))
  if (names.size === 0) return null
  const isOne = (url: string): boolean => isOfExtension(url, names)
  return ({ url, seenOn }) => isOne(url) || (seenOn.length > 0 && seenOn.every(isOne))
}

/** Those of extensions first, otherwise in their order. */
export const addedFirst = <One extends Made>(all: readonly One[], folders: Iterable<string>): readonly One[] => {
  const isAdded = isAddedBy([...folders])
  return isAdded === null ? all : [...all.filter(isAdded), ...all.filter((one) => !isAdded(one))]
}
