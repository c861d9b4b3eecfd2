/**
 * Grammars of what programs print when they fail. A sentence about an error is none: each asks for at least two lines of
 * frames, or for a form that only the interpreter itself writes.
 */
export interface Trace {
  readonly language: string
  readonly lines: readonly string[]
}

const LONGEST_LINE = 500
const MOST_LINES = 20_000

interface Grammar {
  readonly language: string
  readonly frame: RegExp
  /** Lines of frames that make a trace. */
  readonly least: number
  /** A line that has to be there as well. */
  readonly head?: RegExp
}

const GRAMMARS: readonly Grammar[] = [
  {
    language: 'Python',
    head: /^Traceback \(most recent call last\):$/,
    frame: /^File ".{1,300}", line \d+(?:, in .+)?$/,
    least: 1,
  },
  // Without its first line, as `traceback.format_tb` and `extract_tb` give it.
  { language: 'Python', frame: /^File ".{1,300}\.py\w?", line \d+, in \S.*$/, least: 2 },
  { language: 'PHP', frame: /^#\d+ (?:\{main\}|\[internal function\]: .+|\S.{0,300}\(\d+\): .+)$/, least: 2 },
  {
    // What ran stands on one line, its place in brackets on the next: pages of frameworks that write a stack as text.
    language: 'PHP',
    head: /^\((?:\S{1,300}\.(?:php|phtml|inc)):\d+\)$/,
    frame: /^at [\w\\]{1,200}(?:->|::)[\w{}\\]{1,100}\(.{0,300}\)$/,
    least: 2,
  },
  {
    // Error pages of Tomcat write no "at"; since Java 9 a frame may begin with its class loader and module.
    language: 'Java',
    frame:
      /^(?:at )?(?:[\w.@-]{0,80}\/{1,2}){0,2}[\w$.]{3,200}\.[\w$<>]{1,100}\((?:[\w$]+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)/,
    least: 2,
  },
  { language: '.NET', frame: /^at [\w.+`<>[\],]{3,200}\([^()]{0,200}\) in .{1,300}:line \d+$/, least: 2 },
  // Mono writes a space before the arguments, and where in the code of a method it was.
  {
    language: '.NET',
    frame:
      /^at (?:\(wrapper [\w-]{1,40}\) )?[\w.+`<>[\],/]{3,200} ?\([^()]{0,300}\) \[0x[\da-f]{4,8}\] in .{1,300}:\d{1,7}$/,
    least: 2,
  },
  {
    // The error page of ASP.NET: `[FormatException: …]`, and frames without a word before them.
    language: '.NET',
    head: /^\[\w{1,100}(?:Exception|Error)\b/,
    frame: /^[\w.+`<>[\],]{3,200}\([^()]{0,300}\) (?:\+\d{1,7}|in .{1,300}:\d{1,7})$/,
    least: 2,
  },
  {
    language: '.NET',
    head: /(?:System|Microsoft)\.[\w.]{1,100}Exception(?:: |$)/,
    frame: /^at [\w.+`<>[\],]{3,200}\([^()]{0,200}\)(?: in .{1,300}:line \d+)?$/,
    least: 2,
  },
  {
    language: 'Node.js',
    frame: /^at (?:[^()]{1,200} \()?(?:file:\/\/\/|node:|\/|[A-Z]:\\)[^\s()]{1,300}:\d+:\d+\)?$/,
    least: 2,
  },
  { language: 'Ruby', frame: /^(?:from )?\/?[\w./-]{1,300}\.(?:rb|erb):\d+:in [`'].{1,200}'$/, least: 2 },
  {
    language: 'Go',
    head: /^goroutine \d+ \[[\w ,]{1,60}\]:$/,
    frame: /^\/?[\w./@!-]{1,300}\.go:\d+(?: \+0x[0-9a-f]+)?$/,
    least: 1,
  },
  // Carp's, as `confess` writes them (perldoc Carp).
  { language: 'Perl', frame: /^[\w:]{1,200}\(.{0,300}\) called at \S{1,300} line \d+\.?$/, least: 2 },
]

/** The first trace of each language. @param text visible text, one line a line */
export const findTraces = (text: string): readonly Trace[] => {
  const lines = text
    .split('\n', MOST_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= LONGEST_LINE)
  const found = new Map<string, Trace>()
  for (const { language, head, frame, least } of GRAMMARS) {
    if (found.has(language)) continue
    const frames = lines.filter((line) => frame.test(line))
    const heads = head === undefined ? [] : lines.filter((line) => head.test(line)).slice(0, 1)
    if (frames.length < least || (head !== undefined && heads.length === 0)) continue
    found.set(language, { language, lines: [...heads, ...frames.slice(0, 6)] })
  }
  return [...found.values()]
}

/** PHP with html_errors prints exactly this markup; nobody writes it by hand. */
const PHP_ERROR =
  /<b>(?:Fatal error|Warning|Parse error|Notice|Deprecated|Recoverable fatal error)<\/b>:\s{1,4}[^\n]{1,600}? in <b>[^<\n]{2,300}<\/b> on line <b>\d{1,7}<\/b>/

export const findPhpError = (html: string): string | null => PHP_ERROR.exec(html)?.[0] ?? null

const SQL_ERRORS: readonly (readonly [database: string, pattern: RegExp])[] = [
  [
    'MySQL',
    /You have an error in your SQL syntax; check the manual that corresponds to your (?:MySQL|MariaDB) server version/,
  ],
  // PDO begins the errors of every database alike (ISO 9075); MySQL's own numbers follow where it is one.
  ['MySQL', /SQLSTATE\[[0-9A-Z]{5}\](?: \[[12]\d{3}\]|: [\w ]{1,60}: [12]\d{3} )/],
  [
    'PostgreSQL',
    /(?:ERROR|PG::\w{3,40}|psycopg2?\.errors\.\w{3,40}):\s{1,4}(?:syntax error at or near "|unterminated quoted string at or near ")/,
  ],
  [
    'Microsoft SQL Server',
    /Unclosed quotation mark after the character string '|Incorrect syntax near '[^']{0,100}'\.|SqlException \(0x80131904\)/,
  ],
  [
    'Microsoft SQL Server',
    /Microsoft (?:OLE DB Provider for \w[\w ]{1,40}|\w{0,10} ?ODBC [\w ]{1,40}) error '[0-9a-f]{8}'/i,
  ],
  ['Oracle', /\bORA-\d{5}: [a-z]/],
  ['SQLite', /SQLITE_ERROR: |sqlite3\.OperationalError: (?:near|no such|unrecognized)|SQLite3::SQLException: /],
  // The words of the database alone, as drivers of Go and Node hand them on: no other begins or ends its errors so. Within JSON quotes are escaped.
  ['SQLite', /\bnear \\?"[^"\n]{0,80}": syntax error\b|\bunrecognized token: \\?"[^"\n]{1,80}"/],
  ['PostgreSQL', /\b(?:syntax error|unterminated quoted string) at or near \\?"[^"\n]{0,80}"/],
  // DBI names the driver, its handle and the method (perldoc DBI, "PrintError").
  ['SQLite', /\bDBD::SQLite::\w{1,40} \w{1,40} failed: /],
  ['MySQL', /\bDBD::(?:mysql|MariaDB)::\w{1,40} \w{1,40} failed: /],
  ['PostgreSQL', /\bDBD::Pg::\w{1,40} \w{1,40} failed: /],
  ['a database', /\bDBD::\w{1,20}::\w{1,40} \w{1,40} failed: /],
  ['DB2', /\bSQL\d{4}N {1,2}[A-Z]|DB2 SQL Error: SQLCODE=-\d+, SQLSTATE=/],
  // JDBC names the class of the error before the words of the driver; of those with drivers' own, the next lines tell.
  ['HSQLDB', /\bunexpected token: \S{0,60} in statement \[|user lacks privilege or object not found: \S/],
  ['H2', /\bSyntax error in SQL statement (?:"|&quot;)|\borg\.h2\.jdbc\.JdbcSQL\w{0,40}Exception: /],
  [
    'a database',
    /\b(?:java\.sql\.(?:SQL|Batch)\w{0,40}Exception|org\.postgresql\.util\.PSQLException|com\.mysql\.(?:cj\.)?jdbc\.[\w.]{0,60}Exception): /,
  ],
  ['a database', /SQLSTATE\[[0-9A-Z]{5}\](?: \[\d+\]|: )/],
]

export const findSqlError = (text: string): { readonly database: string; readonly message: string } | null => {
  for (const [database, pattern] of SQL_ERRORS) {
    const match = pattern.exec(text)
    if (match !== null) return { database, message: match[0] }
  }
  return null
}

/** Behind the name of a folder that a build or a module stands for (`[project]/app/page.js`, `@/app/page.ts`) it is none. */
const PATHS =
  /(?<![\w./:\]}@~-])(?:\/(?:var\/www|srv|home\/[\w.-]{1,32}|usr\/share|usr\/local|opt|app)\/[\w./-]{1,200}\.(?:php|py|rb|pl|jsp|js|ts|go|inc|phtml)|[A-Z]:\\(?:inetpub|xampp|wamp\d*|www|users|websites)\\[\w.\\ -]{1,200}\.(?:aspx?|ashx|php|cs|vb|cshtml))\b/gi
/** Names that instructions put in the place of one's own. */
const STANDS_FOR_ANY =
  /[\\/](?:[\w-]+\.)?(?:example|(?:my|your)[-_]?(?:domain|site|web-?site|host|server))\.(?:com|net|org|tld)[\\/]|\b(?:path[\\/]to|your[-_](?:site|app|project|folder))[\\/]/i

export const findPath = (text: string): string | null =>
  text.matchAll(PATHS).find(([path]) => !STANDS_FOR_ANY.test(path))?.[0] ?? null
