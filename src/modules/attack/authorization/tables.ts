/** The matrix for the report and findings.json. */
import type { FactTable } from '../../../contract/findings-file.ts'
import type { AuthorizationFacts, Cell, Person, Verdict } from './facts.ts'

const MOST_ROWS = 300

const titleOf = ({ name, role }: Person): string => (name === '' ? 'nobody' : role === '' ? name : `${name} (${role})`)

const STATES: Readonly<Record<Cell['state'], string>> = {
  ...{ granted: 'may', empty: 'nothing there', refused: 'refused' },
  ...{ failed: 'no word', left: 'not asked' },
}
const VERDICTS: Readonly<Record<Verdict, string>> = {
  ...{ flaw: 'should not', public: 'for everybody', shared: 'for several' },
  ...{ restricted: 'as it should be', own: 'each their own', unclear: 'not known' },
}

const cellText = (cell: Cell | undefined): string => {
  if (cell === undefined) return ''
  const said = cell.why === '' ? '' : `: ${cell.why}`
  return `${STATES[cell.state]}${cell.status === null ? '' : ` ${cell.status}`}${said}`
}

export const authorizationTables = ({ people, rows, requests }: AuthorizationFacts): readonly FactTable[] => [
  {
    id: 'authorization/matrix',
    module: 'authorization',
    title: 'Who may do what',
    columns: ['Operation', ...people.map(titleOf), 'Comes to'],
    rows: rows
      .slice(0, MOST_ROWS)
      .map(({ name, cells, verdict, note }) => [
        name,
        ...people.map((person) => cellText(cells[person.name])),
        `${VERDICTS[verdict]}${note === '' ? '' : `: ${note}`}`,
      ]),
  },
  {
    id: 'authorization/people',
    module: 'authorization',
    title: 'As whom it was asked',
    columns: ['Who', 'Requests', 'Left out'],
    rows: people.map((person) => [titleOf(person), String(requests[person.name] ?? 0), person.left ?? '']),
  },
]
