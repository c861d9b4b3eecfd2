/** Views of an application that one document draws, whatever address is asked for: its server reads nothing of them. */
import type { SiteFacts } from '../../passive/site/facts.ts'
import type { ReachRow, RequestTemplate, Source } from './facts.ts'
import { withoutQuery } from './fetching.ts'
import { isShell } from './shell.ts'

/** As many are asked as stand for all. */
const VIEWS_ASKED = 2

/** Whoever describes an interface means its program. */
const OF_PAGES: ReadonlySet<Source> = new Set(['form', 'browser', 'link', 'script'])

export interface Views {
  /** What is not there is answered with the page that draws itself. */
  readonly drawsAll: boolean
  /** It is what is answered where nothing is. */
  readonly isNothing: (text: string) => boolean
  /** Of views that were answered so: the first of them. Each call counts one. */
  readonly isOneOfFew: () => boolean
  /** What an address was answered. */
  readonly answered: (url: string, text: string) => void
  /**
   * Without views that are asked for with values, as by forms which a script draws and hears itself. `note` is told of each.
   */
  readonly without: (requests: readonly RequestTemplate[], note: (row: ReachRow) => void) => readonly RequestTemplate[]
}

export const createViews = (site: SiteFacts): Views => {
  const drawsAll = isShell(site)
  const nothing = new Set(drawsAll ? site.missing.map(({ body }) => body) : [])
  const drawn = new Set<string>()
  /** A program that answers there with something else is asked, whatever else it answers. */
  const apart = new Set<string>()
  let count = 0
  const isOfView = ({ method, url, source }: RequestTemplate): boolean => {
    const bare = withoutQuery(url)
    return method === 'GET' && OF_PAGES.has(source) && url.includes('?') && drawn.has(bare) && !apart.has(bare)
  }
  return {
    drawsAll,
    isNothing: (text) => nothing.has(text),
    isOneOfFew: () => {
      count += 1
      return count <= VIEWS_ASKED
    },
    answered: (url, text) => {
      if (nothing.has(text)) drawn.add(withoutQuery(url))
      else if (drawsAll) apart.add(withoutQuery(url))
    },
    without: (requests, note) => {
      for (const { method, url } of requests.filter(isOfView))
        note({
          ...{ kind: 'form', method, url, fate: 'merged', with: withoutQuery(url), holds: false },
          reason: 'the server answers it with the document of all views',
        })
      return requests.filter((one) => !isOfView(one))
    },
  }
}
