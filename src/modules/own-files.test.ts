import { expect, it } from 'vitest'
import { isOwnFile, newFileName } from './own-files.ts'

it('knows the files of a run by their names, wherever they stand', () => {
  for (let count = 0; count < 100; count += 1) expect(isOwnFile(newFileName('.zip'))).toBe(true)
  const name = newFileName('.php.jpg')
  expect([`${name}.bak`, `1764230000_${name}`, `/files/${name}`].every(isOwnFile)).toBe(true)
})

it.each(['backup.zip', 'q2026010112.sql', 'deadbeef01.js', 'faq0a1b2c3d4.txt', 'q0a1b2c3d4e5f6.log'])(
  'and %s is none',
  (name) => expect(isOwnFile(name)).toBe(false),
)
