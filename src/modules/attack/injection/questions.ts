/** Questions to languages of queries whose answers are known, as tables. */
import { entropy } from '../../../knowledge/secrets/verify.ts'
import { harmOf } from '../../../safety/harmless.ts'
import { isToken } from '../insertion-points/tokens.ts'
import { conjunction } from '../insertion-points/word.ts'

/** How questions are put to one kind of language. */
export interface Questioner {
  readonly kind: 'ldap' | 'xpath' | 'nosql' | 'code'
  readonly flavour: string
  /** Put only where a condition behind text in this quote left the page as it is. */
  readonly quote?: "'" | '"'
  /** Ends a text in this quote: put only where quotes do what other signs do not. */
  readonly within?: "'" | '"'
  /** Is the value again where it is worked out; nothing is asked where that changes the page. */
  readonly holds?: (v: string) => string
  /** Ends in an error where it is read so; nothing is asked where that changes nothing. */
  readonly fails?: (v: string) => string
  /**
   * 'narrows': what is true leaves the page as it is. 'widens': what is true shows more than a value that finds nothing. No
   * database of SQL can read such a question, so it reaches no rows there.
   */
  readonly mode: 'narrows' | 'widens'
  /** What is true leaves the page as it is to the letter: one number in it says that the value was worked out. */
  readonly exact?: true
  readonly with: (v: string, question: string) => string
  readonly ask: (truth: boolean, word: string, v: string) => string
  readonly malformed: string
  /** Of name and value of a place; everywhere where it is absent. */
  readonly fits?: (name: string, value: string) => boolean
}

/** string-length is no function of SQL, so a database cannot answer these. */
const length = (truth: boolean, word: string): string => `string-length('${word}')=${word.length + (truth ? 0 : 1)}`
/** Neither are these. */
const script = (truth: boolean, word: string): string => `'${word}'.length==${word.length + (truth ? 0 : 1)}`
const inDouble =
  (ask: Questioner['ask']): Questioner['ask'] =>
  (truth, word, v) =>
    ask(truth, word, v).replaceAll("'", '"')

/** Whether the document has such an element: two slashes are an error to every other language. */
const element = (truth: boolean, word: string): string => {
  if (word.length % 2 === 0) return truth ? `not(//${word})` : `boolean(//${word})`
  return `count(//${word})=${truth ? 0 : 1}`
}

/**
 * Every directory knows these two attributes. Clients that know its schema refuse a class that is none before they ask: words stand
 * for names alone. No two questions are alike, or a page that shows what was stored in it before would show some as their own echo and others not:
 * it would seem to know the answers.
 */
const filter = (truth: boolean, word: string): string => {
  const all = `|(objectClass=*)(cn=${word})`
  if (word.length % 2 === 0) return truth ? all : `cn=${word}`
  return truth ? `!(cn=${word})` : `!(${all})`
}

/**
 * Made by chance, as sessions and keys are: no name in a directory. A part of it must stand in no question either, as
 * what hides secrets from people knows them whole.
 */
const isMinted = (value: string): boolean =>
  value.length >= 12 && /\d/.test(value) && /[a-z]/i.test(value) && entropy(value) >= 3.3

/** The value with one of its letters as its number (RFC 4515, 3), or with the number of another. Nothing else reads them so. */
const numbered = (truth: boolean, word: string, v: string): string => {
  const letters = lettersOf(v)
  return withNumber(v, letters[word.length % Math.max(1, letters.length)] ?? 0, truth)
}

const withNumber = (v: string, at: number, own: boolean): string => {
  const code = v.charCodeAt(at) + (own ? 0 : 1)
  return `${v.slice(0, at)}\\${code.toString(16).padStart(2, '0')}${v.slice(at + 1)}`
}

/** Those that can be written so: what is left of "curly" without its last letter is the name of a program. */
const lettersOf = (v: string): readonly number[] =>
  [...v].flatMap((char, at) => {
    const harmless = [true, false].every((own) => harmOf(withNumber(v, at, own), { effect: 'unknown' }) === null)
    return /[a-z0-9]/i.test(char) && harmless ? [at] : []
  })

/** Of fewer the questions are too few to be told from one another by chance. */
const FEWEST_LETTERS = 2

/**
 * How long the word is without its first letter, by what expressions of a whole language have, and calculators and languages for
 * formulas do not: functions of one's own, patterns, the names of a library. What is false calls what is not there, so that even a page
 * that shows no result tells it.
 */
const CODE: readonly {
  readonly language: string
  readonly ask: Questioner['ask']
  readonly choose: Choice
  readonly joins: string
}[] = [
  {
    language: 'JavaScript',
    ask: (truth, word) => `((a,b)=>a.replace(/[q]/g,b).length)('${word}','')==${lengthOf(word, truth)}`,
    choose: (q, v) => `(${q}?${v}:qz.qz)`,
    joins: '+',
  },
  {
    language: 'Python',
    ask: (truth, word) => `len('${word}'.replace('q',''))==${lengthOf(word, truth)}`,
    choose: (q, v) => `(${v} if ${q} else qz.qz)`,
    joins: '+',
  },
  {
    language: 'PHP',
    ask: (truth, word) => `strlen(str_replace('q','','${word}'))==${lengthOf(word, truth)}`,
    choose: (q, v) => `(${q}?${v}:qz())`,
    joins: '.',
  },
  {
    language: 'Perl',
    ask: (truth, word) => `length('${word}'=~s/q//r)==${lengthOf(word, truth)}`,
    choose: (q, v) => `(${q}?${v}:qz())`,
    joins: '.',
  },
]

/** The value where the question holds, and an error where it does not. */
type Choice = (question: string, value: string) => string

/** The one letter q of a word is its first. */
const lengthOf = (word: string, truth: boolean): number => word.length - (truth ? 1 : 0)

/** More than a word, or by its name: to ask of each number and name whether it is code would cost as much as all else. */
const isExpression = (name: string, value: string): boolean =>
  value !== '' &&
  !/^(?:https?:)?\//i.test(value) &&
  (/[[({<>=+*&|!?"']/.test(value) || /expr|formula|rule|script|code|calc|eval|condition|predicate|lambda/i.test(name))

/** What languages over JavaScript keep functions away by, and hand out all the same: the constructor of that of a text makes functions. */
const inherited = (truth: boolean, word: string): string =>
  `"".constructor.constructor("return '${word}'.length==${word.length + (truth ? 0 : 1)}")()`

const WHOLE: readonly Questioner[] = [
  {
    // A text has its length by a method in Java alone; to OGNL one sign in ' is no text.
    kind: 'code',
    flavour: 'SpEL or OGNL',
    mode: 'narrows',
    with: (v, q) => `(${q}?(${v}):qz.qz)`,
    ask: (truth, word) => `"${word}".replace("q","").length()==${lengthOf(word, truth)}`,
    malformed: '1 1=',
    fits: isExpression,
  },
  {
    kind: 'code',
    flavour: 'JavaScript, by what a text inherits',
    mode: 'narrows',
    with: (v, q) => `(${q})?(${v}):qz()`,
    ask: inherited,
    malformed: '1 1=',
    fits: isExpression,
  },
  {
    // All members, as a filter has them; where it is false, none.
    kind: 'code',
    flavour: 'JavaScript, in a filter of JSONPath',
    mode: 'narrows',
    with: (v, q) => v.replace('[*]', () => `[?(${q})]`),
    ask: inherited,
    malformed: '1 1=',
    fits: (_name, value) => /^\$[.[]/.test(value) && value.includes('[*]'),
  },
]

const CODE_QUESTIONERS: readonly Questioner[] = CODE.flatMap(
  ({ language, ask, choose, joins }): readonly Questioner[] => [
    {
      kind: 'code',
      flavour: language,
      mode: 'narrows',
      with: (v, q) => choose(q, `(${v})`),
      ask,
      malformed: '1 1=',
      fits: isExpression,
    },
    {
      // What is worked out may be worked on before it is shown: three days at a rate.
      kind: 'code',
      flavour: `${language}, number`,
      mode: 'narrows',
      holds: (v) => `${v}+1-1`,
      fails: (v) => `${v}+qz`,
      with: (v, q) => choose(q, `(${v})`),
      ask,
      malformed: '1 1=',
      fits: (name, value) => /^\d{1,9}(?:\.\d{1,4})?$/.test(value) && !isExpression(name, value),
    },
    ...(["'", '"'] as const).map(
      (sign): Questioner => ({
        kind: 'code',
        flavour: `${language}, text in ${sign}`,
        within: sign,
        mode: 'narrows',
        with: (v, q) => `${v}${sign}${joins}${choose(q, `${sign}${sign}`)}${joins}${sign}`,
        ask: sign === '"' ? inDouble(ask) : ask,
        malformed: '1 1=',
      }),
    ),
  ],
)

/** Without spaces where XPath needs none: some servers drop a cookie that has one (RFC 6265, 4.1.1), and filters strip them. */
export const QUESTIONERS: readonly Questioner[] = [
  {
    kind: 'xpath',
    flavour: "text in '",
    quote: "'",
    mode: 'narrows',
    with: (v, q) => conjunction(v, "'", q),
    ask: length,
    malformed: '1 1=',
  },
  {
    kind: 'xpath',
    flavour: 'text in "',
    quote: '"',
    mode: 'narrows',
    with: (v, q) => conjunction(v, '"', q),
    ask: inDouble(length),
    malformed: '1 1=',
  },
  {
    kind: 'xpath',
    flavour: "text in ' in a function",
    mode: 'narrows',
    with: (v, q) => `${v}') and ${q} and contains('q','q`,
    ask: length,
    malformed: '1 1=',
  },
  {
    kind: 'xpath',
    flavour: "text in ', or",
    mode: 'widens',
    with: (v, q) => `${v}'or(${q})or'q'='p`,
    ask: element,
    malformed: '1 1=',
  },
  {
    kind: 'xpath',
    flavour: "text in ' in a function, or",
    mode: 'widens',
    with: (v, q) => `${v}') or ${q} or contains('q','p`,
    ask: element,
    malformed: '1 1=',
  },
  {
    kind: 'xpath',
    flavour: 'text in ", or',
    mode: 'widens',
    with: (v, q) => `${v}"or(${q})or"q"="p`,
    ask: element,
    malformed: '1 1=',
  },
  {
    kind: 'ldap',
    flavour: 'filter',
    mode: 'narrows',
    with: (v, q) => `${v})(${q}`,
    ask: filter,
    malformed: '(((',
  },
  {
    // Beside other conditions of which one is enough, what is true would find everybody: it asks the other way round.
    kind: 'ldap',
    flavour: 'filter, one of several',
    mode: 'narrows',
    with: (v, q) => `${v})(${q}`,
    ask: (truth, word) => filter(!truth, word),
    malformed: '(((',
  },
  {
    kind: 'ldap',
    flavour: 'filter, letters by their number',
    mode: 'narrows',
    fits: (name, value) => !isToken(name, value) && !isMinted(value) && lettersOf(value).length >= FEWEST_LETTERS,
    with: (_v, q) => q,
    ask: numbered,
    malformed: '\\qz',
  },
  {
    kind: 'ldap',
    flavour: 'filter, any value',
    mode: 'widens',
    with: (_v, q) => `*)(${q}`,
    ask: filter,
    malformed: '(((',
  },
  {
    kind: 'nosql',
    flavour: "JavaScript in '",
    mode: 'narrows',
    with: (v, q) => `${v}'&&${q}&&'q'=='q`,
    ask: script,
    malformed: '1 1==',
  },
  {
    kind: 'nosql',
    flavour: 'JavaScript in "',
    mode: 'narrows',
    with: (v, q) => `${v}"&&${q}&&"q"=="q`,
    ask: inDouble(script),
    malformed: '1 1==',
  },
  {
    kind: 'nosql',
    flavour: 'JavaScript, number',
    mode: 'narrows',
    exact: true,
    fits: (_name, value) => /^\d+$/.test(value),
    // Where the number is worked out and not compared, another stands for what is true: that is code, and asked as such.
    with: (v, q) => `${v}&&${q}&&${Number(v) + 6}`,
    ask: script,
    malformed: '1 1==',
  },
  {
    kind: 'nosql',
    flavour: "JavaScript in ', or",
    mode: 'widens',
    with: (v, q) => `${v}'||${q}||'q'=='p`,
    ask: script,
    malformed: '1 1==',
  },
  ...CODE_QUESTIONERS,
  ...WHOLE,
]
