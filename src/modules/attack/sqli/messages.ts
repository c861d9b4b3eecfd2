/**
 * Error texts by which a database or its driver names itself, from the vendors' own message catalogues.
 * Specific before generic: the first match speaks.
 */
export interface DatabaseMessage {
  readonly dbms: string
  readonly pattern: RegExp
}

/** Of a driver's message that names none. */
export const UNKNOWN = 'an unknown database'

const rows: readonly (readonly [string, RegExp])[] = [
  [
    'MySQL',
    /You have an error in your SQL syntax; check the manual that corresponds to your (?:MySQL|MariaDB|TiDB|Drizzle)[^\n]{0,120}/i,
  ],
  [
    'MySQL',
    /(?:XPATH syntax error: '|Illegal mix of collations|Unknown column '[^'\n]{0,80}' in '(?:\w+ ?)+'|Warning: mysqli?_\w+\(\)|MySqlException|com\.mysql\.(?:cj\.)?jdbc|SQLSTATE\[(?:42000|42S22|HY000)\][^\n]{0,80}\b(?:1064|1054|1105|1690|1242))/i,
  ],
  ['MySQL', /(?:BIGINT(?: UNSIGNED)? value is out of range in|Subquery returns more than 1 row)/],
  [
    'PostgreSQL',
    /(?:unterminated quoted (?:string|identifier) at or near|syntax error at or near "|invalid input syntax for (?:type )?(?:integer|numeric|bigint|uuid|boolean|double|date|timestamp)|PG::\w*Error|org\.postgresql\.util\.PSQLException|Warning: pg_\w+\(\)|PSQLException|argument of \w+ must be type boolean|SQLSTATE\[(?:42601|22P02)\]|operator does not exist: \w+)/i,
  ],
  ['Redshift', /(?:Amazon Invalid operation|com\.amazon\.redshift|redshift_connector\.error)/i],
  [
    'CockroachDB',
    /(?:at or near "[^"\n]*": syntax error|lexical error: unterminated string|SQLSTATE: 42601\)?\s*DETAIL: source SQL)/i,
  ],
  [
    'SQLite',
    /(?:SQLITE_ERROR|SQLite3?::(?:SQLException|query)|sqlite3\.(?:OperationalError|Warning|DatabaseError)|System\.Data\.SQLite\.SQLiteException|unrecognized token: "|near "[^"\n]{0,80}": syntax error|Warning: SQLite3::|\[SQLITE_ERROR\]|bad JSON path: '|JSON path error near ')/i,
  ],
  [
    'Microsoft SQL Server',
    /(?:Unclosed quotation mark after the character string|Incorrect syntax near (?:the keyword )?'|Conversion failed when converting the (?:n?varchar|n?char) value|\[Microsoft\]\[(?:ODBC|SQL)[^\]\n]*\]|System\.Data\.SqlClient\.SqlException|Microsoft\.Data\.SqlClient|com\.microsoft\.sqlserver\.jdbc|Msg \d+, Level \d+, State \d+)/i,
  ],
  ['Sybase', /(?:Sybase message:|SybSQLException|com\.sybase\.jdbc|Adaptive Server (?:Enterprise|Anywhere) )/i],
  ['Oracle', /\b(?:ORA-\d{5}|PLS-\d{5}|LPX-\d{5}|oracle\.jdbc|quoted string not properly terminated)/],
  ['IBM Db2', /(?:DB2 SQL error: SQLCODE|com\.ibm\.db2\.jcc|CLI Driver.{0,40}DB2|SQLCODE=-\d+, SQLSTATE=)/i],
  ['IBM Informix', /(?:com\.informix\.jdbc|\[Informix\]\[|ISAM error: )/i],
  ['Firebird', /(?:Dynamic SQL Error\s|org\.firebirdsql\.jdbc|isc_dsql_|Token unknown - line)/i],
  [
    'HSQLDB',
    /(?:org\.hsqldb\.|unexpected token: .{0,40} in statement \[|SQLSyntaxErrorException: (?:unexpected|unknown) token: |user lacks privilege or object not found: )/i,
  ],
  [
    'H2',
    /(?:org\.h2\.(?:jdbc|message)|Syntax error in SQL statement "|Data conversion error converting "|SQL statement:\s[^\n]{0,2000}\[\d{5}-\d{2,3}\])/i,
  ],
  ['Apache Derby', /(?:org\.apache\.derby|ERROR 42X01)/i],
  ['SAP MaxDB', /(?:com\.sap\.dbtech|SQL error.{0,40}POS\(\d+\)|-3014.{0,40}Invalid end of SQL statement)/i],
  ['SAP HANA', /(?:com\.sap\.db\.jdbc|SAP DBTech JDBC: \[\d+\]|sql syntax error: incorrect syntax near)/i],
  ['Ingres', /(?:com\.ingres\.gcf\.jdbc|Ingres SQLSTATE)/i],
  [
    'Microsoft Access',
    /(?:Microsoft Access (?:\d+ )?Driver|JET Database Engine|ODBC Microsoft Access|Syntax error \(missing operator\) in query expression)/i,
  ],
  ['ClickHouse', /(?:Code: \d+\.? ?,? ?.{0,30}DB::Exception|ClickHouseException|ru\.yandex\.clickhouse)/i],
  ['Snowflake', /(?:net\.snowflake\.client|snowflake\.connector\.errors|SQL compilation error:)/i],
  [
    'Presto or Trino',
    /(?:io\.(?:prestosql|trino)\.|com\.facebook\.presto|mismatched input '.{0,60}' expecting|line \d+:\d+: mismatched input)/i,
  ],
  ['Vertica', /(?:com\.vertica\.jdbc|vertica_python\.errors|Vertica Driver)/i],
  ['Apache Hive', /(?:org\.apache\.hive|FAILED: ParseException line)/i],
  ['Cassandra', /(?:com\.datastax\.(?:oss\.)?driver|no viable alternative at input|SyntaxException: line \d+:\d+)/i],
  ['MonetDB', /(?:nl\.cwi\.monetdb\.jdbc|\[MonetDB\]\[)/i],
  ['CUBRID', /(?:cubrid\.jdbc|CUBRID.{0,20}Syntax)/i],
  ['InterSystems Caché', /(?:com\.intersys\.jdbc|\[SQLCODE: <-\d+>)/i],
  ['Mimer SQL', /(?:com\.mimer\.jdbc|Syntax error,.{0,40} assumed to mean)/i],
  ['Raima', /-10048: Syntax error/],
  ['Virtuoso', /(?:SQ074: Line \d+|virtuoso\.jdbc)/],
  [
    UNKNOWN,
    /(?:SQLSTATE\[\w{5}\]|java\.sql\.SQL\w*Exception|ActiveRecord::StatementInvalid|Sequelize(?:Database)?Error|QueryFailedError|Doctrine\\DBAL|sqlalchemy\.exc|org\.hibernate\.(?:exception|QueryException)|PDOException|Zend_Db_\w+Exception|DatabaseError at \/)/i,
  ],
]

/** Pages that encode what they show write quotes as references, JSON with a backslash. */
const QUOTES: Readonly<Record<string, string>> = {
  '"': '(?:\\\\?"|&(?:quot|#34|#x22);)',
  "'": "(?:'|&(?:apos|#0?39|#x27);)",
}

const encodedToo = ({ source, flags }: RegExp): RegExp =>
  new RegExp(
    source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|["']/g, (part) => QUOTES[part] ?? part),
    flags,
  )

export const DATABASE_MESSAGES: readonly DatabaseMessage[] = rows.map(([dbms, pattern]) => ({
  dbms,
  pattern: encodedToo(pattern),
}))

/** The first database error in a text with the part that shows it, or null. Looks at the first 256 KiB. */
export const databaseMessage = (text: string): { readonly dbms: string; readonly mark: string } | null => {
  for (const { dbms, pattern } of DATABASE_MESSAGES) {
    const mark = pattern.exec(text)?.[0]
    if (mark !== undefined) return { dbms, mark: mark.slice(0, 300) }
  }
  return null
}
