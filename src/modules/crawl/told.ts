/** What links have told of addresses: one that is called "Delete" on a page deletes wherever else its address is seen. */
import { segmentShape, singleSlashes } from './shape.ts'

export interface Told {
  /** `harm` is what the label says, null where it says nothing grave. */
  readonly note: (address: string, label: string, harm: string | null) => void
  /** By a link to the very address, or by links of its kind where none of those says that they read. */
  readonly harmOf: (address: string) => string | null
}

export const createTold = (): Told => {
  const addresses = new Map<string, string>()
  const kinds = new Map<string, string>()
  const mild = new Set<string>()
  return {
    note: (address, label, harm) => {
      const kind = kindOf(address)
      if (harm === null) {
        if (label.trim() !== '') mild.add(kind)
        return
      }
      addresses.set(singleSlashes(address), harm)
      kinds.set(kind, harm)
    },
    harmOf: (address) => {
      const own = addresses.get(singleSlashes(address))
      if (own !== undefined) return own
      const kind = kindOf(address)
      return mild.has(kind) ? null : (kinds.get(kind) ?? null)
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
