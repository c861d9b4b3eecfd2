/** How single settings are written. Each schema takes the variable's text and says what is wrong with it. */

import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { parseS3Url } from '../artifacts/s3-url.ts'
import { Plan } from '../contract/organisation.ts'
import { parseAnchor } from '../knowledge/dns/anchors.ts'
import { parsePorts } from '../knowledge/ports/range.ts'

/** A schema from a function that throws a sentence about the value. */
const text = <T>(read: (value: string) => T) =>
  z.string().transform((value, context): T => {
    try {
      return read(value)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      return z.NEVER
    }
  })

/** A whole number, both bounds included. */
export const number = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

/** From none to all. */
export const share = z
  .string()
  .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, 'must be a number from 0 to 1')
  .transform(Number)

/** A folder. A relative one starts where `readConfig` is told that folders start. */
export const folder = z.string()

/** An address of the web, http or https. */
export const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

const words = (value: string): string[] => value.split(/[\s,]+/).filter((word) => word !== '')

/** `shop.test=127.0.0.9 other.test=127.0.0.10,::1`; a comma before the next name is as good as a space. */
export const hostTable = text((value): Readonly<Record<string, readonly string[]>> => {
  const table: Record<string, string[]> = {}
  for (const entry of value.split(/\s+|,(?=[^\s,=]+=)/).filter((part) => part !== '')) {
    const [name = '', addresses = '', ...rest] = entry.split('=')
    const list = addresses.split(',').filter((address) => address !== '')
    if (rest.length > 0 || list.length === 0 || !isHostName(name)) {
      throw new Error(`has "${entry}"; an entry looks like shop.test=127.0.0.9`)
    }
    for (const address of list) assertAddress(address)
    const known = name.toLowerCase()
    table[known] = [...(table[known] ?? []), ...list]
  }
  return table
})

/** `127.0.0.0/8 fd00::/8`, separated by spaces or commas. A plain address is a network of one. */
export const networks = text((value): readonly string[] =>
  words(value).map((word) => {
    if (ipaddr.isValid(word)) return `${word}/${word.includes(':') ? 128 : 32}`
    if (!ipaddr.isValidCIDR(word)) throw new Error(`has "${word}"; a network looks like 127.0.0.0/8`)
    return word
  }),
)

/** `192.0.2.53 [2001:db8::53]:5353` */
export const resolvers = text((value): readonly string[] =>
  words(value).map((word) => {
    const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(word)
    const plain = /^([\d.]+)(?::(\d+))?$/.exec(word)
    const [, address, port] = bracketed ?? plain ?? [null, word, undefined]
    assertAddress(address ?? '')
    if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
      throw new Error(`has "${word}"; a port is 1 to 65535`)
    return word
  }),
)

/** `. 20326 8 2 E06D…`, several separated by semicolons. */
export const trustAnchors = text((value): readonly string[] =>
  value
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      parseAnchor(entry)
      return entry
    }),
)

/** `top`, `all`, or a list such as `22,80,8000-8100`. */
export const portChoice = text((value): string => {
  if (value !== 'top' && value !== 'all') {
    try {
      parsePorts(value)
    } catch (cause) {
      throw new Error(`is neither "top" nor "all" nor a list of ports: ${messageOf(cause)}`, { cause })
    }
  }
  return value
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** One address, IPv4 or IPv6. */
export const ipAddress = text((value): string => {
  assertAddress(value)
  return value
})

/** A name of at least two labels, in lower case. */
export const domainName = text((value): string => {
  if (!isHostName(value) || !value.includes('.')) throw new Error(`has "${value}"; a domain looks like oob.example.net`)
  return value.toLowerCase()
})

/** 32 bytes as hex, base64 or base64url: what `openssl rand -base64 32` prints. */
const keyOf = (value: string): Buffer => {
  const key = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64')
  if (!/^[A-Za-z0-9+/_=-]+$/.test(value) || key.length !== 32) {
    // The value itself stays out of the message: it is a secret.
    throw new Error('must be 32 bytes in hex or base64; "openssl rand -base64 32" makes one')
  }
  return key
}
export const keyText = text(keyOf)
export const keyList = text((value): readonly Buffer[] => value.split(/\s+/).map(keyOf))

export const databaseUrl = text((value): string => {
  if (!/^postgres(ql)?:\/\//.test(value)) throw new Error('must begin with postgres://')
  return value
})

export const storageUrl = text((value): string => {
  parseS3Url(value)
  return value
})

/** A file of plans, JSON or YAML: the list of decisions on quota, concurrency, retention, watermark. */
export const plansFile = text((path): readonly Plan[] => {
  let content: unknown
  try {
    content = parseYaml(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(`names a file that cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  const plans = z.array(Plan).min(1).safeParse(content)
  if (!plans.success) throw new Error(`names a file with a bad plan: ${z.prettifyError(plans.error)}`)
  const twice = plans.data.find((plan, index) => plans.data.findIndex((other) => other.id === plan.id) !== index)
  if (twice !== undefined) throw new Error(`names a file that has the plan "${twice.id}" twice`)
  return plans.data
})

const isHostName = (name: string): boolean =>
  name.length <= 253 && /^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i.test(name) && !ipaddr.isValid(name)

const assertAddress = (address: string): void => {
  if (!ipaddr.isValid(address) || /^\d+$/.test(address)) throw new Error(`has "${address}", which is no IP address`)
}

/** Words with spaces or commas between them. */
export const wordList = text(words)

/** `name=value,name=value`, values percent-encoded, as OpenTelemetry writes them (OTLP exporter, "Specifying headers via environment variables"). */
export const headerList = text((value): Readonly<Record<string, string>> => {
  const headers = value.split(',').flatMap((entry): [string, string][] => {
    if (entry.trim() === '') return []
    const at = entry.indexOf('=')
    const name = entry.slice(0, at).trim()
    // What is wrong with it is said without the entry, which may be a key.
    if (at < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new Error('must be a list such as x-key=abc,x-tenant=7')
    return [[name, decoded(entry.slice(at + 1).trim())]]
  })
  return Object.fromEntries(headers)
})

const decoded = (value: string): string => {
  const plain = value.includes('%') ? unescaped(value) : value
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(plain)) throw new Error('has a value that no header may have')
  return plain
}

const unescaped = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new Error('has a value whose percent-encoding is broken')
  }
}
