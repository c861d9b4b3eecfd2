import { expect, test } from 'vitest'
import type { Finding } from '../contract/finding.ts'
import { hints } from './hints.ts'
import { sampleFinding } from './testing/sample.ts'

const findings = (parts: readonly Partial<Finding>[]): Finding[] =>
  parts.map((part, index) => ({ ...sampleFinding(index), title: 'One title', ...part }))
const url = (path: string) => ({ location: { url: `https://shop.test${path}` } })

test.each<[trick: string, parts: readonly Partial<Finding>[], expected: readonly string[]]>([
  ['a title that stands alone', [url('/a')], []],
  ['places differ', [url('/a?x=1'), url('/b')], ['/a?x=1', '/b']],
  [
    'parameters differ',
    ['q', 'sort'].map((parameter) => ({ location: { url: 'https://shop.test/search', parameter } })),
    ['/search, parameter q', '/search, parameter sort'],
  ],
  [
    'ports differ',
    [25, 110].map((port) => ({ location: { host: 'shop.test', port } })),
    ['shop.test:25', 'shop.test:110'],
  ],
  [
    'one place: the words that differ',
    [
      { ...url('/'), detail: 'The cookie visitor of the site lacks Secure.' },
      { ...url('/'), detail: 'The cookie __Host-id of the site lacks Secure.' },
    ],
    ['visitor', '__Host-id'],
  ],
  [
    'one is the beginning of the other: place and words',
    [
      { ...url('/'), detail: 'Seen' },
      { ...url('/'), detail: 'Seen twice' },
    ],
    ['/', '/, twice'],
  ],
  ['a long one is cut', [url('/a'), url(`/${'b'.repeat(200)}`)], ['/a', `/${'b'.repeat(68)}…`]],
])('%s', (_, parts, expected) => {
  expect([...hints(findings(parts)).values()]).toEqual(expected)
})
