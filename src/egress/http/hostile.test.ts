import {
  brotliCompressSync,
  constants,
  crc32,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { benches } from '../testing/benches.ts'
import { ok } from '../testing/servers.ts'

const MIB = 1024 * 1024
const { bench, serve, raw } = benches()

describe('no usable answer', () => {
  test('never answers', async () => {
    const server = await raw(() => undefined)
    const { egress, entries } = bench()
    const began = performance.now()
    const asked = egress.http({ url: `http://site.test:${server.port}/`, timeout: 300 })
    await expect(asked).rejects.toMatchObject({ name: 'EgressError', code: 'timeout' })
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(entries.at(-1)).toMatchObject({ event: 'request', status: null, error: expect.stringContaining('timeout') })
  })

  test('headers without end', async () => {
    const server = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(`X-Filler: ${'y'.repeat(1000)}\r\n`));
      }
      socket.on('drain', more)
      more()
    })
    const { egress } = bench()
    await expect(egress.http({ url: `http://site.test:${server.port}/` })).rejects.toMatchObject({ code: 'protocol' })
  })

  test('headers, one byte at a time', async () => {
    const server = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ')
      const timer = setInterval(() => socket.write('y'), 20)
      socket.once('close', () => clearInterval(timer))
    })
    const { egress } = bench()
    const asked = egress.http({ url: `http://site.test:${server.port}/`, timeout: 300 })
    await expect(asked).rejects.toMatchObject({ code: 'timeout' })
  })

  const broken: [trick: string, answer: string][] = [
    ['garbage', '\u0000\u0001\u0002 not http at all\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['HTTP/0.9', '<html>hello</html>\n\n'],
    ['status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['interim responses without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20)],
  ]
  test.each(broken)('%s', async (_, answer) => {
    const server = await serve(answer)
    const { egress } = bench()
    await expect(egress.http({ url: `http://site.test:${server.port}/` })).rejects.toMatchObject({ code: 'protocol' })
  })

  test('closed at once, and within the headers', async () => {
    const closed = await raw((socket) => socket.once('data', () => socket.end()))
    const within = await raw((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nX: y')))
    const { egress } = bench()
    for (const { port } of [closed, within]) {
      await expect(egress.http({ url: `http://site.test:${port}/` })).rejects.toMatchObject({ code: 'protocol' })
    }
  })

  test('reset before the answer, and nobody there', async () => {
    const server = await raw((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const { egress } = bench()
    await expect(egress.http({ url: `http://site.test:${server.port}/` })).rejects.toMatchObject({
      code: 'unreachable',
    })
    await server.close()
    await expect(egress.http({ url: `http://site.test:${server.port}/` })).rejects.toMatchObject({
      code: 'unreachable',
    })
  })

  test('http where https was asked', async () => {
    const server = await serve(ok('plain'))
    const { egress } = bench()
    await expect(egress.http({ url: `https://site.test:${server.port}/`, timeout: 2_000 })).rejects.toMatchObject({
      name: 'EgressError',
    })
  })
})

describe('half an answer is an answer', () => {
  test('one byte of body at a time: what came until the timeout', async () => {
    const server = await raw((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
        const timer = setInterval(() => socket.write('y'), 20)
        socket.once('close', () => clearInterval(timer))
      })
    })
    const { egress } = bench()
    const exchange = await egress.http({ url: `http://site.test:${server.port}/`, timeout: 400 })
    expect(exchange).toMatchObject({ status: 200, truncated: true })
    expect(exchange.body.toString()).toMatch(/^y+$/)
  })

  test('a body without end is cut at the cap', async () => {
    const server = await raw((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const block = Buffer.alloc(64 * 1024, 'z')
        const more = () => {
          while (!socket.destroyed && socket.write(block));
        }
        socket.on('drain', more)
        more()
      })
    })
    const { egress } = bench()
    const url = `http://site.test:${server.port}/`
    expect((await egress.http({ url })).body.length).toBe(4 * MIB)
    const small = await egress.http({ url, maxBody: 1000 })
    expect(small).toMatchObject({ truncated: true })
    expect(small.body.length).toBe(1000)
    expect((await egress.http({ url, maxBody: 64 * MIB })).body.length).toBe(16 * MIB)
  })

  const bodies: [trick: string, answer: string, body: string, truncated: boolean][] = [
    ['length too long', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort', 'short', true],
    ['length too short', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nlonger', 'lon', false],
    ['length unreadable', 'HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\nbody', 'body', false],
    ['length negative', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nbody', 'body', false],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\nbody', 'bo', false],
    ['no length', 'HTTP/1.1 200 OK\r\n\r\nbody', 'body', false],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nbody', 'body', false],
    ['bare line feeds', 'HTTP/1.1 200 OK\nA: b\n\nbody', 'body', false],
    ['no reason', 'HTTP/1.1 200\r\n\r\nbody', 'body', false],
    ['empty lines first', '\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody', 'body', false],
    ['interim first', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody', 'body', false],
    ['a line that is no header', 'HTTP/1.1 200 OK\r\nno colon here\r\nA: b\r\n\r\nbody', 'body', false],
    [
      'chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: 1\r\n\r\n',
      'abcde',
      false,
    ],
    [
      'chunks beside a length',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
      'abc',
      false,
    ],
    ['chunks that end early', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc', 'abc', true],
    [
      'a chunk size that is none',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n',
      'abc',
      true,
    ],
    ['a chunk of 2^48', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffff\r\nabc', 'abc', true],
    [
      'a chunk size without end',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;${'x'.repeat(5000)}`,
      '',
      true,
    ],
    ['204 has none', 'HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nbody', '', false],
    ['304 has none', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n', '', false],
  ]
  test.each(bodies)('%s', async (_, answer, body, truncated) => {
    const server = await raw((socket) => socket.once('data', () => socket.end(Buffer.from(answer, 'latin1'))))
    const { egress } = bench()
    const exchange = await egress.http({ url: `http://site.test:${server.port}/`, timeout: 3_000 })
    expect(exchange.body.toString()).toBe(body)
    expect(exchange.truncated).toBe(truncated)
  })

  test('HEAD has no body, and the connection goes on', async () => {
    const server = await serve('HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n')
    const { egress } = bench()
    for (let i = 0; i < 2; i += 1) {
      const exchange = await egress.http({ url: `http://site.test:${server.port}/`, method: 'HEAD', timeout: 2_000 })
      expect(exchange).toMatchObject({ status: 200, truncated: false })
    }
    expect(server.connections()).toBe(1)
  })

  test('a body to HEAD that comes when the next request is under way', async () => {
    let opened = 0
    const server = await raw((socket) => {
      const isFirst = ++opened === 1
      let asked = 0
      socket.on('data', () => {
        asked += 1
        if (!isFirst) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage')
        else socket.write(asked === 1 ? 'HTTP/1.1 200 OK\r\nContent-Length: 19\r\n\r\n' : '<!doctype html>\r\n\r\n')
      })
    })
    const { egress } = bench()
    const url = `http://site.test:${server.port}/`
    await egress.http({ url, method: 'HEAD' })
    expect((await egress.http({ url })).body.toString()).toBe('page')
    expect(opened).toBe(2)
  })

  test('reset within the body', async () => {
    const server = await raw((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome', () =>
          setTimeout(() => socket.resetAndDestroy(), 50),
        )
      })
    })
    const { egress } = bench()
    const exchange = await egress.http({ url: `http://site.test:${server.port}/` })
    expect(exchange.body.toString()).toBe('some')
    expect(exchange.truncated).toBe(true)
  })

  test('an answer before the whole request was read', async () => {
    const server = await raw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n')),
    )
    const { egress } = bench()
    const exchange = await egress.http({
      url: `http://site.test:${server.port}/`,
      method: 'POST',
      body: Buffer.alloc(2 * MIB, 'a'),
    })
    expect(exchange.status).toBe(413)
  })
})

describe('kept connections', () => {
  test('an answer smuggled behind another is never taken for the next', async () => {
    const server = await serve(Buffer.concat([ok('first'), ok('smuggled')]))
    const { egress } = bench()
    for (let i = 0; i < 3; i += 1) {
      expect((await egress.http({ url: `http://site.test:${server.port}/` })).body.toString()).toBe('first')
    }
    expect(server.connections()).toBe(3)
  })

  test('one that the server closed meanwhile is replaced', async () => {
    const server = await serve((_, socket) => {
      setTimeout(() => socket.resetAndDestroy(), 5)
      return ok('x')
    })
    const { egress } = bench()
    for (let i = 0; i < 10; i += 1) {
      expect((await egress.http({ url: `http://site.test:${server.port}/` })).status).toBe(200)
      if (i % 2) await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })

  test('a POST never goes out on one that another used, nor a request that frames itself', async () => {
    const server = await serve(ok('x'))
    const { egress } = bench()
    const url = `http://site.test:${server.port}/`
    await egress.http({ url })
    await egress.http({ url, method: 'POST', body: 'a=b' })
    await egress.http({ url, headers: [['Transfer-Encoding', 'identity']] })
    expect(server.connections()).toBe(3)
  })
})

describe('content coding', () => {
  const text = 'Hällo '.repeat(1000)
  const codings: [name: string, coding: string, body: Buffer][] = [
    ['gzip', 'gzip', gzipSync(text)],
    ['x-gzip', 'X-GZIP', gzipSync(text)],
    ['deflate', 'deflate', deflateSync(text)],
    ['deflate without its header', 'deflate', deflateRawSync(text)],
    ['br', 'br', brotliCompressSync(text)],
    ['zstd', 'zstd', zstdCompressSync(text)],
    ['two layers', 'gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', 'identity', Buffer.from(text)],
    ['not coded at all', 'gzip', Buffer.from(text)],
    ['unknown', 'x-rot13', Buffer.from(text)],
  ]
  test.each(codings)('%s', async (_, coding, body) => {
    const server = await serve(ok(body, `Content-Encoding: ${coding}`))
    const { egress } = bench()
    const exchange = await egress.http({ url: `http://site.test:${server.port}/` })
    expect(exchange.body.toString()).toBe(text)
  })

  test('ends early: what could be read', async () => {
    const coded = gzipSync(Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 251)))
    const server = await serve(ok(coded.subarray(0, coded.length - 12), 'Content-Encoding: gzip'))
    const { egress } = bench()
    expect((await egress.http({ url: `http://site.test:${server.port}/` })).body.length).toBeGreaterThan(10_000)
  })

  test('a gzip bomb of 1 GB costs the cap and no more', async () => {
    const bomb = gzipBomb(1024)
    expect(bomb.length).toBeLessThan(2 * MIB)
    const layered = gzipSync(bomb)
    const server = await serve((head) =>
      head.startsWith('GET /twice') ? ok(layered, 'Content-Encoding: gzip, gzip') : ok(bomb, 'Content-Encoding: gzip'),
    )
    const { egress } = bench()
    for (const path of ['/', '/twice']) {
      const before = process.memoryUsage.rss()
      const began = process.cpuUsage()
      const exchange = await egress.http({ url: `http://site.test:${server.port}${path}` })
      expect(exchange).toMatchObject({ status: 200, truncated: true })
      expect(exchange.body.length).toBe(4 * MIB)
      expect(process.cpuUsage(began).user / 1_000).toBeLessThan(3_000)
      expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MIB)
    }
  })
})

/** A block that is coded once and repeated (RFC 1952): all of them coded one after the other would be three seconds of a processor. */
const gzipBomb = (mebibytes: number): Buffer => {
  const block = Buffer.alloc(MIB)
  const coded = deflateRawSync(block, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })
  const end = Buffer.alloc(8)
  let sum = 0
  for (let left = mebibytes; left > 0; left -= 1) sum = crc32(block, sum)
  end.writeUInt32LE(sum, 0)
  end.writeUInt32LE((mebibytes * MIB) % 2 ** 32, 4)
  const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
  return Buffer.concat([head, ...Array.from({ length: mebibytes }, () => coded), deflateRawSync(''), end])
}
