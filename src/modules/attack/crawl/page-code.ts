/** Code that stands in pages, read together with the files of the site: what an element runs calls functions that these have. */
import type { Endpoint, Scripts } from './scripts.ts'

/** Texts that are read, and characters of one: most of what is longer holds data. */
const MOST = 4_000
const LONGEST = 20_000

export interface PageCode {
  /** What the texts of one page ask for by the functions of files, those that were read before and those that come. */
  readonly read: (page: {
    readonly inline: readonly string[]
    readonly handlers: readonly string[]
  }) => readonly Endpoint[]
}

export const createPageCode = (site: Scripts): PageCode => {
  const known = new Set<string>()
  return {
    read: ({ inline, handlers }) => {
      site.learn(inline)
      const fresh = [...inline, ...handlers].filter((code) => code.length <= LONGEST && !known.has(code))
      const some = fresh.slice(0, Math.max(0, MOST - known.size))
      for (const code of some) known.add(code)
      return some.length === 0 ? [] : site.all(some)
    },
  }
}
