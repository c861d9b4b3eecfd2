/** `interactsh-url` and its parts, by the run's own listener. */
import type { Value } from '../../knowledge/templates/dsl/value.ts'
import type { Answer } from '../../knowledge/templates/match/answer.ts'
import type { Text } from '../../knowledge/templates/match/text.ts'
import type { Operators } from '../../knowledge/templates/template.ts'

/** As `ctx.outOfBand` is; structural, so that a test can stand in. */
export interface Listener {
  readonly issue: (kind: string) => { readonly token: string; readonly host: string | null; readonly url: string }
  readonly hits: (token: string, deadlineMs: number) => Promise<readonly Call[]>
}

interface Call {
  readonly protocol: 'dns' | 'http'
  readonly from: string
  readonly detail: string
  readonly agent: string
}

/** The address of one template run, issued when it is first named. */
export interface Callback {
  readonly name: () => string
  readonly issued: () => boolean
  readonly calls: (deadlineMs: number) => Promise<readonly Call[]>
  readonly host: () => string
}

export const createCallback = (listener: Listener, kind: string): Callback => {
  let address: ReturnType<Listener['issue']> | null = null
  const issue = () => {
    address ??= listener.issue(kind)
    return address
  }
  const host = (): string => {
    const { host, url } = issue()
    return host ?? url.replace(/^https?:\/\//, '').replace(/\/$/, '')
  }
  return {
    name: host,
    host,
    issued: () => address !== null,
    calls: async (deadlineMs) => (address === null ? [] : listener.hits(address.token, deadlineMs)),
  }
}

export const usesCallback = (operators: Operators): boolean => /interactsh_/.test(JSON.stringify(operators))

/** The answer with what was called added to it. */
export const withCalls = (
  answer: Answer,
  calls: readonly Call[],
  host: string,
  text: (bytes: string) => Text,
): Answer => {
  const values: Readonly<Record<string, Value>> = {
    interactsh_protocol: [...new Set(calls.map(({ protocol }) => protocol))].join('\n'),
    interactsh_request: calls.map((call) => asText(call, host)).join('\n'),
    interactsh_response: '',
    interactsh_ip: calls[0]?.from ?? '',
  }
  return {
    get: (name) => (Object.hasOwn(values, name) ? values[name] : answer.get(name)),
    text: (part) => (Object.hasOwn(values, part) ? text(String(values[part])) : answer.text(part)),
  }
}

const asText = ({ protocol, detail, agent }: Call, host: string): string =>
  protocol === 'dns'
    ? `;; QUESTION SECTION:\n;${detail === '' ? '' : `${detail}.`}${host}.\tIN\t${agent}`
    : `${detail} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${agent}\r\n`
