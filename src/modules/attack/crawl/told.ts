/** What links have told of addresses: one that is called "Delete" on a page deletes wherever else its address is seen. */
import { inOneForm, segmentShape, singleSlashes } from '../../../page/shape.ts'

export interface Told {
  /** `harm` is what the label says, null where it says nothing grave. */
  readonly note: (address: string, label: string, harm: string | null) => void
  /**
   * By a link to the very address, or to one of its kind: the same program with another record. Where such an address is
   * called something else, too, a script does what the one link says, and its kind is only read. A deed has one name for all
   * records: where those of a kind have each their own, the one that sounds like a deed is a title, and the others are read.
   */
  readonly harmOf: (address: string) => string | null
}

/** So many records called each by another name, none of which is a deed. */
const TITLES = 2

export const createTold = (): Told => {
  const addresses = new Map<string, string>()
  const kinds = new Map<string, string>()
  const mild = new Set<string>()
  const both = new Set<string>()
  const titles = new Map<string, Map<string, string>>()
  return {
    note: (address, label, harm) => {
      const own = inOneForm(address)
      if (harm === null && label.trim() === '') return
      if (harm === null) {
        mild.add(own)
        const named = titles.get(kindOf(address)) ?? new Map<string, string>()
        titles.set(kindOf(address), named)
        if (named.size < TITLES && ![...named.values()].includes(label.trim())) named.set(own, label.trim())
      } else {
        addresses.set(own, harm)
        kinds.set(kindOf(address), harm)
      }
      if (mild.has(own) && addresses.has(own)) both.add(kindOf(address))
    },
    harmOf: (address) => {
      const own = addresses.get(inOneForm(address))
      if (own !== undefined) return own
      const kind = kindOf(address)
      return both.has(kind) || titles.get(kind)?.size === TITLES ? null : (kinds.get(kind) ?? null)
    },
  }
}

/** The address with numbers and identifiers taken out; other values stay, as they may say what is done. */
const kindOf = (address: string): string => {
  const url = new URL(singleSlashes(address))
  const path = url.pathname.split('/').map(segmentShape).join('/')
  const values = [...url.searchParams].map(([name, value]) => `${name}=${segmentShape(value)}`).toSorted()
  return `${url.origin}${path}?${values.join('&')}`
}
