/** Digest authentication (RFC 7616): the challenge of a 401 is answered once. Auth alone; no body is signed. */
import { createHash, randomBytes } from 'node:crypto'
import type { HttpClient, Reply } from './client.ts'

export interface DigestCredentials {
  readonly username: string
  readonly password: string
}

const HASHES: Readonly<Record<string, string>> = { md5: 'md5', 'sha-256': 'sha256', 'sha-512-256': 'sha512-256' }

/** A client that answers digest challenges. A challenge that it does not understand is an answer like any other. */
export const withDigest = (client: HttpClient, credentials: DigestCredentials): HttpClient => ({
  ...client,
  send: async (spec, fresh) => {
    const reply = await client.send(spec, fresh)
    const challenge = reply.status === 401 && spec.verbatim === null ? challengeOf(reply) : null
    if (challenge === null) return reply
    const value = authorization(challenge, credentials, spec.method, spec.target, randomBytes(8).toString('hex'))
    if (value === null) return reply
    const headers = spec.headers.filter(([name]) => name.toLowerCase() !== 'authorization')
    return client.send({ ...spec, headers: [...headers, ['Authorization', value]] }, true)
  },
})

export type DigestChallenge = ReadonlyMap<string, string>

const challengeOf = (reply: Reply): DigestChallenge | null => {
  for (const [name, value] of reply.headers) {
    if (name.toLowerCase() !== 'www-authenticate') continue
    const parsed = parseChallenge(value)
    if (parsed !== null) return parsed
  }
  return null
}

/** Null for another scheme. */
export const parseChallenge = (value: string): DigestChallenge | null => {
  const [, rest] = /^\s*digest\s+(.{1,4000})$/is.exec(value) ?? []
  if (rest === undefined) return null
  const fields = [...rest.matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)]
  return new Map(
    fields.map(([, name = '', quoted, plain]) => [name.toLowerCase(), (quoted ?? plain ?? '').replace(/\\(.)/g, '$1')]),
  )
}

/** Null where the algorithm or the quality of protection is none of ours. */
export const authorization = (
  challenge: DigestChallenge,
  { username, password }: DigestCredentials,
  method: string,
  target: string,
  cnonce: string,
): string | null => {
  const algorithm = challenge.get('algorithm') ?? 'MD5'
  const session = /-sess$/i.test(algorithm)
  const name = algorithm.toLowerCase().replace(/-sess$/, '')
  const hashName = Object.hasOwn(HASHES, name) ? HASHES[name] : undefined
  const offered = challenge
    .get('qop')
    ?.split(',')
    .map((one) => one.trim().toLowerCase())
  if (hashName === undefined || (offered !== undefined && !offered.includes('auth'))) return null
  const hash = (text: string): string => createHash(hashName).update(text, 'latin1').digest('hex')
  const [realm = '', nonce = ''] = [challenge.get('realm'), challenge.get('nonce')]
  const secret = hash(`${username}:${realm}:${password}`)
  const first = session ? hash(`${secret}:${nonce}:${cnonce}`) : secret
  const second = hash(`${method}:${target}`)
  const count = '00000001'
  const response = hash(
    offered === undefined ? `${first}:${nonce}:${second}` : `${first}:${nonce}:${count}:${cnonce}:auth:${second}`,
  )
  const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
  const opaque = challenge.get('opaque')
  return [
    `Digest username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(target)}`,
    `algorithm=${algorithm}`,
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(offered === undefined ? [] : ['qop=auth', `nc=${count}`, `cnonce="${cnonce}"`]),
  ].join(', ')
}
