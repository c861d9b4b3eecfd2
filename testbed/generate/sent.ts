/** What the script of a page sends for a place, and what carries its value in each kind of request. */
import type { Planted, Spot } from './plan.ts'

export interface Sent {
  readonly method: string
  readonly type?: string
  readonly body?: string
}

type Written = (place: Pick<Planted, 'input'>, value: string) => Sent

const json = (method: string, body: unknown): Sent => ({ method, type: 'application/json', body: JSON.stringify(body) })
const filter: (method: string) => Written =
  (method) =>
  ({ input }, value) =>
    json(method, { count: 10, filter: { [input]: value } })

const WRITTEN: Partial<Readonly<Record<Spot, Written>>> = {
  json: filter('POST'),
  'json-put': filter('PUT'),
  'json-patch': filter('PATCH'),
  'json-list': ({ input }, value) => json('POST', { page: 1, items: [{ label: 'first', [input]: value }], tags: [] }),
  graphql: ({ input }, value) =>
    json('POST', {
      query: `query Items($${input}: String) { items(${input}: $${input}) { name } }`,
      variables: { [input]: value },
    }),
  xml: ({ input }, value) => ({
    ...{ method: 'POST', type: 'application/xml' },
    body: `<?xml version="1.0"?><order><count>10</count><${input}>${value}</${input}></order>`,
  }),
  urlencoded: ({ input }, value) => ({
    ...{ method: 'POST', type: 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ [input]: value, count: '10' }).toString(),
  }),
  multipart: () => ({ method: 'POST' }),
}

export const sentFor = (place: Planted, value: string): Sent => WRITTEN[place.spot]?.(place, value) ?? { method: 'GET' }

/** As addresses and cookies carry a state: JSON in base64. */
export const packedWith = (input: string, value: string): string =>
  Buffer.from(JSON.stringify({ page: 1, [input]: value })).toString('base64')

/** As a finding names the place. */
export const parameterOf = ({ spot, input, path }: Planted): string => {
  if (spot === 'path') return `path segment ${path.split('/').length}`
  if (spot === 'json-list') return `/items/0/${input}`
  if (spot.startsWith('json')) return `/filter/${input}`
  if (spot === 'graphql') return `/variables/${input}`
  if (spot === 'array') return `filter[${input}]`
  if (spot === 'packed') return PACKED
  if (spot === 'cookie-packed') return `cookie ${PACKED}`
  return spot === 'header' || spot === 'cookie' ? `${spot} ${input}` : input
}

/** Name of what holds several values. */
export const PACKED = 'state'
