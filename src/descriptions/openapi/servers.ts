/** Of the servers that a document names, the folder: the host is always that of the site. */
import { type Json, list, object, string } from '../json.ts'
import type { ReadOptions } from '../operation.ts'

/** Without a slash at its end. A server on the site's own host is preferred to the first. */
export const prefixOf = (servers: readonly unknown[], root: Json, { host, foundAt }: ReadOptions): string => {
  if (root.swagger !== undefined) return folder(string(root.basePath) ?? '')
  const addresses = servers.map((one) => addressOf(object(one)))
  const own = addresses.find((one) => hostOf(one) !== null && hostOf(one) === host)
  return folder(pathOf(own ?? addresses[0] ?? '/', foundAt))
}

/** Variables with their defaults, or the first that is allowed. */
const addressOf = (server: Json | null): string =>
  (string(server?.url) ?? '/').replace(/\{([^{}]{1,100})\}/g, (_whole, name: string) => {
    const variable = object(object(server?.variables)?.[name])
    return string(variable?.default) ?? string(list(variable?.enum)[0]) ?? ''
  })

const hostOf = (address: string): string | null => /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/i.exec(address)?.[1] ?? null

/** Addresses that no parser takes, since a variable has no default, still have a path. */
const pathOf = (address: string, foundAt: string | null): string => {
  const named = /^(?:[a-z\d+.-]*:)?\/\/[^/?#]*([^?#]*)/i.exec(address)
  if (named) return named[1] ?? ''
  if (/^[^/]*:/.test(address)) return ''
  return URL.parse(address, foundAt ?? 'http://site.invalid/')?.pathname ?? ''
}

const folder = (path: string): string => {
  const plain = path.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  return plain === '' || plain.startsWith('/') ? plain : `/${plain}`
}
