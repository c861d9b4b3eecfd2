/** Redis and memcached: their own status commands. No key is named and no value read. */
import { cpeOf } from '../../knowledge/services/service.ts'
import type { Probe } from './probe.ts'
import { textOf } from './talk.ts'

/** `INFO server` (Redis since 2.4); -NOAUTH and -DENIED mean that a stranger is kept out. */
export const redis: Probe = {
  services: ['redis'],
  run: async (talk) => {
    talk.send('*2\r\n$4\r\nINFO\r\n$6\r\nserver\r\n')
    const reply = textOf(await talk.read((bytes) => wholeBulk(textOf(bytes))))
    if (/^-(?:NOAUTH|DENIED|NOPERM|ERR operation not permitted)/.test(reply)) {
      return {
        service: 'redis',
        product: 'Redis',
        cpe: cpeOf('redis:redis', null),
        info: reply.slice(1, 60).trim(),
        access: null,
      }
    }
    const version = /^(?:redis|valkey)_version:([\w.]{1,30})\r?$/m.exec(reply)?.[1]
    if (!/^[$=]\d+\r\n/.test(reply) || version === undefined) return null
    const valkey = /^valkey_version:([\w.]{1,30})/m.exec(reply)?.[1]
    const product = valkey ? 'Valkey' : 'Redis key-value store'
    return {
      service: 'redis',
      product,
      version: valkey ?? version,
      info: /^os:([^\r\n]{1,80})/m.exec(reply)?.[1] ?? null,
      cpe: cpeOf(valkey ? 'lfprojects:valkey' : 'redis:redis', valkey ?? version),
      access: { kind: 'datastore', says: 'INFO was answered without a password', mark: `redis_version:${version}` },
    }
  },
}

/** `$<length>\r\n…\r\n`, or a line that is no bulk string. */
const wholeBulk = (text: string): boolean => {
  const [head, size] = /^[$=](\d{1,7})\r\n/.exec(text) ?? []
  return head === undefined || size === undefined
    ? /^[-+][^\n]*\n/.test(text)
    : text.length >= head.length + Number(size) + 2
}

export const memcached: Probe = {
  services: ['memcached'],
  run: async (talk) => {
    talk.send('stats\r\n')
    const reply = textOf(await talk.read((bytes) => /^(?:END|ERROR|CLIENT_ERROR[^\n]*)\r?\n/m.test(textOf(bytes))))
    const version = /^STAT version ([\w.-]{1,30})\r$/m.exec(reply)?.[1]
    if (version === undefined) {
      return /^CLIENT_ERROR unauthenticated/m.test(reply)
        ? { service: 'memcached', product: 'Memcached', access: null }
        : null
    }
    return {
      service: 'memcached',
      product: 'Memcached',
      version,
      cpe: cpeOf('memcached:memcached', version),
      access: { kind: 'datastore', says: 'stats was answered without a login', mark: `STAT version ${version}` },
    }
  },
}
