import { describe, expect, test } from 'vitest'
import { benches } from '../testing/benches.ts'
import { withMember } from './body-member.ts'

const member = { name: 'auth', value: 'canary-4711"x', former: ['canary-before'] }
const JSON_TYPE = 'application/json-rpc'

describe('the session in a body', () => {
  test.each([
    ['as a description has it', '{"method":"user.get","auth":"Test-1234","id":1}'],
    ['empty', '{ "method" : "user.get", "auth" : "", "id":1}'],
    ['of a session before', '{"method":"user.get","auth":"canary-before","id":1}'],
    ['in a batch', '[{"method":"user.get","auth":"test"}]'],
    ['deeper', '{"method":"user.get","context":{"auth":"string"}}'],
  ])('%s', (_name, body) => {
    const sent = withMember(body, JSON_TYPE, member)
    expect(JSON.stringify(JSON.parse(String(sent)))).toContain('"auth":"canary-4711\\"x"')
    expect(sent).toContain('user.get')
  })

  test.each([
    ['a probe in its place', '{"auth":"\' or 1=1 --"}', JSON_TYPE, member],
    ['what is meant to have none', '{"method":"user.login","auth":null}', JSON_TYPE, member],
    ['a member of another name', '{"authority":"test","x":"auth"}', JSON_TYPE, member],
    ['a text that speaks of it', '{"note":"say \\"auth\\":\\"test\\""}', JSON_TYPE, member],
    ['a form', 'auth=test', 'application/x-www-form-urlencoded', member],
    ['nobody’s', '{"auth":"test"}', JSON_TYPE, null],
  ])('not %s', (_name, body, type, given) => {
    expect(withMember(body, type, given)).toBe(body)
  })
})

const { bench, raw } = benches()

/** Keeps what it is sent, and answers each request. */
const keeping = async (seen: string[]) =>
  raw((socket) => {
    let text = ''
    socket.on('data', (part) => {
      // A handshake of TLS, which is not spoken here.
      if (part[0] === 0x16) socket.destroy()
      text += part.toString()
      if (!text.endsWith('}')) return
      seen.push(text)
      text = ''
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
    })
  })

test('goes to the own host alone, as somebody alone, and is told to nobody', async () => {
  const seen: string[] = []
  const [own, other] = [await keeping(seen), await keeping(seen)]
  const { run, egress } = bench({ target: { host: 'site.test', port: own.port } })
  run.become({ cookie: null, header: null, member, kept: [{ name: 'token', value: member.value }] })
  const ask = (port: number, authenticated: boolean) =>
    egress.http({
      ...{ url: `http://site.test:${port}/rpc`, method: 'POST', body: '{"auth":"test"}', authenticated },
      headers: [['Content-Type', 'application/json']],
    })
  const exchange = await ask(own.port, true)
  await ask(own.port, false)
  await ask(other.port, true)
  expect(seen.map((one) => /canary-4711/.test(one))).toEqual([true, false, false])
  expect(seen[0]).toMatch(/Content-Length: 25\r\n/)
  expect(exchange.request.body).toBe('{"auth":"test"}')
  expect(run.redact.text(`said ${member.value}`)).not.toContain('canary-4711')
})
