import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('what Node loads late is there before a run changes the flags of V8, and the names of languages are not read', () => {
  const source = new URL('./scan-process.ts', import.meta.url).href
  const body = `Intl.DisplayNames = class { constructor() { console.log('languages') } }
    const { serveScan } = await import('${source}')
    await import('${new URL('../page/translations.ts', import.meta.url).href}')
    serveScan([])
    for (const name of ['perf_hooks', 'cluster']) console.log(process.moduleLoadList.includes('NativeModule ' + name))
    process.exit(0)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', body], { encoding: 'utf8' })
  expect(stdout, stderr).toBe('true\ntrue\n')
})
