/** How somebody else sees the same again: the request, and whose session it has to carry, with the token of that session where scripts send one. */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import type { Party } from './parties.ts'

export const replayOf = (
  { method = 'GET', url, headers = [], body }: HttpRequest,
  by: Pick<Party, 'isNobody' | 'name'>,
  { antiForgery }: Pick<RequestTemplate, 'antiForgery'> = {},
): string => {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const parts = [
    ...['curl -si', ...(method === 'GET' ? [] : ['-X', method]), quoted(url)],
    ...headers.flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]),
    ...(by.isNobody ? [] : ['-H', quoted(`Cookie or Authorization: the session of ${by.name}`)]),
    ...(by.isNobody ? [] : (antiForgery?.headers ?? [])).flatMap((name) => [
      '-H',
      quoted(`${name}: the token of that session`),
    ]),
    ...(typeof body === 'string' && body !== '' ? ['--data-binary', quoted(body)] : []),
  ]
  return parts.join(' ').slice(0, 8_000)
}
