/**
 * Scripts that run inside of a page are modules as all others, in folders named `in-page`, checked with the types of the
 * DOM (tsconfig.in-page.json). Here they become one text for the browser: types are taken out, imports followed.
 */
import { withoutTypes } from './without-types.ts'

/** What the text calls itself: a file of it may declare this name, to pass the whole on to a worker. */
export const SELF = 'inPage'

const IMPORT = /^import\b[^'"]*['"](\.[^'"]+)['"];?$/gm
const EXPORT = /^export (?=(?:async )?(?:function|const|let|class)\b)/gm

/** Made at the first call: most processes send nothing to a page. */
const made = new Map<string, string>()

/**
 * The text of a function expression: all files that `entry` imports in one scope, each before those that need it, then
 * a call of what `entry` exports as `main`, with what the function is given.
 * @throws Error where a file cannot be put so: a circle, an import of something else than a file, an export by list or by default.
 */
export const inPageScript = (entry: URL): string => {
  const text = made.get(entry.href) ?? together(entry)
  made.set(entry.href, text)
  return text
}

const together = (entry: URL): string => {
  const files = new Map<string, string | null>()
  addFile(entry, files)
  return `function ${SELF}(...given) {\n${[...files.values()].join('\n')}\nreturn main(...given)\n}`
}

/** Null stands for a file whose imports are being read. */
const addFile = (file: URL, files: Map<string, string | null>): void => {
  if (files.get(file.href) === null) throw new Error(`${file.pathname} imports itself in a circle`)
  if (files.has(file.href)) return
  files.set(file.href, null)
  const text = withoutTypes(file)
  for (const [, path = ''] of text.matchAll(IMPORT)) addFile(new URL(path, file), files)
  const body = text.replace(IMPORT, '').replace(EXPORT, '')
  const left = /^(?:import|export)\b.*/m.exec(body)
  if (left !== null) throw new Error(`${file.pathname} cannot be sent to a page: ${left[0]}`)
  // Set anew, so that the order of the map is the one in which the files were finished.
  files.delete(file.href)
  files.set(file.href, body)
}
