/**
 * Templates of the public catalogue against products that answer as the vulnerable version, and as the mended one. The catalogue is the
 * operator's (SONDE_CATALOGUE, or ../shared/data beside the checkout); where the machine has none, the products alone are looked at.
 */
import { afterAll, expect, it } from 'vitest'
import { caseAddress } from '../../src/modules/testing/collecting.ts'
import { realCatalogue } from '../support/real-catalogue.ts'
import { TRUTHS } from './cases.ts'
import { fileOf, php, shell } from './products.ts'
import { runTruths } from './run.ts'

const catalogue = realCatalogue()
afterAll(() => {
  if (typeof catalogue !== 'string') catalogue.close()
})

it('the products are told once each, and read files and commands by their meaning', () => {
  expect(new Set(TRUTHS.map(({ id }) => id)).size).toBe(TRUTHS.length)
  expect(TRUTHS.length).toBeGreaterThanOrEqual(120)
  expect(fileOf('/x/..\\..\\windows/win.ini')?.body).toContain('[fonts]')
  expect(fileOf('/x/index.html')).toBeNull()
  expect([shell('echo COP | rev'), shell('expr 6 \\* 7'), shell('rm -rf /')]).toEqual(['POC\n', '42\n', ''])
  expect(php('<?php echo md5("a");', (text) => `hash of ${text}`)).toBe('hash of a')
})

it.runIf(typeof catalogue !== 'string')(
  'each fires at the flaw and stays silent at its fix',
  { timeout: 300_000 },
  async () => {
    if (typeof catalogue === 'string') throw new Error(catalogue)
    const outcomes = await runTruths(catalogue.folder, caseAddress(99), TRUTHS)
    expect(outcomes.filter(({ left }) => left !== null)).toEqual([])
    expect(outcomes.filter(({ patched }) => patched)).toEqual([])
    expect(outcomes.filter(({ vulnerable }) => !vulnerable)).toEqual([])
  },
)
