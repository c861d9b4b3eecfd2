/** What engines of templates work out, as tables. */
import type { Arithmetic } from './payloads.ts'

const plain = (a: number, b: number): string => String(a * b)

export interface Engine extends Arithmetic {
  /**
   * 'first': in one text with others of its kind. 'second': likewise, where that text came back as it was sent. 'alone':
   * engines of the first two kinds stumble over it, and it over theirs; where the page did something to the first text.
   */
  readonly asked: 'first' | 'second' | 'alone'
}

/** Behind `#with` the length of a text is the one thing that engines without arithmetic work out. */
const lengthOf = (a: number): number => 20 + (a % 160)

/** No engine, but a text with fields, which reaches objects and computes nothing. */
export const FORMAT = '{….…} (format of Python)'

/** Beside `${…}` it breaks the expression language of Java, which takes one of the two in a text (Jakarta EE, EL 1.2.4, "composite expressions"). */
export const HASH: Engine = {
  flavour: '#{…} (Pug, Ruby)',
  asked: 'second',
  with: (_v, a, b) => `#{${a}*${b}}`,
  expected: plain,
}

export const ENGINES: readonly Engine[] = [
  {
    flavour: '{{…}} (Jinja2, Twig, Nunjucks)',
    asked: 'first',
    with: (_v, a, b) => `{{${a}*${b}}}`,
    expected: plain,
  },
  {
    flavour: 'dollar and braces (FreeMarker, Mako, expression language)',
    asked: 'first',
    with: (_v, a, b) => `\${${a}*${b}}`,
    expected: plain,
  },
  { flavour: '<%=…%> (ERB, EJS)', asked: 'first', with: (_v, a, b) => `<%=${a}*${b}%>`, expected: plain },
  { flavour: '{…} (Smarty)', asked: 'first', with: (_v, a, b) => `{${a}*${b}}`, expected: plain },
  { flavour: '@(…) (Razor)', asked: 'first', with: (_v, a, b) => `@(${a}*${b})`, expected: plain },
  { flavour: '[[…]] (Thymeleaf)', asked: 'second', with: (_v, a, b) => `[[\${${a}*${b}}]]`, expected: plain },
  {
    flavour: '#set (Velocity)',
    asked: 'second',
    with: (_v, a, b) => `#set($q=${a}*${b})\${q}`,
    expected: plain,
  },
  {
    // Without what reads them, two comments stand between the two numbers.
    flavour: 'server-side includes',
    asked: 'second',
    with: (_v, a, b) => `<!--#set var="q" value="${a}"--><!--#echo var="q"-->${b}`,
    expected: (a, b) => `${a}${b}`,
  },
  { flavour: '{{=…}} (doT)', asked: 'second', with: (_v, a, b) => `{{=${a}*${b}}}`, expected: plain },
  {
    flavour: '{@math …/} (Dust)',
    asked: 'second',
    with: (_v, a, b) => `{@math key="${a}" method="multiply" operand="${b}"/}`,
    expected: plain,
  },
  // Last, as some read on to the last brace.
  HASH,
  {
    flavour: '{{…|add}} (Django)',
    asked: 'alone',
    // A sum of small numbers could stand in any page.
    with: (_v, a, b) => `{{${a * b}|add:${b}}}`,
    expected: (a, b) => `${a * b + b}`,
  },
  { flavour: '{{…|times}} (Liquid)', asked: 'alone', with: (_v, a, b) => `{{${a}|times:${b}}}`, expected: plain },
  {
    flavour: '{{printf …}} (Go)',
    asked: 'alone',
    with: (_v, a, b) => `{{printf "qv%xvq" ${a * b}}}`,
    expected: (a, b) => `qv${(a * b).toString(16)}vq`,
  },
  {
    flavour: '{{#with}} (Handlebars)',
    asked: 'alone',
    with: (_v, a) => `{{#with "${'q'.repeat(lengthOf(a))}"}}qv{{length}}vq{{/with}}`,
    expected: (a) => `qv${lengthOf(a)}vq`,
  },
  {
    // It works nothing out, but reaches from what it is given to all that hangs on that (PEP 3101): the name of a type, to a width. In the
    // middle of it, as a shell that gets to read `>105}` makes a file.
    flavour: FORMAT,
    asked: 'alone',
    with: (v, a) => `{${fieldIn(v)}.__class__.__mro__.__class__.__name__!s:q^${lengthOf(a)}}`,
    expected: (a) => {
      const left = Math.floor((lengthOf(a) - 'tuple'.length) / 2)
      return `${'q'.repeat(left)}tuple`.padEnd(lengthOf(a), 'q')
    },
  },
]

/** The first that the value itself names, as a text with fields does: nobody else knows their names. */
const fieldIn = (value: string): string => /\{([A-Za-z_]\w{0,40})(?:[.[!:][^{}]{0,80})?\}/.exec(value)?.[1] ?? '0'

/** No engine can read this, whichever of them looks at it. */
export const BROKEN_TEMPLATE = `<%=(%>{{(}}\${(}#{(}{(}`

/** Waits in the language of an engine, for templates whose result nobody sees. */
export const TEMPLATE_WAITS: readonly {
  readonly flavour: string
  readonly with: (v: string, seconds: string) => string
}[] = [
  { flavour: '<%=…%> (ERB)', with: (v, s) => `${v}<%=sleep(${s})%>` },
  {
    flavour: '<%=…%> (EJS)',
    with: (v, s) => `${v}<%=Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,${ms(s)})%>`,
  },
  { flavour: 'dollar and braces (Mako)', with: (v, s) => `${v}\${__import__('time').sleep(${s})}` },
  { flavour: 'dollar and braces (Spring)', with: (v, s) => `${v}\${T(java.lang.Thread).sleep(${ms(s)})}` },
  { flavour: '{{…}} (Tornado)', with: (v, s) => `${v}{{__import__('time').sleep(${s})}}` },
  { flavour: '{{…}} (Blade)', with: (v, s) => `${v}{{usleep(${ms(s)}000)}}` },
]

const ms = (seconds: string): string => String(Math.round(Number(seconds) * 1_000))
