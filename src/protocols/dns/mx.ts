/** Mail servers by the MX records that were seen (RFC 5321, 5.1). */
import type { Lookup } from './ask.ts'
import { bare } from './wire.ts'

export interface MxData {
  readonly exchange: string
  readonly preference: number
}

export const isMx = (data: unknown): data is MxData =>
  typeof data === 'object' && data !== null && 'exchange' in data && typeof data.exchange === 'string'

export const mxOf = (mx: Lookup): readonly MxData[] =>
  mx.records
    .map(({ data }) => data)
    .filter(isMx)
    .map(({ exchange, preference }) => ({ exchange: bare(exchange), preference }))
    .toSorted((a, b) => a.preference - b.preference)
