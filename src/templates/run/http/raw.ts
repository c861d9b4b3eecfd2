/** A raw request of a template: annotations, request line, headers, body. */
import { StepSkipped } from '../executor.ts'

export interface Annotations {
  /** Milliseconds. */
  readonly timeout: number | null
  /** `https://host:port` or a host. */
  readonly host: string | null
  readonly serverName: string | null
  /** Send this request for the first payload only. */
  readonly once: boolean
}

export interface RawRequest {
  readonly method: string
  /** As written: a path, or a whole address. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  /** Byte string, without the line break that ends the block. */
  readonly body: string
}

const LONGEST_WAIT = 60_000

/** Reads the text before its markers are filled, so that only the template itself can annotate. */
export const splitAnnotations = (text: string): { readonly annotations: Annotations; readonly rest: string } => {
  let rest = text.replace(/^\s+/, '')
  let timeout: number | null = null
  let host: string | null = null
  let serverName: string | null = null
  let once = false
  for (;;) {
    const match = /^@([A-Za-z-]+)[ \t]*:?[ \t]*([^\r\n]*)(?:\r?\n|$)\s*/.exec(rest)
    if (!match) return { annotations: { timeout, host, serverName, once }, rest }
    rest = rest.slice(match[0].length)
    const [, name = '', value = ''] = match
    if (name.toLowerCase() === 'timeout') timeout = milliseconds(value)
    else if (name.toLowerCase() === 'host') host = value.trim()
    else if (name.toLowerCase() === 'tls-sni') serverName = value.trim()
    else if (name.toLowerCase() === 'once') once = true
  }
}

const milliseconds = (text: string): number | null => {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m)?/.exec(text.trim())
  if (!match) return null
  const unit = match[2] === 'ms' ? 1 : match[2] === 'm' ? 60_000 : 1_000
  return Math.min(LONGEST_WAIT, Number(match[1]) * unit)
}

/** @throws StepSkipped where there is no request line */
export const parseRaw = (bytes: string): RawRequest => {
  const text = bytes.replace(/^\s+/, '')
  const blank = /\r?\n[ \t]*\r?\n/.exec(text)
  const head = blank ? text.slice(0, blank.index) : text.trimEnd()
  const body = blank ? text.slice(blank.index + blank[0].length) : ''
  const [line = '', ...lines] = head.split(/\r?\n/)
  const match = /^(\S+)[ \t]+(.*?)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*$/.exec(line)
  if (!match?.[1] || !match[2]) throw new StepSkipped(`"${line.slice(0, 60)}" is no request line`, 'defect')
  const headers: [string, string][] = []
  for (const header of lines) {
    const colon = header.indexOf(':')
    if (colon > 0) headers.push([header.slice(0, colon).trim(), header.slice(colon + 1).trim()])
  }
  return { method: match[1], target: match[2], headers, body: trimEnd(body, headers) }
}

/** The block of YAML ends with a line break that is not meant; a multipart body ends with one that is. */
const trimEnd = (body: string, headers: readonly (readonly [string, string])[]): string => {
  const multipart = headers.some(([name, value]) => /^content-type$/i.test(name) && /^multipart\//i.test(value))
  const trimmed = body.replace(/(?:\r?\n)+$/, '')
  return multipart && trimmed !== '' ? `${trimmed}\r\n` : trimmed
}
