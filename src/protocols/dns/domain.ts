/** The public suffix list's view of a name. */
import { getDomain, getPublicSuffix } from 'tldts'

/** The registrable domain, suffixes of private registries (github.io) included; the name itself where it is a suffix. */
export const registrable = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host

/** What one would have to register to own the name: suffixes of registries only. Null for a suffix. */
export const registeredName = (host: string): string | null => getDomain(host)

export const publicSuffix = (host: string): string | null => getPublicSuffix(host)
