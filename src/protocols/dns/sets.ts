/** Record sets and their signatures within one answer. */
import type { DnsRecord } from '../../egress/door/egress.ts'
import { bare, type Rrsig, readRrsig } from './wire.ts'

const MOST_RECORDS = 200

/** Canonical RDATA of the records of one name and type. */
export const recordsOf = (records: readonly DnsRecord[], name: string, type: string): readonly Buffer[] =>
  records
    .filter((record) => record.type === type && bare(record.name) === bare(name))
    .slice(0, MOST_RECORDS)
    .map(rdataOf)

export const signaturesOf = (records: readonly DnsRecord[], name: string): readonly Rrsig[] =>
  recordsOf(records, name, 'RRSIG').flatMap((rdata) => readRrsig(rdata) ?? [])

const rdataOf = ({ rdata = '' }: DnsRecord): Buffer => Buffer.from(rdata, 'base64')
