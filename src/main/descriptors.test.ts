import { describe, expect, test } from 'vitest'
import { descriptorLimit, sharesOf } from './descriptors.ts'
import { checkDescriptors } from './doctor.ts'

const says = (line: string) => () =>
  `Limit                     Soft Limit           Hard Limit           Units\n${line}\n`

describe('the limit of descriptors', () => {
  test.each([
    ['a soft limit', 'Max open files            1024                 524288               files', 1_024],
    ['none at all', 'Max open files            unlimited            unlimited            files', 1_048_576],
    ['no such line', 'Max cpu time              unlimited            unlimited            seconds', 1_024],
  ])('%s', (_, line, expected) => {
    expect(descriptorLimit(says(line))).toBe(expected)
  })
  test('no /proc', () => {
    const absent = () => {
      throw Object.assign(new Error('x'), { code: 'ENOENT' })
    }
    expect(descriptorLimit(absent)).toBe(1_024)
  })
  test('of this process', () => {
    expect(descriptorLimit()).toBeGreaterThan(0)
  })
  test.each([256, 1_024, 20_000, 1_048_576])('of %d a quarter is kept back', (limit) => {
    const { connections, downloads } = sharesOf(limit)
    expect(connections + downloads).toBeLessThanOrEqual(limit * 0.75)
  })
  test('the doctor says what is too few, and how to have more', () => {
    expect(checkDescriptors(1_024).state).toBe('ok')
    expect(checkDescriptors(512)).toMatchObject({ state: 'bad', fix: expect.stringContaining('LimitNOFILE') })
  })
})
