/** How somebody else sees the same again: the request, and whose session it has to carry. */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import type { Party } from './parties.ts'

export const replayOf = (
  { method = 'GET', url, headers = [], body }: HttpRequest,
  by: Pick<Party, 'isNobody' | 'name'>,
): string => {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const parts = [
    ...['curl -si', ...(method === 'GET' ? [] : ['-X', method]), quoted(url)],
    ...headers.flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]),
    ...(by.isNobody ? [] : ['-H', quoted(`Cookie or Authorization: the session of ${by.name}`)]),
    ...(typeof body === 'string' && body !== '' ? ['--data-binary', quoted(body)] : []),
  ]
  return parts.join(' ').slice(0, 8_000)
}
