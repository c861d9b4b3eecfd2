/** A MariaDB of our own on a socket, and as much of its client protocol as pages need (text protocol, no TLS, no password). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Sql, SqlError } from './sql.ts'

const START_TIMEOUT = 60_000
/** Debian's package: apt-get install mariadb-server-core */
const SERVER = '/usr/sbin/mariadbd'

export const startMariadb = async (): Promise<Sql> => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-mariadb-'))
  const path = join(folder, 'sock')
  const server = spawn(
    SERVER,
    [
      ...['--no-defaults', `--datadir=${folder}`, `--socket=${path}`, '--skip-networking', '--skip-grant-tables'],
      ...['--user=root', '--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=16M', '--key-buffer-size=1M'],
      ...['--lc-messages-dir=/usr/share/mysql', '--performance-schema=OFF', '--aria-log-dir-path', folder],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  let failed: Error | null = null
  server.on('error', (error) => {
    failed = error
  })
  server.stderr.on('data', (chunk: Buffer) => {
    log = `${log}${chunk.toString()}`.slice(-3_000)
  })
  const stop = async (): Promise<void> => {
    if (server.exitCode === null && server.pid !== undefined) {
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  const deadline = Date.now() + START_TIMEOUT
  for (;;) {
    try {
      const first = await connect(path)
      await first.run('create database shop')
      const lines = [first, ...(await Promise.all(Array.from({ length: 5 }, () => connect(path))))]
      for (const line of lines) await line.run('use shop')
      return pooled(lines, stop)
    } catch (error) {
      if (failed || server.exitCode !== null || Date.now() > deadline) {
        await stop()
        throw new Error(`MariaDB did not start (apt-get install mariadb-server-core): ${log}`, {
          cause: failed ?? error,
        })
      }
      await delay(100)
    }
  }
}

const CAPABILITIES = 0x1 | 0x200 | 0x2000 | 0x8000 | 0x10000 | 0x20000 | 0x80000

interface Line {
  readonly run: Sql['run']
  readonly end: () => void
}

/** A statement that waits holds its own line only. */
const pooled = (lines: readonly Line[], stop: () => Promise<void>): Sql => {
  const free = [...lines]
  const waiting: ((line: Line) => void)[] = []
  const run: Sql['run'] = async (text) => {
    const line = free.pop() ?? (await new Promise<Line>((resolve) => waiting.push(resolve)))
    try {
      return await line.run(text)
    } finally {
      const next = waiting.shift()
      if (next) next(line)
      else free.push(line)
    }
  }
  return {
    kind: 'mariadb',
    run,
    bind: (text, values) => {
      const left = [...values]
      return run(text.replace(/\?/g, () => literal(left.shift())))
    },
    close: async () => {
      for (const line of lines) line.end()
      await stop()
    },
  }
}

const connect = async (path: string): Promise<Line> => {
  const socket = createConnection(path)
  await once(socket, 'connect')
  const packets = packetsOf(socket)
  await packets.next()
  const hello = Buffer.alloc(32)
  hello.writeUInt32LE(CAPABILITIES, 0)
  hello.writeUInt32LE(1 << 24, 4)
  hello[8] = 45 // utf8mb4
  write(socket, 1, Buffer.concat([hello, Buffer.from('root\0\0mysql_native_password\0')]))
  await okay(packets)
  return {
    run: (text) => {
      write(socket, 0, Buffer.concat([Buffer.from([3]), Buffer.from(text)]))
      return results(packets)
    },
    end: () => socket.destroy(),
  }
}

/** Escaped as the server's own client library does in its default mode. */
const literal = (value: unknown): string =>
  typeof value === 'number' ? String(value) : `'${[...String(value)].map((char) => ESCAPES[char] ?? char).join('')}'`

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\x1a': '\\Z',
  "'": "\\'",
  '"': '\\"',
  '\\': '\\\\',
}

const write = (socket: Socket, sequence: number, payload: Buffer): void => {
  const head = Buffer.alloc(4)
  head.writeUIntLE(payload.length, 0, 3)
  head[3] = sequence
  socket.write(Buffer.concat([head, payload]))
}

async function* packetsOf(socket: Socket): AsyncGenerator<Buffer, never, undefined> {
  let data = Buffer.alloc(0)
  for await (const chunk of socket) {
    data = Buffer.concat([data, chunk as Buffer])
    while (data.length >= 4) {
      const size = data.readUIntLE(0, 3)
      if (data.length < size + 4) break
      yield data.subarray(4, size + 4)
      data = data.subarray(size + 4)
    }
  }
  throw new Error('MariaDB closed the connection')
}

type Packets = ReturnType<typeof packetsOf>

const next = async (packets: Packets): Promise<Buffer> => {
  const { value } = await packets.next()
  if (value[0] === 0xff) throw new SqlError(`${value.subarray(9).toString()}`, `${value.readUInt16LE(1)}`)
  return value
}

const okay = async (packets: Packets): Promise<void> => {
  await next(packets)
}

/** Rows of the first result; further results of the same text are read and dropped. */
const results = async (packets: Packets): Promise<Record<string, unknown>[]> => {
  let rows: Record<string, unknown>[] | null = null
  for (;;) {
    const head = await next(packets)
    let more: boolean
    if (head[0] === 0) more = (head.readUInt16LE(3) & 8) !== 0
    else {
      const names: string[] = []
      for (let index = 0; index < (head[0] ?? 0); index += 1) names.push(nameOf(await next(packets)))
      await next(packets)
      const read: Record<string, unknown>[] = []
      let packet = await next(packets)
      while (!(packet[0] === 0xfe && packet.length < 9)) {
        const values = texts(packet)
        read.push(Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])))
        packet = await next(packets)
      }
      more = (packet.readUInt16LE(3) & 8) !== 0
      rows ??= read
    }
    if (!more) return rows ?? []
  }
}

const nameOf = (packet: Buffer): string => texts(packet)[4] ?? ''

const texts = (packet: Buffer): (string | null)[] => {
  const list: (string | null)[] = []
  let at = 0
  while (at < packet.length && list.length < 64) {
    const first = packet[at] ?? 0
    at += 1
    if (first === 0xfb) {
      list.push(null)
      continue
    }
    const extra = first === 0xfc ? 2 : first === 0xfd ? 3 : 0
    const size = extra === 0 ? first : packet.readUIntLE(at, extra)
    at += extra
    list.push(packet.subarray(at, at + size).toString())
    at += size
  }
  return list
}
