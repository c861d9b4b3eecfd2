import { describe, expect, it } from 'vitest'
import { JQ_FUNCTIONS, runJq } from './jq.ts'

const HOSTILE: readonly unknown[] = [null, true, 0, '', 'text', [], [null], {}, { a: null }, [[1], 'x']]

describe('a filter over what a server answered', () => {
  it.each([...JQ_FUNCTIONS].toSorted())('%s ends its list where the value has no such thing', (name) => {
    for (const value of HOSTILE)
      for (const source of [name, `${name}(.)`, `${name}("a")`, `${name}(.; .)`])
        expect(Array.isArray(runJq(source, value)), `${source} of ${JSON.stringify(value)}`).toBe(true)
  })

  it.each([
    ['has("a")', { a: 1 }, [true]],
    ['type == "object" and has("a")', null, [false]],
    ['keys', null, []],
    ['fromjson', '{', []],
    ['length', 'abc', [3]],
  ])('%s of %j', (source, value, expected) => expect(runJq(source, value)).toEqual(expected))
})
