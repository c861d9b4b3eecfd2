import { expect, test } from 'vitest'
import { FindingsFile } from '../contract/findings-file.ts'
import { sampleFile } from '../report/testing/sample.ts'
import { withinContract } from './within-contract.ts'

const SOUND = sampleFile()
const kept = (file: FindingsFile) => {
  const told: string[] = []
  return { file: withinContract(file, (_error, what) => told.push(what)), told }
}

test('a sound result is left as it is', () => {
  expect(kept(SOUND)).toEqual({ file: SOUND, told: [] })
})

test.each<[string, Partial<FindingsFile>, string]>([
  [
    'a ledger that counts below nothing',
    { reach: { kinds: [], reasons: [{ count: -1 }], rows: [] } as never },
    'how far',
  ],
  ['a list of what was written that is none', { sending: { marker: 7 } as never }, 'what was sent'],
  ['a table without rows', { tables: [{ id: 'x', title: 'X' } as never, ...SOUND.tables] }, 'a table'],
])('%s is left out, and the result stays', (_name, change, what) => {
  const { file, told } = kept({ ...SOUND, ...change })
  expect(told).toEqual([expect.stringContaining(what)])
  expect(FindingsFile.safeParse(file).success).toBe(true)
  expect(file).toMatchObject({ findings: SOUND.findings, coverage: SOUND.coverage, tables: SOUND.tables })
})
