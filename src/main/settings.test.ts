import { describe, expect, test } from 'vitest'
import { code, filesIn, isTest } from '../../tests/support/imports.ts'
import { withSettings } from './generate-settings-doc.ts'
import { READ_ELSEWHERE, settingList } from './settings.ts'

/** Given to the browser's process by the engine, never by a person. */
const INTERNAL = ['SONDE_BROWSER_OFFLINE', 'SONDE_BROWSER_PID_FILE', 'SONDE_LONG']
/** Writes a job of GitLab, whose variables are that job's own. */
const OF_A_JOB = 'src/main/generate-gitlab.ts'

test('every variable has one entry', () => {
  const names = [...settingList().map(({ variable }) => variable), ...Object.keys(READ_ELSEWHERE)]
  expect(names).toEqual([...new Set(names)])
})

test('help, errors and advice name only variables that there are', () => {
  const known = new Set([...settingList().map(({ variable }) => variable), ...Object.keys(READ_ELSEWHERE), ...INTERNAL])
  const named = [...filesIn('src'), ...filesIn('web/src')]
    .filter((file) => !isTest(file) && file !== OF_A_JOB)
    .flatMap((file) => [...code(file).matchAll(/\bSONDE_[A-Z_]+\b/g)].map(([name]) => `${file}: ${name}`))
  expect(named.length).toBeGreaterThan(settingList().length)
  expect(named.filter((each) => !known.has(each.split(': ')[1] ?? ''))).toEqual([])
})

describe('the page of settings', () => {
  const page = (table: string) =>
    `# Page\n\n<!-- generated from src/main/settings.ts by npm run generate -->\n\n${table}\n\n<!-- end of what is generated -->\n\nEnd\n`
  test('has its table written anew and keeps the rest', () => {
    const written = withSettings(page('| old |'))
    expect(written).toContain('| `SONDE_OOB_HTTP_PORT` | TCP port of the listener | 80 |')
    expect(written).not.toContain('| old |')
    expect(written).toMatch(/^# Page\n[\s\S]*\nEnd\n$/)
    expect(withSettings(written)).toBe(written)
  })
  test.each([
    ['none', '# Page\n'],
    ['two', page('a') + page('b')],
  ])('%s is no place for it', (_trick, text) => {
    expect(() => withSettings(text)).toThrow('no place')
  })
})
