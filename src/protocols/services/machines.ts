/** Interfaces that run programs or steer others: ADB, JDWP, RMI, AJP, FastCGI, epmd, rsync, Zabbix. Nothing is run. */
import { identify, serviceOf } from '../../knowledge/services/services.ts'
import type { Probe } from './probe.ts'
import { aLine, atLeast, textOf } from './talk.ts'

/** CNXN of the adb protocol: answered with CNXN where no key is asked for, with AUTH where one is. No shell is opened. */
export const adb: Probe = {
  services: ['adb'],
  run: async (talk) => {
    const body = Buffer.from('host::\0', 'latin1')
    const head = Buffer.alloc(24)
    head.write('CNXN', 0, 'latin1')
    head.writeUInt32LE(0x01000000, 4)
    head.writeUInt32LE(4_096, 8)
    head.writeUInt32LE(body.length, 12)
    head.writeUInt32LE(
      body.reduce((sum, byte) => sum + byte, 0),
      16,
    )
    // The command again, with every bit turned.
    head.writeUInt32LE((0x4e584e43 ^ 0xffffffff) >>> 0, 20)
    talk.send(Buffer.concat([head, body]))
    const reply = textOf(await talk.read(atLeast(24)))
    if (reply.startsWith('AUTH')) return { service: 'adb', product: 'Android Debug Bridge', access: null }
    if (!reply.startsWith('CNXN')) return null
    const device = /ro\.product\.model=([^;\0]{1,60})/.exec(reply)?.[1] ?? null
    return {
      service: 'adb',
      product: 'Android Debug Bridge',
      info: device,
      access: { kind: 'takeover', says: 'CNXN was accepted without a key', mark: 'CNXN' },
    }
  },
}

const HANDSHAKE = 'JDWP-Handshake'
/** The handshake, and the command VirtualMachine.Version (1, 1), which changes nothing. */
export const jdwp: Probe = {
  services: ['jdwp'],
  run: async (talk) => {
    talk.send(HANDSHAKE)
    if (textOf(await talk.read(atLeast(14), 1_500)) !== HANDSHAKE) return null
    talk.send(Buffer.from([0, 0, 0, 11, 0, 0, 0, 1, 0, 1, 1]))
    const text = textOf(await talk.read((bytes) => bytes.length >= 4 && bytes.length >= bytes.readUInt32BE(0)))
    const version = /(?:JRE|JDK|version) (\d[\w.+-]{1,30})/i.exec(text)?.[1] ?? null
    return {
      service: 'jdwp',
      product: 'Java debugger',
      version,
      access: { kind: 'takeover', says: 'the handshake of the Java debugger was answered', mark: HANDSHAKE },
    }
  },
}

/** JRMI with the stream protocol (Java RMI wire protocol, 10.2): ProtocolAck. */
export const rmi: Probe = {
  services: ['rmi'],
  run: async (talk) => {
    talk.send(Buffer.from('4a524d4900024b', 'hex'))
    const reply = await talk.read(atLeast(7), 1_500)
    if (reply[0] !== 0x4e || reply.length < 5 || reply.length > 300) return null
    return {
      service: 'rmi',
      product: 'Java RMI',
      access: { kind: 'listener', says: 'the RMI protocol was acknowledged', mark: '4e' },
    }
  },
}

/** CPing (AJP 1.3): answered with CPong, and no request is forwarded. */
export const ajp: Probe = {
  services: ['ajp'],
  run: async (talk) => {
    talk.send(Buffer.from('123400010a', 'hex'))
    const reply = await talk.read(atLeast(5), 1_500)
    if (reply.toString('hex') !== '4142000109') return null
    return {
      service: 'ajp',
      product: 'Apache Jserv',
      info: 'AJP 1.3',
      access: { kind: 'listener', says: 'CPing was answered with CPong', mark: '41 42 00 01 09' },
    }
  },
}

/** FCGI_GET_VALUES (FastCGI 1.0, 4.1): a management record; no script is named and none runs. */
export const fastcgi: Probe = {
  services: ['fastcgi', 'clickhouse-native'],
  run: async (talk) => {
    const name = 'FCGI_MPXS_CONNS'
    const body = Buffer.concat([Buffer.of(name.length, 0), Buffer.from(name)])
    talk.send(Buffer.concat([Buffer.from([1, 9, 0, 0, 0, body.length, 0, 0]), body]))
    const reply = await talk.read(atLeast(8), 1_500)
    if (reply.length < 8 || reply[0] !== 1 || reply[1] !== 10) return null
    return {
      service: 'fastcgi',
      product: 'FastCGI',
      access: {
        kind: 'takeover',
        says: 'a FastCGI management record was answered: scripts can be named and run',
        mark: '01 0a',
      },
    }
  },
}

/** NAMES_REQ: the Erlang nodes of this machine and their ports. */
export const epmd: Probe = {
  services: ['epmd'],
  run: async (talk) => {
    talk.send(Buffer.from([0, 1, 0x6e]))
    const reply = await talk.read(undefined, 1_500)
    if (reply.length < 4 || reply.readUInt32BE(0) !== talk.port) return null
    const nodes = [...textOf(reply.subarray(4)).matchAll(/^name (\S{1,60}) at port (\d{1,5})$/gm)].map(
      ([, name, port]) => `${name} at port ${port}`,
    )
    if (reply.length > 4 && nodes.length === 0) return null
    return {
      service: 'epmd',
      product: 'Erlang Port Mapper Daemon',
      info: nodes.slice(0, 5).join(', ') || null,
      access: {
        kind: 'listener',
        says: `the nodes were listed: ${nodes.join(', ').slice(0, 200) || 'none'}`,
        mark: nodes[0]?.split(' ')[0] ?? '',
      },
    }
  },
}

/** The greeting is returned and an empty line asks for the names of the modules; none is opened. */
export const rsync: Probe = {
  services: ['rsync'],
  greets: true,
  run: async (talk) => {
    const greeting = textOf(await talk.read(aLine))
    const line = /^@RSYNCD: [^\n]{1,80}\n/.exec(greeting)?.[0]
    if (line === undefined) return null
    const spoken = /^@RSYNCD: (\d+(?:\.\d+)?)/.exec(line)?.[1] ?? '30.0'
    // Protocol 30 wants no list of digests in the greeting, and every server still speaks it.
    talk.send('@RSYNCD: 30.0\n\n')
    const list = textOf(await talk.read((bytes) => textOf(bytes).includes('@RSYNCD: EXIT')))
    const modules = [...list.matchAll(/^([\w .-]{1,60}?)\s*\t/gm)].map(([, name]) => name ?? '')
    return {
      service: 'rsync',
      ...identify(serviceOf('rsync').products, line),
      info: `protocol ${spoken}`,
      access:
        modules.length > 0
          ? {
              kind: 'listing',
              says: `the modules were listed: ${modules.slice(0, 10).join(', ')}`,
              mark: modules[0] ?? '',
            }
          : null,
    }
  },
}

/** The agent answers only addresses on its list; others see the connection close. */
export const zabbixAgent: Probe = {
  services: ['zabbix-agent'],
  run: async (talk) => {
    const key = 'agent.version'
    const head = Buffer.from('ZBXD\x01\0\0\0\0\0\0\0\0', 'latin1')
    head.writeUInt32LE(key.length, 5)
    talk.send(Buffer.concat([head, Buffer.from(key)]))
    const reply = textOf(await talk.read(undefined, 1_500))
    if (!reply.startsWith('ZBXD\x01')) return null
    const version = /^(\d[\d.]{1,15})/.exec(reply.slice(13))?.[1] ?? null
    return {
      service: 'zabbix-agent',
      product: 'Zabbix agent',
      version,
      access: version ? { kind: 'observability', says: 'agent.version was answered', mark: version } : null,
    }
  },
}
