import { expect, it } from 'vitest'
import { findPath, findSqlError, findTraces } from './traces.ts'

it.each([
  ['PDO of PostgreSQL', 'SQLSTATE[42601]: Syntax error: 7 ERROR:  syntax error at or near "ORDER"', 'PostgreSQL'],
  ['PDO of MySQL', "SQLSTATE[42S02]: Base table or view not found: 1146 Table 'a.b' doesn't exist", 'MySQL'],
  ['PDO of MySQL, no way in', 'SQLSTATE[HY000] [1045] Access denied', 'MySQL'],
  ['PDO of SQLite', 'SQLSTATE[HY000]: General error: 1 no such column: a', 'a database'],
  ['HSQLDB', 'java.sql.SQLException: user lacks privilege or object not found: Q in statement [select q]', 'HSQLDB'],
  ['JDBC that says no more', 'java.sql.SQLSyntaxErrorException: unknown token: ', 'a database'],
  ['PDO that says no more', 'SQLSTATE[42S02]: Base table or view not found', 'a database'],
  ['SQLite of a driver that adds nothing', 'unrecognized token: "\' ASC"', 'SQLite'],
  ['SQLite by its ending', 'near "Or": syntax error', 'SQLite'],
  ['SQLite within JSON', JSON.stringify({ error: `unrecognized token: "'\\")"` }), 'SQLite'],
  ['SQLite by its ending, within JSON', JSON.stringify({ error: 'near "Or": syntax error' }), 'SQLite'],
  ['PostgreSQL within JSON', JSON.stringify({ message: 'syntax error at or near "ORDER"' }), 'PostgreSQL'],
  ['PostgreSQL of a driver of Go', 'pq: syntax error at or near "ORDER"', 'PostgreSQL'],
  ['PostgreSQL of one of Node', 'unterminated quoted string at or near "\'a"', 'PostgreSQL'],
  ['DBI of SQLite', 'DBD::SQLite::db selectall_arrayref failed: near "x": syntax error at app.pl line 35.', 'SQLite'],
  ['DBI of MariaDB', 'DBD::MariaDB::st execute failed: Unknown column', 'MySQL'],
  ['DBI of a driver that says no more', 'DBD::ODBC::db prepare failed: ', 'a database'],
] as const)('whose error it is: %s', (_name, text, database) => {
  expect(findSqlError(text)?.database).toBe(database)
})

it('errors of readers of other languages are none', () => {
  for (const text of [
    "Unrecognized token 'a': was expecting ('true', 'false')",
    'Syntax error near "a"',
    'Unexpected token "a"',
  ])
    expect(findSqlError(text)).toBeNull()
})

it('the name of a class alone is none', () => {
  expect(findSqlError('try { … } catch (java.sql.SQLException e) { … }')).toBeNull()
})

it.each([
  ['could not open /app/inc/db.php', '/app/inc/db.php'],
  ['webpack://shop/[project]/app/page.js', null],
  ['turbopack:///[project]/app/page.js', null],
  ["import { a } from '@/app/actions.ts'", null],
  ['sudo tee /var/www/wiki.mydomain.org/phpinfo.php', null],
  ['include /var/www/mysite/index.php', '/var/www/mysite/index.php'],
  ['at run (/home/ada/my-app/server.js:4)', '/home/ada/my-app/server.js'],
  ['node /home/me/path/to/app.js', null],
  ['include /var/www/example.com/index.php of /home/ada/shop/index.php', '/home/ada/shop/index.php'],
])('whether a path of the server is shown: %s', (text, path) => {
  expect(findPath(text)).toBe(path)
})

it('frames of Perl, and a sentence about one', () => {
  const frames = 'Shop::order(7) called at /srv/shop/lib/Shop.pm line 12\nmain::run("x", 2) called at app.pl line 40.'
  expect(findTraces(frames)).toMatchObject([{ language: 'Perl' }])
  expect(findTraces('Shop::order(7) called at /srv/shop/lib/Shop.pm line 12')).toEqual([])
})

it('a stack of PHP that says the place of each call on a line of its own', () => {
  const page = `App\\Failure:\nno such room\n\n  at /srv/app/Rooms.php:83\n  at App\\Rooms->find()\n     (/srv/app/Desk.php:19)\n  at App\\Desk::open('a')\n     (public/index.php:8)`
  expect(findTraces(page)).toMatchObject([{ language: 'PHP' }])
  expect(findTraces('Ask the desk:\n at App\\Desk->open()\n at App\\Desk->close()')).toEqual([])
})

it.each([
  [
    'Mono',
    `Unhandled:
  at Store.Db.Query (System.String sql, System.Object[] values) [0x0001c] in <77ea779628d645ed8928ac475040f316>:0
  at (wrapper remoting-invoke-with-check) Store.Db.Open () [0x00000] in /srv/store/Db.cs:12`,
  ],
  [
    'the error page of ASP.NET',
    `[FormatException: Input string was not in a correct format.]
   Orders.Page_Load(Object sender, EventArgs e) in c:\\sites\\Orders.aspx.cs:14
   System.Web.UI.Control.LoadRecursive() +71`,
  ],
  [
    'a service of scripts, its members each on a line',
    `StackTrace
   at Store.Services.Find(String name)
   at Store.Services.Call(Object target, IDictionary\`2 parameters)
ExceptionType
System.InvalidOperationException`,
  ],
])('a stack of %s', (_name, text) => {
  expect(findTraces(text)).toMatchObject([{ language: '.NET' }])
})

it('a call with a number behind it, and a list of calls, are none of .NET', () => {
  expect(findTraces('Rate(book) +1\nRate(film) +3\n[Reviews]')).toEqual([])
  expect(findTraces('at Store.Find(name)\nat Store.Call(name)\nSystem.Exception is thrown')).toEqual([])
})
