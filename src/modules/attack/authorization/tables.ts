/** The matrix for the report and findings.json, in the words of people. */
import type { FactTable } from '../../../contract/findings-file.ts'
import { type Access, type AccessCell, accessRows, type MatrixVerdict } from '../../../contract/matrix.ts'
import type { AuthorizationFacts, Person } from './facts.ts'

const MOST_ROWS = 300

const titleOf = ({ name, role }: Person): string => (name === '' ? 'nobody' : role === '' ? name : `${name} (${role})`)

const ACCESS: Readonly<Record<Access, string>> = {
  ...{ may: 'may', could: 'could', should_not: 'should not', empty: 'nothing there' },
  ...{ refused: 'refused', unclear: 'no word', not_asked: 'not asked' },
}
const VERDICTS: Readonly<Record<MatrixVerdict, string>> = {
  ...{ flaw: 'should not', public: 'for everybody', shared: 'for several' },
  ...{ restricted: 'as it should be', own: 'each their own', unclear: 'not known' },
}

const cellText = ({ access, status, why }: AccessCell): string =>
  `${ACCESS[access]}${status === null ? '' : ` ${status}`}${why === '' ? '' : `: ${why}`}`

export const authorizationTables = (facts: AuthorizationFacts): readonly FactTable[] => [
  {
    id: 'authorization/matrix',
    module: 'authorization',
    title: titleOfMatrix(facts),
    columns: ['Operation', ...facts.people.map(titleOf), 'Comes to'],
    rows: accessRows({ ...facts, rows: facts.rows.slice(0, MOST_ROWS) }).map(({ row, cells }) => [
      row.name,
      ...cells.map(cellText),
      `${VERDICTS[row.verdict]}${row.note === '' ? '' : `: ${row.note}`}`,
    ]),
  },
  {
    id: 'authorization/people',
    module: 'authorization',
    title: 'As whom it was asked',
    columns: ['Who', 'Requests', 'Left out'],
    rows: facts.people.map((person) => [titleOf(person), String(facts.requests[person.name] ?? 0), person.left ?? '']),
  },
]

const titleOfMatrix = ({ rows, left = 0 }: AuthorizationFacts): string => {
  const all = rows.length + left
  return all > MOST_ROWS ? `Who may do what: ${MOST_ROWS} of ${all} operations, flaws first` : 'Who may do what'
}
