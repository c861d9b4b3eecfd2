import { expect, test } from 'vitest'
import { blameFor } from './suspects.ts'

const blame = (...deaths: readonly (readonly string[])[]) => {
  const { suspects, leftOut } = blameFor(deaths.map((modules) => ({ modules, detail: 'died' })))
  return { suspects, out: Object.keys(leftOut) }
}

test.each<[string, string[][], string[], string[]]>([
  ['nobody died', [], [], []],
  ['all at work are suspected', [['a', 'b']], ['a', 'b'], []],
  ['the suspect at work at the second death is to blame', [['a', 'b'], ['b']], ['a'], ['b']],
  [
    'those beside a suspect are not',
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
    ['a'],
    ['b'],
  ],
  ['another one died: it is suspected', [['a'], ['c']], ['a', 'c'], []],
  ['two to blame', [['a', 'b'], ['a'], ['b']], [], ['a', 'b']],
  ['nobody was at work', [[], []], [], []],
])('%s', (_name, deaths, suspects, out) => {
  expect(blame(...deaths)).toEqual({ suspects, out })
})
