/** What may be registered as a domain: a name of the public suffix list or of the operator's table, never an address. */
import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'

export interface DomainRules {
  /** Names of the operator's static table, lower case ASCII; allowed whatever their suffix. */
  readonly hosts: ReadonlySet<string>
  readonly allowPorts: boolean
  /** The name is asked for where only an agent is, so that it may be one of a private suffix, e.g. wiki.corp. */
  readonly anySuffix?: boolean
}

export type DomainName =
  | {
      readonly ok: true
      /** ASCII form, with `:port` where one was given. */
      readonly domain: string
      readonly host: string
      readonly port: number | null
    }
  | { readonly ok: false; readonly message: string }

/** RFC 1035, 2.3.4: 255 octets on the wire are 253 characters. */
const MAX_NAME = 253
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/** Never throws. The message is for the person who typed the name. */
export const parseDomainName = (text: string, rules: DomainRules): DomainName => {
  const shape = wrongShape(text)
  if (shape !== null) return refuse(shape)
  const [, name = '', portText] = /^(.*?)(?::(\d*))?$/s.exec(text) ?? []
  const port = portText === undefined ? null : Number(portText)
  if (port !== null && (!/^[1-9]\d{0,4}$/.test(portText ?? '') || port > 65_535)) {
    return refuse('has a port that is not a number from 1 to 65535')
  }
  if (port !== null && !rules.allowPorts) return refuse('must not carry a port: this service does not allow it')
  const host = toAscii(name)
  if (host === null) return refuse('is not a domain name (UTS 46)')
  const wrong = wrongHost(host, rules)
  if (wrong !== null) return refuse(wrong)
  return { ok: true, domain: port === null ? host : `${host}:${port}`, host, port }
}

/** The two parts of a stored domain. */
export const splitDomain = (domain: string): { host: string; port: number | null } => {
  const [host = '', port] = domain.split(':')
  return { host, port: port === undefined ? null : Number(port) }
}

const refuse = (message: string): DomainName => ({ ok: false, message })

/** Mistakes that have a better name than "not a domain name". */
const wrongShape = (text: string): string | null => {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return 'must be a name alone, without https:// before it'
  if (/[/?#\\]/.test(text)) return 'must be a name alone, without a path'
  if (text.includes('@')) return 'must be a name alone, without a user name'
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) return 'must not contain spaces or invisible characters'
  if (text.includes('*')) return 'must be one name; wildcards are not taken'
  if (text.includes('[') || (text.match(/:/g) ?? []).length > 1) return 'must be a name, not an address'
  return null
}

/** One dot at the end says "from the root" and is dropped. */
const toAscii = (name: string): string | null => {
  const host = domainToASCII(name.replace(/[.\u3002\uff0e\uff61]$/, ''))
  // ASCII input is let through unread, so a bad xn-- label shows only in that it cannot be decoded.
  return host === '' || /(^|\.)xn--/.test(domainToUnicode(host)) ? null : host
}

const wrongHost = (host: string, { hosts, anySuffix = false }: Omit<DomainRules, 'allowPorts'>): string | null => {
  const parsed = parse(host, { allowPrivateDomains: true })
  // domainToASCII turns every spelling of an IPv4 address (0x7f.1, 2130706433) into the dotted one.
  if (parsed.isIp === true || /^[\d.]+$/.test(host)) return 'must be a name, not an address'
  if (host.length > MAX_NAME || !host.split('.').every((label) => LABEL.test(label))) {
    return 'is not a domain name (letters, digits and hyphens in labels of at most 63, 253 in all)'
  }
  if (hosts.has(host)) return null
  if (anySuffix && parsed.isIcann !== true && parsed.isPrivate !== true && host.includes('.')) return null
  if (parsed.isIcann !== true && parsed.isPrivate !== true)
    return `has no public suffix: .${host.split('.').at(-1)} is none`
  if (parsed.domain === null) return 'is a public suffix, under which others register their names'
  return null
}
