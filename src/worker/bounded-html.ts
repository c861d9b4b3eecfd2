/** HTML of a target, parsed as browsers do, with a bound on what the parser may build. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, type TreeAdapter } from 'parse5'

/** Null when it has more elements than that. */
export const parseBounded = (html: string, maxElements: number): DefaultTreeAdapterTypes.Document | null => {
  let elements = 0
  const treeAdapter: TreeAdapter<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createElement: (...given) => {
      elements += 1
      if (elements > maxElements) throw new TooLarge()
      return defaultTreeAdapter.createElement(...given)
    },
  }
  try {
    return parse(html, { treeAdapter })
  } catch (error) {
    if (error instanceof TooLarge) return null
    throw error
  }
}

class TooLarge extends Error {}
