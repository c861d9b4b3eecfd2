import { expect, test } from 'vitest'
import { matrixFacts } from '../../../../tests/support/matrix.ts'
import { accessRows } from '../../../contract/matrix.ts'
import { authorizationTables } from './tables.ts'

const tableOf = (more: number) => authorizationTables(matrixFacts(more))[0]

test('the table says of every cell what the interface says of it', () => {
  const facts = matrixFacts()
  const table = tableOf(0)
  expect(table?.columns).toEqual(['Operation', 'ada (administrator)', 'ben (customer)', 'cleo', 'nobody', 'Comes to'])
  const words = { should_not: 'should not', empty: 'nothing there', unclear: 'no word', not_asked: 'not asked' }
  for (const [n, { row, cells }] of accessRows(facts).entries()) {
    const [name, ...texts] = table?.rows[n] ?? []
    expect(name).toBe(row.name)
    expect(texts).toHaveLength(cells.length + 1)
    for (const [at, { access, status }] of cells.entries()) {
      const said = (words as Partial<Record<string, string>>)[access] ?? access
      expect(texts[at]).toMatch(new RegExp(`^${said}${status === null ? '' : ` ${status}`}(?:: |$)`))
    }
  }
})

test('what does not fit is said in its title', () => {
  expect(tableOf(0)?.title).toBe('Who may do what')
  expect(tableOf(400)).toMatchObject({ title: 'Who may do what: 300 of 408 operations, flaws first' })
  expect(tableOf(400)?.rows).toHaveLength(300)
})
