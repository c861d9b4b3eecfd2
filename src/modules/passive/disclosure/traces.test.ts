import { expect, it } from 'vitest'
import { findSqlError } from './traces.ts'

it.each([
  ['PDO of PostgreSQL', 'SQLSTATE[42601]: Syntax error: 7 ERROR:  syntax error at or near "ORDER"', 'PostgreSQL'],
  ['PDO of MySQL', "SQLSTATE[42S02]: Base table or view not found: 1146 Table 'a.b' doesn't exist", 'MySQL'],
  ['PDO of MySQL, no way in', 'SQLSTATE[HY000] [1045] Access denied', 'MySQL'],
  ['PDO of SQLite', 'SQLSTATE[HY000]: General error: 1 no such column: a', 'a database'],
  ['HSQLDB', 'java.sql.SQLException: user lacks privilege or object not found: Q in statement [select q]', 'HSQLDB'],
  ['JDBC that says no more', 'java.sql.SQLSyntaxErrorException: unknown token: ', 'a database'],
  ['PDO that says no more', 'SQLSTATE[42S02]: Base table or view not found', 'a database'],
] as const)('whose error it is: %s', (_name, text, database) => {
  expect(findSqlError(text)?.database).toBe(database)
})

it('the name of a class alone is none', () => {
  expect(findSqlError('try { … } catch (java.sql.SQLException e) { … }')).toBeNull()
})
