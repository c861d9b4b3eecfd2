import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { caseAddress, runCase, serveTemplateCase, templateOf } from '../testing/template-case.ts'
import { authorization, parseChallenge } from './digest.ts'

const ADDRESS = caseAddress(82)

/** The example of RFC 7616, 3.9.1. */
const challengeOf = (algorithm: string): string =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`

describe('a digest', () => {
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('by %s is that of the standard', (algorithm, response) => {
    const challenge = parseChallenge(challengeOf(algorithm)) ?? new Map()
    const header = authorization(
      challenge,
      { username: 'Mufasa', password: 'Circle of Life' },
      'GET',
      '/dir/index.html',
      'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    )
    expect(header).toContain(`response="${response}"`)
    expect(header).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"')
  })

  it.each([
    ['another scheme', 'Basic realm="x"', null],
    ['a realm with a quote', 'Digest realm="a \\"b\\"", nonce=n', 'a "b"'],
  ])('%s', (_trick, value, realm) => expect(parseChallenge(value)?.get('realm') ?? null).toBe(realm))

  it.each([
    ['an unknown hash', 'Digest realm="x", nonce="n", algorithm=ROT13'],
    ['signed bodies alone', 'Digest realm="x", nonce="n", qop="auth-int"'],
  ])('%s is not answered', (_trick, value) => {
    const challenge = parseChallenge(value) ?? new Map()
    expect(authorization(challenge, { username: 'a', password: 'b' }, 'GET', '/', 'c')).toBeNull()
  })
})

describe('a template with digest credentials', () => {
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
  const field = (header: string, name: string): string => new RegExp(`${name}="?([^",]+)`).exec(header)?.[1] ?? ''

  it.each([
    ['the right password', 'secret', 1],
    ['a wrong one', 'guess', 0],
  ])('%s', async (_trick, password, hits) => {
    const served = await serveTemplateCase(ADDRESS, (request, response) => {
      const given = request.headers.authorization ?? ''
      const expected = md5(`${md5('admin:shop:secret')}:n1:${md5(`GET:${request.url}`)}`)
      if (given.startsWith('Digest ') && field(given, 'response') === expected) {
        response.end('the inner page')
        return
      }
      response.writeHead(401, { 'www-authenticate': 'Digest realm="shop", nonce="n1"' })
      response.end('who are you?')
    })
    try {
      const yaml = `http:\n  - raw:\n      - |\n        GET /inner HTTP/1.1\n        Host: {{Hostname}}\n    digest-username: admin\n    digest-password: ${password}\n    matchers: [{type: word, words: [the inner page]}]`
      const template = templateOf(yaml)
      expect(template.tiers).toContain('login')
      const ran = await runCase(template, { address: ADDRESS, port: served.port })
      expect(ran.hits).toHaveLength(hits)
      expect(served.seen.map(({ headers }) => headers.authorization !== undefined)).toEqual([false, true])
    } finally {
      await served.close()
    }
  })
})
