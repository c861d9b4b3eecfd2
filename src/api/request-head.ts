/** What has to be right about a request's head before anybody looks at what it asks for. */
import type { IncomingMessage } from 'node:http'
import { ProblemError } from '../contract/problem.ts'
import { badRequest } from './problems.ts'

/** RFC 3986, 3.2.2: a name, an IPv4 address or an IPv6 address in brackets, and a port that may be empty. */
const HOST = /^(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d{0,5})?$/i

/** Throws validation_failed or expectation_failed. */
export const demandSoundHead = (request: IncomingMessage): void => {
  const hosts = valuesOf(request, 'host')
  // RFC 9112, 3.2: 400 where it is missing from HTTP/1.1, where there are two, and where it is no host.
  if (hosts.length === 0 && request.httpVersion === '1.0') return
  if (hosts.length !== 1) {
    const found = hosts.length === 0 ? 'is missing' : `was sent ${hosts.length} times`
    throw badRequest(found, undefined, 'Host')
  }
  if (!HOST.test(hosts[0] ?? '')) throw badRequest('is not a host with an optional port', undefined, 'Host')
  const { expect } = request.headers
  // RFC 9110, 10.1.1. Node has answered 100-continue itself.
  if (expect !== undefined && !/^\s*100-continue\s*$/i.test(expect)) {
    throw new ProblemError('expectation_failed', 'The only expectation that is met here is 100-continue.')
  }
}

/** Each line of that name; `headers` has only the first. */
const valuesOf = ({ rawHeaders }: IncomingMessage, name: string): readonly string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
