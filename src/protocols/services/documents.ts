/** MongoDB, Cassandra, ZooKeeper, Bolt: one read-only question each. */
import { cpeOf } from '../../knowledge/services/service.ts'
import type { Probe } from './probe.ts'
import { atLeast, type Talk, textOf } from './talk.ts'

/** An OP_MSG (MongoDB wire protocol) whose body is one document of a single command. */
const mongoMessage = (command: string, value: number): Buffer => {
  const database = '\x02$db\0\x06\0\0\0admin\0'
  const element = `\x10${command}\0`
  const number = Buffer.alloc(4)
  number.writeInt32LE(value)
  const names = command === 'listDatabases' ? '\x08nameOnly\0\x01' : ''
  const inner = Buffer.concat([
    Buffer.from(element, 'latin1'),
    number,
    Buffer.from(names + database, 'latin1'),
    Buffer.of(0),
  ])
  const size = Buffer.alloc(4)
  size.writeInt32LE(inner.length + 4)
  const body = Buffer.concat([Buffer.from([0, 0, 0, 0, 0]), size, inner])
  const head = Buffer.alloc(16)
  head.writeInt32LE(16 + body.length, 0)
  head.writeInt32LE(1, 4)
  head.writeInt32LE(2013, 12)
  return Buffer.concat([head, body])
}

const askMongo = async (talk: Talk, command: string): Promise<string | null> => {
  talk.send(mongoMessage(command, 1))
  const reply = await talk.read((bytes) => bytes.length >= 4 && bytes.length >= Math.min(bytes.readInt32LE(0), 60_000))
  return reply.length < 21 || reply.readInt32LE(12) !== 2013 ? null : textOf(reply.subarray(20))
}

/** buildInfo for the version, then listDatabases with names only: error 13 (Unauthorized) means that access is controlled. */
export const mongodb: Probe = {
  services: ['mongodb'],
  run: async (talk) => {
    const build = await askMongo(talk, 'buildInfo')
    if (build === null || !build.includes('ok\0')) return null
    const version = /\x02version\0[\s\S]{4}(\d[\w.-]{1,20})\0/.exec(build)?.[1] ?? null
    const list = (await askMongo(talk, 'listDatabases')) ?? ''
    const open = list.includes('\x04databases\0')
    const identity = { service: 'mongodb', product: 'MongoDB', version, cpe: cpeOf('mongodb:mongodb', version) }
    if (!open) return { ...identity, access: null }
    return {
      ...identity,
      access: { kind: 'datastore', says: 'listDatabases was answered without a login', mark: 'databases' },
    }
  },
}

/** STARTUP of protocol 4: READY means that no authenticator is asked for, AUTHENTICATE that one is. */
const STARTUP = Buffer.concat([
  Buffer.from([4, 0, 0, 1, 1, 0, 0, 0, 22, 0, 1, 0, 11]),
  Buffer.from('CQL_VERSION\0\x053.0.0', 'latin1'),
])
export const cassandra: Probe = {
  services: ['cassandra'],
  run: async (talk) => {
    talk.send(Buffer.from([4, 0, 0, 0, 5, 0, 0, 0, 0]))
    const supported = textOf(await talk.read((bytes) => bytes.length >= 9 && bytes.length >= 9 + bytes.readUInt32BE(5)))
    if (!/^[\x83-\x86]/.test(supported)) return null
    talk.send(STARTUP)
    const reply = await talk.read(atLeast(9))
    const identity = {
      service: 'cassandra',
      product: 'Cassandra',
      info: /CQL_VERSION[\s\S]{4,6}(\d[\d.]{1,9})/.exec(supported)?.[1] ?? null,
      cpe: cpeOf('apache:cassandra', null),
    }
    const open = ((reply[0] ?? 0) & 0x80) !== 0 && reply[4] === 2
    return {
      ...identity,
      access: open
        ? { kind: 'datastore', says: 'STARTUP was answered with READY, no authentication asked', mark: '02' }
        : null,
    }
  },
}

/** The four-letter word `srvr`: version and counters. */
export const zookeeper: Probe = {
  services: ['zookeeper'],
  run: async (talk) => {
    talk.send('srvr')
    const reply = textOf(await talk.read())
    const version = /^Zookeeper version: ([\w.]+)/m.exec(reply)?.[1]
    if (version === undefined) {
      return /srvr is not executed because it is not in the whitelist/.test(reply)
        ? { service: 'zookeeper', product: 'Zookeeper', access: null }
        : null
    }
    return {
      service: 'zookeeper',
      product: 'Zookeeper',
      version,
      cpe: cpeOf('apache:zookeeper', version),
      access: { kind: 'listing', says: 'srvr was answered without a login', mark: `Zookeeper version: ${version}` },
    }
  },
}

export const bolt: Probe = {
  services: ['bolt'],
  run: async (talk) => {
    talk.send(Buffer.from('6060b01700000005000000040000000300000001', 'hex'))
    const reply = await talk.read(atLeast(4), 1_500)
    const known = reply.length === 4 && reply[0] === 0 && reply[1] === 0 && (reply[3] ?? 0) > 0 && (reply[3] ?? 9) <= 5
    return known ? { service: 'bolt', product: 'Neo4j Bolt', info: `protocol ${reply[3]}.${reply[2]}` } : null
  },
}
