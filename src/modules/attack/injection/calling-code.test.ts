/** Each language's code, run by its own interpreter without quotes and within either kind. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CALLING_CODE } from './payloads.ts'

const LISTENER = '127.0.175.3'
let server: Server
const asked: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('ok')
  })
  server.listen(0, LISTENER)
  await once(server, 'listening')
})
afterAll(() => server.close())

/** How a page hands a text to its own interpreter: as an argument of a program that evaluates it. */
const INTERPRETERS: Readonly<Record<string, (code: string) => readonly [string, readonly string[]]>> = {
  JavaScript: (code) => [process.execPath, ['-e', 'eval(process.argv[1])', code]],
  PHP: (code) => ['php', ['-r', 'eval($argv[1]);', '--', `$x = ${code};`]],
  Python: (code) => ['python3', ['-c', 'import sys; eval(sys.argv[1])', code]],
  Perl: (code) => ['perl', ['-e', 'eval($ARGV[0]); die $@ if $@', '--', `my $x = ${code}\n;`]],
}

describe.each(CALLING_CODE.map((way) => [way.flavour, way] as const))('%s', (flavour, way) => {
  it.each([
    ['without quotes', (payload: string) => payload],
    ["within '", (payload: string) => `'${payload}'`],
    ['within "', (payload: string) => `"${payload}"`],
    ['in brackets', (payload: string) => `(${payload}${flavour === 'Perl' ? '\n' : ''})`],
  ] as const)('%s', async (_name, within) => {
    const { port } = server.address() as AddressInfo
    const token = `/${flavour}-${_name.replace(/\W/g, '')}${_name.charCodeAt(7)}/`
    const payload = way.with({ host: null, url: `http://${LISTENER}:${port}${token}` }, 2_345, 6_789)
    const [program, args] = INTERPRETERS[flavour]?.(within(payload)) ?? ['', []]
    await promisify(execFile)(program, [...args], { timeout: 20_000 })
    expect(asked.filter((path) => path.startsWith(token))).toEqual([`${token}qv${2_345 * 6_789}`])
  })
})
