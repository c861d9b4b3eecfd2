import { describe, expect, it } from 'vitest'
import { DATABASE_MESSAGES, databaseMessage } from './messages.ts'

describe('error texts of databases', () => {
  it.each([
    [
      'MySQL',
      "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version for the right syntax to use near ''' at line 1",
    ],
    ['MySQL', 'SQLSTATE[42000]: Syntax error or access violation: 1064 You have'],
    ['MySQL', "Unknown column 'x' in 'where clause'"],
    ['PostgreSQL', `ERROR: unterminated quoted string at or near "'"`],
    ['PostgreSQL', 'invalid input syntax for type integer: "~144"'],
    ['PostgreSQL', 'invalid input syntax for integer: "x"'],
    ['CockroachDB', 'at or near "EOF": syntax error'],
    ['SQLite', 'SQLITE_ERROR: near "x": syntax error'],
    ['SQLite', `sqlite3.OperationalError: unrecognized token: "'"`],
    ['Microsoft SQL Server', "Unclosed quotation mark after the character string ''."],
    ['Microsoft SQL Server', '[Microsoft][ODBC Driver 17 for SQL Server] bad'],
    ['Sybase', 'Sybase message: 102'],
    ['Oracle', 'ORA-01756: quoted string not properly terminated'],
    ['IBM Db2', 'DB2 SQL error: SQLCODE: -10, SQLSTATE: 42603'],
    ['IBM Informix', '[Informix][Informix ODBC Driver] A syntax error'],
    ['Firebird', 'Dynamic SQL Error SQL error code = -104'],
    ['HSQLDB', 'org.hsqldb.HsqlException: unexpected token'],
    ['HSQLDB', 'java.sql.SQLSyntaxErrorException: unknown token: '],
    ['HSQLDB', 'user lacks privilege or object not found: QX in statement [select 1]'],
    ['H2', 'org.h2.jdbc.JdbcSQLSyntaxErrorException'],
    ['H2', 'Data conversion error converting "~144"; SQL statement:'],
    ['H2', '{"message":"Syntax error in SQL statement \\"select 1\'\\""}'],
    ['H2', 'Column "Q" not found; SQL statement:\nselect q [42122-214]'],
    ['SQLite', '{"error":"near \\"tent\\": syntax error"}'],
    ['Apache Derby', 'org.apache.derby.client.am.SqlException'],
    ['SAP MaxDB', 'SQL error: POS(7) Invalid end'],
    ['SAP HANA', 'SAP DBTech JDBC: [257]: sql'],
    ['Ingres', 'Ingres SQLSTATE 42000'],
    ['Microsoft Access', 'Syntax error (missing operator) in query expression'],
    ['ClickHouse', 'Code: 62. DB::Exception: Syntax error'],
    ['Snowflake', 'SQL compilation error: parse error'],
    ['Presto or Trino', "line 1:8: mismatched input 'x'"],
    ['Vertica', 'com.vertica.jdbc.VerticaException'],
    ['Apache Hive', 'FAILED: ParseException line 1:7'],
    ['Cassandra', 'line 1:7 no viable alternative at input'],
    ['MonetDB', '[MonetDB][ODBC Driver] syntax'],
    ['CUBRID', 'cubrid.jdbc.driver.CUBRIDException'],
    ['InterSystems Caché', '[SQLCODE: <-12>:<x>]'],
    ['Mimer SQL', "Syntax error, ''' assumed to mean"],
    ['Raima', '-10048: Syntax error'],
    ['Virtuoso', 'SQ074: Line 1: syntax error'],
    ['Redshift', 'Amazon Invalid operation: syntax error;'],
    ['an unknown database', 'java.sql.SQLSyntaxErrorException: near'],
    ['SQLite', 'error: unrecognized token: &#34;&#39;\\)&#34;'],
    ['SQLite', 'near &quot;tent&quot;: syntax error'],
  ])('%s: %s', (dbms, text) => expect(databaseMessage(`<p>${text}</p>`)?.dbms).toBe(dbms))

  it('knows as many as the catalogue asks for', () => {
    expect(new Set(DATABASE_MESSAGES.map((one) => one.dbms)).size).toBeGreaterThanOrEqual(31)
  })

  it.each(['Our manual explains the syntax of SQL.', 'Order 01756 was sent.', 'Please check the syntax near the top.'])(
    'none: %s',
    (text) => expect(databaseMessage(text)).toBeNull(),
  )
})
