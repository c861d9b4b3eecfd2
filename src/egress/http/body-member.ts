/** The session within a body of JSON: interfaces of one address (JSON-RPC) have it beside the name of the procedure. */
import { REDACTED } from '../redaction/redacted.ts'

/**
 * What stands there where no value is known: as descriptions have it in place of a credential, as values are made up, as people leave it empty.
 * Whatever else stands there is meant: a probe.
 */
const STANDS_IN: readonly string[] = ['', 'Test-1234', 'test', 'string', REDACTED]

/** Members of the name, however deep, in the text as it is: a probe elsewhere in it stays byte by byte. */
export const withMember = <Body extends Uint8Array | string | undefined>(
  body: Body,
  contentType: string,
  member: { readonly name: string; readonly value: string; readonly former: readonly string[] } | null,
): Body | string => {
  if (member === null || typeof body !== 'string' || !/json/i.test(contentType)) return body
  const known = new Set([...STANDS_IN, ...member.former].map((one) => JSON.stringify(one)))
  const named = new RegExp(`(${escaped(JSON.stringify(member.name))}\\s*:\\s*)("(?:[^"\\\\]|\\\\.){0,8192}")`, 'g')
  return body.replace(named, (whole, before: string, value: string) =>
    known.has(value) ? `${before}${JSON.stringify(member.value)}` : whole,
  )
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
