/** Which pages are views of one application, as far as their addresses tell. */
import { hashRouteOf, kindOf, withoutHash } from '../../../../page/shape.ts'

/** Gives two views of other kinds that a page may be compared with, the same ones for all of its application; none where there are none. */
export const besideOf = (urls: readonly string[]): ((url: string) => readonly string[]) => {
  const first = new Map<string, Map<string, string>>()
  for (const url of urls) {
    const kinds = first.get(homeOf(url)) ?? new Map<string, string>()
    first.set(homeOf(url), kinds)
    if (kinds.size < 2 && !kinds.has(kindOf(url))) kinds.set(kindOf(url), url)
  }
  const viewsAt = (home: string): readonly string[] => [...(first.get(home) ?? []).values()]
  return (url) => {
    // A document that draws routes shows one of them where its address names none.
    const routes = viewsAt(withoutHash(url))
    const views = routes.length > 0 ? routes : viewsAt(homeOf(url))
    return views.length < 2 ? [] : views
  }
}

/** What is drawn by routes behind the # has one document; other views of one application have addresses of one origin. */
const homeOf = (url: string): string => (hashRouteOf(url) === null ? new URL(url).origin : withoutHash(url))
