/**
 * Gives pages of the site what they keep of the run's session: items and cookies that the browser which signed in had, and for a name that a
 * page asks for in vain what the sign-in answered under that name. Runs before the page's own code, in every document; does nothing
 * on other origins.
 */
import type { StoredItem } from '../../../sign-in/page-storage.ts'
import type { GivenStorage } from '../given-storage.ts'
import { offerFor } from './offers.ts'

export function main({ origins, items, over, offers }: GivenStorage): void {
  if (!origins.includes(location.origin)) return
  const areas = areasOf()
  if (areas === null) return
  for (const { area, name, value } of items) {
    const now = area === 'cookie' ? cookieOf(name) : areas[area].getItem(name)
    if (now !== null && !over.includes(now)) continue
    // biome-ignore lint/suspicious/noDocumentCookie: the store that would write it has to be waited for.
    if (area === 'cookie') document.cookie = `${name}=${value}; path=/`
    else areas[area].setItem(name, value)
  }
  // What a page was offered of a session that is over.
  for (const store of Object.values(areas))
    for (const name of Object.keys(store)) {
      const fresh = over.includes(store.getItem(name) ?? '') ? offerFor(name, offers) : null
      if (fresh !== null) store.setItem(name, fresh)
    }
  offer(areas, over, offers)
}

/** As it stands among the cookies that scripts read; null where it does not. */
const cookieOf = (name: string): string | null =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? null

type Areas = Readonly<Record<Exclude<StoredItem['area'], 'cookie'>, Storage>>

/** Null where the document may keep nothing, as in a sandboxed frame. */
const areasOf = (): Areas | null => {
  try {
    return { local: localStorage, session: sessionStorage }
  } catch {
    return null
  }
}

const offer = (areas: Areas, over: GivenStorage['over'], offers: GivenStorage['offers']): void => {
  const own = Object.getOwnPropertyDescriptor(Storage.prototype, 'getItem')
  if (own?.value === undefined) return
  const apply = (target: Storage['getItem'], self: Storage, args: unknown[]): string | null => {
    const found = Reflect.apply(target, self, args) as string | null
    const value = found === null || over.includes(found) ? offerFor(String(args[0]), offers) : null
    if (value === null) return found
    // Kept from now on, as the page itself would: what it takes away when one signs out is given again.
    areas[self === areas.session ? 'session' : 'local'].setItem(String(args[0]), value)
    return value
  }
  Object.defineProperty(Storage.prototype, 'getItem', { ...own, value: new Proxy(own.value, { apply }) })
}
