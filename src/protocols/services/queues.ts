/** Brokers of messages: a connect without credentials, and nothing is published or consumed. */
import { cpeOf, identify } from '../../knowledge/services/service.ts'
import { serviceOf } from '../../knowledge/services/services.ts'
import type { Probe } from './probe.ts'
import { aLine, atLeast, textOf } from './talk.ts'

/** The protocol header; the broker's Connection.Start names product and version (AMQP 0-9-1, 1.4.2). */
export const amqp: Probe = {
  services: ['amqp'],
  run: async (talk) => {
    talk.send('AMQP\0\0\x09\x01')
    const reply = await talk.read(
      (bytes) => bytes.length >= 8 && (textOf(bytes).startsWith('AMQP') || bytes.length >= 8 + bytes.readUInt32BE(3)),
    )
    const text = textOf(reply)
    if (/^AMQP[\0\x01\x02\x03]/.test(text))
      return { service: 'amqp', info: `protocol ${reply[5]}.${reply[6]}.${reply[7]}` }
    if (reply[0] !== 1 || reply.length < 12 || reply.readUInt32BE(7) !== 0x000a000a) return null
    const field = (name: string): string | null =>
      new RegExp(`${name}S\\0\\0[\\s\\S]{2}([\\x20-\\x7e]{1,60})`).exec(text)?.[1] ?? null
    const product = field('product')
    const version = /^[\w.+~-]{1,30}/.exec(bounded(text, 'version'))?.[0] ?? null
    return {
      service: 'amqp',
      product: product?.startsWith('RabbitMQ') ? 'RabbitMQ' : product,
      version,
      cpe: product?.startsWith('RabbitMQ') ? cpeOf('vmware:rabbitmq', version) : null,
    }
  },
}

/** A long string field of an AMQP table: name, 'S', four bytes of length, text. */
const bounded = (text: string, name: string): string => {
  const at = text.indexOf(`\x07${name}S`)
  if (at < 0) return ''
  const from = at + name.length + 2
  const size = Buffer.from(text.slice(from, from + 4), 'latin1')
  return size.length === 4 ? text.slice(from + 4, from + 4 + Math.min(100, size.readUInt32BE(0))) : ''
}

/** CONNECT without a user (MQTT 3.1.1, 3.1): return code 0 lets strangers in, 4 and 5 keep them out. Clean session. */
export const mqtt: Probe = {
  services: ['mqtt'],
  run: async (talk) => {
    const id = 'sonde'
    talk.send(
      Buffer.concat([
        Buffer.from([0x10, 12 + id.length, 0, 4]),
        Buffer.from('MQTT'),
        Buffer.from([4, 2, 0, 10, 0, id.length]),
        Buffer.from(id),
      ]),
    )
    const reply = await talk.read(atLeast(4))
    if (reply.length < 4 || reply[0] !== 0x20 || reply[1] !== 2 || (reply[3] ?? 9) > 5) return null
    const open = reply[3] === 0
    let version: string | null = null
    if (open) {
      // The broker's own name, from the one topic made for it; no other topic is subscribed.
      const topic = '$SYS/broker/version'
      talk.send(
        Buffer.concat([Buffer.from([0x82, 5 + topic.length, 0, 1, 0, topic.length]), Buffer.from(topic), Buffer.of(0)]),
      )
      const named = textOf(await talk.read((bytes) => textOf(bytes).includes('version '), 1_000))
      version = /mosquitto version ([\w.]{1,20})/.exec(named)?.[1] ?? null
      talk.send(Buffer.from([0xe0, 0]))
    }
    return {
      service: 'mqtt',
      ...(version ? { product: 'mosquitto', version, cpe: cpeOf('eclipse:mosquitto', version) } : {}),
      access: open
        ? { kind: 'control', says: 'CONNECT without a user was accepted (return code 0)', mark: '20 02 00 00' }
        : null,
    }
  },
}

/** The greeting says whether a login is asked; CONNECT and PING show that none is. */
export const nats: Probe = {
  services: ['nats'],
  greets: true,
  run: async (talk) => {
    const info = textOf(await talk.read(aLine))
    if (!info.startsWith('INFO {')) return null
    const identity = { service: 'nats', ...identify(serviceOf('nats').products, info) }
    if (/"auth_required":\s*true/.test(info) || /"tls_required":\s*true/.test(info))
      return { ...identity, access: null }
    talk.send('CONNECT {"verbose":false,"pedantic":false,"name":"sonde"}\r\nPING\r\n')
    const reply = textOf(await talk.read((bytes) => /PONG|-ERR/.test(textOf(bytes))))
    return {
      ...identity,
      access: /^PONG/m.test(reply)
        ? { kind: 'control', says: 'CONNECT without a user was accepted', mark: 'PONG' }
        : null,
    }
  },
}

/** ApiVersions (key 18), then Metadata (key 3) for no topic at all: brokers without authentication answer. */
export const kafka: Probe = {
  services: ['kafka'],
  run: async (talk) => {
    talk.send(Buffer.from([0, 0, 0, 15, 0, 18, 0, 0, 0, 0, 0, 7, 0, 5, 0x73, 0x6f, 0x6e, 0x64, 0x65]))
    const reply = await talk.read((bytes) => bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE(0))
    if (reply.length < 14 || reply.readUInt32BE(4) !== 7 || reply.readUInt16BE(8) > 100) return null
    talk.send(Buffer.from([0, 0, 0, 19, 0, 3, 0, 1, 0, 0, 0, 8, 0, 5, 0x73, 0x6f, 0x6e, 0x64, 0x65, 0, 0, 0, 0]))
    const metadata = await talk.read((bytes) => bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE(0))
    const open = metadata.length > 20 && metadata.readUInt32BE(4) === 8 && metadata.readUInt32BE(8) > 0
    return {
      service: 'kafka',
      product: 'Kafka',
      access: open
        ? {
            kind: 'control',
            says: 'Metadata was answered without authentication',
            mark: metadata.subarray(4, 8).toString('hex'),
          }
        : null,
    }
  },
}

export const stomp: Probe = {
  services: ['stomp'],
  run: async (talk) => {
    talk.send('CONNECT\naccept-version:1.2\nhost:/\n\n\0')
    const reply = textOf(await talk.read((bytes) => bytes.includes(0)))
    if (!/^(?:CONNECTED|ERROR)\r?\n/.test(reply)) return null
    const [, product = null, version = null] = /^server:([\w-]{1,40})\/([\w.]{1,20})/m.exec(reply) ?? []
    const open = reply.startsWith('CONNECTED')
    return {
      service: 'stomp',
      product,
      version,
      access: open ? { kind: 'control', says: 'CONNECT without a login was accepted', mark: 'CONNECTED' } : null,
    }
  },
}

/** WireFormatInfo, which ActiveMQ sends first; it may name the provider's version. */
export const openwire: Probe = {
  services: ['openwire'],
  greets: true,
  run: async (talk) => {
    const text = textOf(await talk.read())
    if (!/^[\s\S]{4}\x01ActiveMQ/.test(text)) return null
    const version = /ProviderVersion[\s\S]{1,4}?(\d+\.\d+\.\d+)/.exec(text)?.[1] ?? null
    return {
      service: 'openwire',
      product: 'ActiveMQ OpenWire',
      version,
      cpe: cpeOf('apache:activemq', version),
      access: { kind: 'listener', says: 'the OpenWire listener answers strangers', mark: 'ActiveMQ' },
    }
  },
}

export const beanstalkd: Probe = {
  services: ['beanstalkd'],
  run: async (talk) => {
    talk.send('stats\r\n')
    const reply = textOf(await talk.read())
    const version = /^version: "?([\w.]{1,20})/m.exec(reply)?.[1]
    if (!/^OK \d+\r\n---/.test(reply) || version === undefined) return null
    return {
      service: 'beanstalkd',
      product: 'beanstalkd',
      version,
      access: { kind: 'control', says: 'stats was answered without a login', mark: `version: ` },
    }
  },
}

export const gearman: Probe = {
  services: ['gearman'],
  run: async (talk) => {
    talk.send('version\n')
    const version = /^OK (\d[\w.]{1,20})\r?\n/.exec(textOf(await talk.read(aLine)))?.[1]
    if (version === undefined) return null
    return {
      service: 'gearman',
      product: 'Gearman',
      version,
      access: { kind: 'control', says: 'version was answered without a login', mark: `OK ${version}` },
    }
  },
}
