import { describe, expect, it } from 'vitest'
import { compileShipped } from './compile-shipped.ts'
import { filledWith, proofIn } from './shipped.ts'

const HEAD = 'id: one\ninfo: {name: One, author: sonde, description: what it is, metadata: {ports: [1]}}\n'
const HTTP = `http:
  - path: ['{{RootURL}}/one']
    matchers-condition: and
    matchers:
      - {type: word, words: [never], negative: true}
      - {type: regex, part: body, regex: ['v[0-9é]+', 'x']}
      - {type: dsl, dsl: ['starts_with(first_bytes, "v")']}
`
const compiled = compileShipped(HEAD + HTTP, 'exposure/one.yaml')
const proof = (body: string, first_bytes = body) => {
  const [step] = compiled.steps
  return step ? proofIn(step.operators, { body: Buffer.from(body).toString('latin1'), first_bytes }) : undefined
}

describe('a template that the product ships', () => {
  it('is compiled with what the module asks of it', () =>
    expect(compiled).toMatchObject({ id: 'one', name: 'One', description: 'what it is', metadata: { ports: [1] } }))

  it.each([
    ['another id than its file', HEAD.replace('id: one', 'id: two') + HTTP, 'one.yaml: its id is "two"'],
    ['a field that nobody knows', `${HEAD}${HTTP}    twice: true\n`, 'the field twice is not known'],
    ['no matcher', `${HEAD}http: [{path: ['{{RootURL}}/']}]\n`, 'it can never find anything'],
    ['what policy refuses', `${HEAD}code: []\n`, 'run programs'],
    ['another protocol', `${HEAD}dns: [{name: '{{FQDN}}', matchers: [{type: word, words: [a]}]}]\n`, 'than HTTP'],
  ])('is refused for %s', (_name, text, message) =>
    expect(() => compileShipped(text, 'exposure/one.yaml')).toThrow(message),
  )

  it.each([
    ['the first text that a matcher looks for', 'a v1é b', 'v', 'v1é'],
    ['nothing where a matcher does not hold', 'a v1 b', 'a', null],
    ['nothing where a forbidden word stands', 'v1 never', 'v', null],
  ])('proves by %s', (_name, body, first, expected) => expect(proof(body, first)).toBe(expected))

  it('asks for nothing that has no value', () => {
    expect(filledWith("{{Base}}/{{trim_prefix(Host, 'www.')}}.zip", { Base: 'a', Host: 'www.b' })).toBe('a/b.zip')
    expect(() => filledWith('{{Base}}/{{Host}}', { Base: 'a' })).toThrow('{{Host}}')
  })
})
