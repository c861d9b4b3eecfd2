/** What reads a value often names itself where it cannot: of few questions those of that language come first. */
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import type { InjectionKind } from '../facts.ts'

const NAMED: readonly (readonly [InjectionKind, RegExp])[] = [
  ['ldap', /\bldap\b|search filter|javax\.naming|InvalidSearchFilter|filter (?:syntax|error)/i],
  ['xpath', /xpath|xmlXPath|lxml\.etree|javax\.xml\.xpath|Saxon|Expected token '?[)'\]]/i],
  [
    'template',
    /jinja2|TemplateSyntaxError|freemarker|velocity|twig|mustache|handlebars|liquid (?:syntax )?error|thymeleaf|TemplateProcessingException|\bmako\b|smarty|nunjucks|SpelParseException|template (?:syntax|error)/i,
  ],
  [
    'command',
    /\b(?:sh|bash|dash|ash|zsh): (?:(?:-c: )?line )?\d+:|near unexpected token|unterminated quoted string\b(?! at)/i,
  ],
]

/** Null where something refuses to be asked. */
const orNull = async (reply: Promise<Reply>): Promise<Reply | null> => {
  try {
    return await reply
  } catch (error) {
    if (error instanceof Blocked || error instanceof Unsendable) return null
    throw error
  }
}

/**
 * The languages that the answer to a text which few can read speaks of, where ordinary ones and that to a word do not. All modules share what
 * it asks.
 */
export const namedBy = async (probe: Probe): Promise<ReadonlySet<InjectionKind>> => {
  const usual = [...(await probe.baseline()), await orNull(probe.control())]
  const named = new Set<InjectionKind>()
  const text = (await orNull(probe.broken()))?.text ?? ''
  for (const [kind, pattern] of NAMED)
    if (pattern.test(text) && !usual.some((one) => one !== null && pattern.test(one.text))) named.add(kind)
  if (named.size > 0) probe.pursue('sign')
  return named
}

/** What programs are started with: names of hosts and mailboxes. */
const HOST = /^(?:[\w.+-]{1,64}@)?[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,24}$/i
const NUMBER_OF_HOST = /^\d{1,3}(?:\.\d{1,3}){3}$/
const CALLED_HOST = /(?:^|[_.\-/[])(?:host(?:_?name)?|ip(?:_?addr(?:ess)?)?|domain|server)\]?$/i
const IS_ADDRESS = /^[a-z][a-z\d+.-]{0,20}:\/\//i

type Named = Pick<Probe['point'], 'name' | 'value'>

/** By what it is called, or by a number. */
export const namesHost = ({ name, value }: Named): boolean =>
  NUMBER_OF_HOST.test(value) || (CALLED_HOST.test(name) && !IS_ADDRESS.test(value))

/** Whether the place names a host, which programs like ping are started with more often than anything is fetched from it. */
export const speaksOfHosts = (point: Named): boolean => HOST.test(point.value) || namesHost(point)

/** It looks like an expression: code is asked before a shell. */
const IS_CODE = /[[\]{}()=]/

/**
 * Waits that come before what is asked of code, and the others: where few may be sent, one tells of a shell whose output nobody sees. All of them for
 * what programs are started with. `shown`: the page shows the value.
 */
export const soonestWaits = <Of>(
  { point }: Probe,
  waits: readonly Of[],
  shown: boolean,
): readonly [readonly Of[], readonly Of[]] => {
  const early = speaksOfHosts(point) ? waits.length : shown || IS_CODE.test(point.value) ? 0 : 1
  return [waits.slice(0, early), waits.slice(early)]
}
