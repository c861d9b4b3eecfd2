/** Which pages that run scripts are of one kind: by their addresses, and those that a program makes of records by how they are built. */
import { segmentsOf } from '../../../page/segments.ts'
import { folderOf, kindOf, withoutHash } from '../../../page/shape.ts'
import type { ScriptedPage } from '../crawl/facts.ts'
import { buildOf } from './likes.ts'

/** So many pages of one folder that are built and labelled exactly alike, with the same scripts, are records, whatever they are called. */
const RECORDS = 12

/** Equal for pages of one kind, of those that are known now. */
export const kindsOf = (pages: readonly ScriptedPage[]): ((page: ScriptedPage) => string) => {
  const counts = new Map<string, number>()
  for (const page of pages) {
    const family = familyOf(page)
    if (family !== null) counts.set(family, (counts.get(family) ?? 0) + 1)
  }
  return (page) => {
    const family = familyOf(page)
    return family !== null && (counts.get(family) ?? 0) >= RECORDS ? family : kindOf(page.url)
  }
}

/** What lies at the root, or is a route of a script, is a part of the application. */
const familyOf = ({ url, code, built }: ScriptedPage): string | null => {
  const folder = folderOf(kindOf(url).replace(/\/$/, ''))
  return built === undefined || url !== withoutHash(url) || folder === `${new URL(url).origin}/`
    ? null
    : `${folder}* ${code} ${built}`
}

/** How a page is built and labelled, apart from its own name; nothing where it is too plain to tell. */
export const builtOf = (html: string, url: string): Pick<ScriptedPage, 'built'> => {
  const name = segmentsOf(url).findLast((segment) => segment !== '')
  const built = name === undefined ? null : buildOf({ status: 200, text: html, contentType: 'text/html' }, url, name)
  return built === null ? {} : { built: built.slice(0, 16) }
}
