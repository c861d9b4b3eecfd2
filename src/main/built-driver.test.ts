import { isAscii } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DRIVER_FILES, DRIVER_FOLDER, driverText } from './built-driver.ts'

test('the driver begins browsers and nothing else, in one byte a character', () => {
  for (const name of DRIVER_FILES) {
    const text = readFileSync(join(DRIVER_FOLDER, name), 'utf8')
    const built = driverText(text)
    expect(isAscii(Buffer.from(built)), name).toBe(true)
    expect(built.includes('\ninit_inprocess();\n'), name).toBe(name === 'coreBundle.js')
    expect(built, name).not.toContain('\ninit_coreBundle();\n')
    // Lines keep their numbers, by which stacks name them.
    expect(built.split('\n').length, name).toBe(text.split('\n').length)
  }
})

test('one that begins otherwise stays as it is', () => {
  expect(driverText("begin('\u2026')\n")).toBe("begin('\\u2026')\n")
})
