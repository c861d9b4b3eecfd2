import { expect, test } from 'vitest'
import { packedEntities, unpackedEntities } from './built-entities.ts'

test('what a build reads is what the package unpacks', async () => {
  const table = await unpackedEntities()
  const { bytes, code } = packedEntities(table, 'values')
  const read = new Function('bytes', 'values', `return ${code}`)
  expect(read(bytes.buffer, table.values)).toEqual(table)
  // `&amp;` and two thousand others.
  expect(table.keys.filter((key) => key !== 0).length).toBeGreaterThan(2_000)
})

test('a package that unpacks something else makes no build', async () => {
  const table = await unpackedEntities()
  expect(() => packedEntities({ ...table, keys: new Uint16Array(2) }, 'values')).toThrow('keys is no Int32Array')
  expect(() => packedEntities(Object.assign({ more: 1 }, table), 'values')).toThrow('its table has more')
})
