/** `interactsh-url` and its parts, by the run's own listener. */
import type { Value } from '../language/expression/value.ts'
import type { Answer } from '../language/match/answer.ts'
import type { Text } from '../language/match/text.ts'
import type { Operators } from '../language/template.ts'

/** As `ctx.outOfBand` is; structural, so that a test can stand in. */
export interface Listener {
  readonly issue: (kind: string) => { readonly token: string; readonly host: string | null; readonly url: string }
  /** Waits for the first call that `wanted` takes; gives all that came. */
  readonly hits: (token: string, deadlineMs: number, wanted?: (call: Call) => boolean) => Promise<readonly Call[]>
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
  /** All that came, once more each time that another one does, until `enough` says so or time is over. */
  readonly calls: (deadlineMs: number, enough: (calls: readonly Call[]) => boolean) => Promise<void>
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
    calls: async (deadlineMs, enough) => {
      if (address === null) return
      const until = performance.now() + deadlineMs
      const seen = new Set<Call>()
      for (;;) {
        // A look-up comes before the request that it is for.
        const calls = await listener.hits(address.token, until - performance.now(), (call) => !seen.has(call))
        const fresh = calls.some((call) => !seen.has(call))
        for (const call of calls) seen.add(call)
        if (!fresh || enough(calls)) return
      }
    },
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
