/**
 * When two findings are the same problem: in one run they become one finding with several places, across the runs of a
 * domain they carry the same fingerprint. docs/findings-identity.md explains it for readers of the fingerprint.
 */
import { createHash } from 'node:crypto'
import type { Location } from '../contract/finding.ts'

/** Raised when the rule below changes: every fingerprint changes then, and every finding looks new once. */
const RULE = 'v1'

export interface Identity {
  readonly checkId: string
  readonly location: Location
  readonly subject: string | null
  /** See modules/module.ts. */
  readonly route?: string
  /** See modules/module.ts. */
  readonly procedure?: string
  /** See modules/module.ts; findings that have one are the same wherever they were seen. */
  readonly cause?: string
}

/**
 * Check, host, parameter, subject, route and procedure; check, host and cause where one piece of code is behind it. A parameter
 * belongs to an address, so method and path shape join in with it; without one the finding speaks of the host, and the
 * pages it was seen on are places, not identity.
 * Left out on purpose: scheme, query values, wording, severity, time, order.
 */
export const identityKey = (one: Identity): string => keyOf(one, parameterShape)

const keyOf = (one: Identity, named: (parameter: string) => string): string => {
  const { checkId, location, subject, cause } = one
  return cause === undefined
    ? placedKey(one, named)
    : JSON.stringify([RULE, checkId, assetOf(location), null, subject, 'cause', cause])
}

const placedKey = (
  { checkId, location, subject, route, procedure }: Identity,
  named: (parameter: string) => string,
): string =>
  JSON.stringify([
    RULE,
    checkId,
    assetOf(location),
    location.parameter === undefined ? null : named(location.parameter),
    ...(location.parameter === undefined ? [] : [location.method?.toUpperCase() ?? 'GET', pathShape(location.url)]),
    route === undefined ? subject : [subject, route].filter((part) => part !== null).join(' '),
    ...(procedure === undefined ? [] : ['procedure', procedure]),
  ])

/**
 * The rows of one list are read by the same code: `items[0][sku]` of a form, `/items/0/sku` of a document (RFC 6901), `items.0.sku`,
 * `items-0-sku`. A number with nothing behind it may be the place of an argument.
 */
const parameterShape = (parameter: string): string =>
  parameter.replace(/\[\d{1,6}\](?=\.?[[a-z_])/gi, '[{n}]').replace(/(?<=[\w\]])([/.-])\d{1,6}(?=\1[a-z_])/gi, '$1{n}')

/** SHA-256 over the identity, lower case hex. */
export const fingerprintOf = (identity: Identity): string => hashOf(identityKey(identity))

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

/**
 * The fingerprints that earlier versions gave to the same problem, by which decisions about it are found
 * (store/succession.ts). Whoever changes the identity of a finding says here what it was before.
 */
export const earlierFingerprints = (identity: Identity): readonly string[] => {
  const { procedure: _procedure, ...whole } = identity
  const { cause: _cause, ...placed } = whole
  const { route: _route, ...unrouted } = placed
  const now = fingerprintOf(identity)
  const before = [identity, whole, placed, unrouted].flatMap((one) => [
    fingerprintOf(one),
    hashOf(keyOf(one, (parameter) => parameter)),
  ])
  return [...new Set(before)].filter((one) => one !== now)
}

/** Host in lower case, with its port where that is not the scheme's own. */
const assetOf = (location: Location): string => {
  const url = location.url === undefined ? null : URL.parse(location.url)
  if (url) return url.host
  const host = (location.host ?? location.url ?? '').toLowerCase()
  return location.port === undefined ? host : `${host}:${location.port}`
}

/**
 * The path with parts that name one record or one session replaced, so that /order/17 and /order/18 are one place. A route behind the #
 * (`#/order/17`) is a path of the page that a script draws, and joins in.
 */
export const pathShape = (address: string | undefined): string => {
  const url = address === undefined ? null : URL.parse(address)
  if (!url) return ''
  const route = /^#(!?\/[^?]*)/.exec(url.hash)?.[1]
  return `${shapeOfPath(url.pathname)}${route === undefined ? '' : `#${shapeOfPath(route)}`}`
}

const shapeOfPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => shapeOf(segment.split(';')[0] ?? ''))
    .join('/')

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const shapeOf = (segment: string): string => {
  if (/^\d+$/.test(segment)) return '{n}'
  if (UUID.test(segment)) return '{id}'
  if (/^[0-9a-f]{8,}$/i.test(segment) && /\d/.test(segment)) return '{id}'
  const opaque = /^[\w-]{20,}$/.test(segment) && /\d/.test(segment) && /[a-z]/i.test(segment)
  return opaque && !isReadable(segment) ? '{id}' : segment
}

/** Words joined by hyphens or underscores, as in the address of an article. */
const isReadable = (segment: string): boolean =>
  segment.split(/[-_]/).filter((word) => /^([a-z]{2,}|[A-Z]?[a-z]+)$/.test(word)).length >= 2
