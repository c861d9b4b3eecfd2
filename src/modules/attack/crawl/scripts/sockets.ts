/** Where a script opens a WebSocket. */
import { choice, text, type Value } from './value.ts'

/**
 * The address that its handshake asks for (RFC 6455, 4.1): `ws://host/x` is `http://host/x`, and behind a host that only the running page knows, mostly
 * its own, the path alone.
 */
export const ofSocket = (value: Value): Value => {
  if (value.kind === 'choice') return choice(value.of.map(ofSocket), value.of.length)
  if (value.kind !== 'text') return value
  const { pieces } = value
  const host = pieces.findIndex((piece, index) => /\/\/$/.test(String(piece)) && typeof pieces[index + 1] === 'object')
  if (host >= 0) return { kind: 'text', pieces: pieces.slice(host + 2) }
  const [first, ...rest] = pieces
  if (typeof first !== 'string') return value
  return rest.length === 0
    ? text(first.replace(/^ws(?=s?:)/i, 'http'))
    : { kind: 'text', pieces: [first.replace(/^ws(?=s?:)/i, 'http'), ...rest] }
}
