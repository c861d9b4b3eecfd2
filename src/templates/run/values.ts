/** The variables of one template on one target, and those that its address gives. */
import { randomInt } from 'node:crypto'
import { parse as parseName } from 'tldts'
import { bytesOfText } from '../language/bytes.ts'
import type { Value } from '../language/expression/value.ts'
import type { TemplateTarget, Values } from './executor.ts'

/** `address` is an http or https URL; its path and query belong to the target. */
export const targetOf = (address: string): TemplateTarget => {
  const url = new URL(address)
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  const port = Number(url.port || (scheme === 'https' ? 443 : 80))
  const path = url.pathname.replace(/\/+$/, '')
  const root = `${scheme}://${url.host}`
  const name = parseName(url.hostname, { allowPrivateDomains: false })
  const file = path.split('/').at(-1) ?? ''
  const variables = {
    BaseURL: root + path + url.search,
    RootURL: root,
    Hostname: url.host,
    Host: url.hostname,
    Port: String(port),
    Path: path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '',
    File: file,
    Scheme: scheme,
    Input: url.host + path,
    FQDN: url.hostname,
    RDN: name.domain ?? url.hostname,
    DN: name.domainWithoutSuffix ?? url.hostname,
    TLD: name.publicSuffix ?? '',
    SD: name.subdomain ?? '',
    BaseDNS: url.hostname,
    host: url.host,
  }
  return {
    base: root + path,
    scheme,
    host: url.hostname,
    port,
    variables: new Map(Object.entries(variables).map(([key, value]) => [key, bytesOfText(value)])),
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** As long as the identifiers that the format's own tool draws. */
const DRAWN = 27

const drawn = (): string => Array.from({ length: DRAWN }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** `randstr` and `randstr_1` are drawn when first asked for and stay. `fixed` cannot be changed by `set`. */
export const createValues = (target: TemplateTarget, fixed: ReadonlyMap<string, Value>): Values => {
  const own = new Map<string, Value>()
  return {
    get: (name) => {
      const known = fixed.get(name) ?? own.get(name) ?? target.variables.get(name)
      if (known !== undefined) return known
      if (!/^randstr(?:_\w{1,20})?$/.test(name)) return undefined
      const made = drawn()
      own.set(name, made)
      return made
    },
    set: (name, value) => {
      own.set(name, value)
    },
  }
}
