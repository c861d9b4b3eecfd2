/** What there is to ask of a page: what its scripts read, what can be pressed, and what tells its code from that of another page. */
import type { PageNotes } from '../dom/hooks.ts'
import { follows, heardOf, scrolls } from './heard.ts'
import { countElements, memoryOf } from './memory.ts'

const MOST_ELEMENTS = 5_000
const PRESSABLE =
  'button, summary, input:not([type=hidden]), textarea, select, [onclick], [role=button], [role=tab], a:not([href]), a[href="#"], a[href^="javascript:"]'
const MOVES =
  /location\b[^;]{0,20}=[^=]|location\s*\.\s*(?:assign|replace)|\bimport\s*\(|createElement\s*\(\s*["'`]script\b|\(\s*location\s*,/
const SESSION = /sess|auth|token|csrf|xsrf|(?:^|[_-])s?id$/i
/** Documents of so few elements are drawn by scripts. */
const EMPTY = 8

export function main(): PageNotes {
  const memory = memoryOf()
  const list = document.scripts.length > 0 ? [...document.scripts] : (memory?.scripts ?? [])
  const code = list.map((one) => one.text.slice(0, 100_000)).join('\n')
  const files = document.querySelector('script[src]') !== null
  const parsed = memory?.parsed
  return {
    listeners: memory?.listeners ?? [],
    names: [...new Set([...(memory?.names ?? []), ...namesIn(code), ...comparedIn(code)])].slice(0, 20),
    keys: [...(memory?.keys ?? [])],
    cookies: memory?.cookie ? cookiesIn(code) : [],
    anchors: anchors(),
    pressable: document.querySelector(PRESSABLE) !== null || heardOf()?.pressed === true || scrolls(),
    follows: follows(),
    moves: files || MOVES.test(code),
    code: code.slice(0, 20_000),
    scripts: fingerprint([...list.map(sourceOf), ...(list.length > 0 ? tied() : [])].join('|')),
    drawn: parsed !== undefined && parsed <= EMPTY && countElements() > parsed,
    password: document.querySelector('input[type=password]') !== null,
    files,
    polluted: Object.getOwnPropertyNames(Object.prototype).filter((name) => /^qxp\d+$/.test(name)),
  }
}

/** Words that choose a part of the page, and what parts them from the value behind. Routes with a slash are pages of their own. */
const anchors = (): readonly string[] => {
  const found = new Set<string>()
  for (const link of [...document.links].slice(0, 2_000)) {
    if (link.href.split('#')[0] !== location.href.split('#')[0]) continue
    const start = /^#([\w.-]{1,40}[/=:;|,])./.exec(link.hash)?.[1]
    if (start !== undefined && found.size < 4) found.add(start)
  }
  return [...found]
}

const sourceOf = (script: HTMLScriptElement): string => script.src || script.text.replace(/\d+/g, '0').slice(0, 2_000)

/** Expressions in attributes are code of the page, and names of its data choose what files of scripts do there. */
const tied = (): readonly string[] => {
  const found = new Set<string>()
  for (const element of [...document.querySelectorAll('*')].slice(0, MOST_ELEMENTS))
    for (const { name, value } of element.attributes) {
      if (/^(?:x-|v-|ng-|hx-on|on|[@:*[(#])/.test(name))
        found.add(name + value.replace(/(["'`]).*?\1|\d+/g, '').slice(0, 200))
      else if (/^(?:data-|hx-)/.test(name)) found.add(name)
    }
  return [...found].sort()
}

/** FNV-1a of 32 bits; empty for a page without code. */
const fingerprint = (text: string): string => {
  if (text === '') return ''
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return String(hash >>> 0)
}

/** Names that are read from the address by hand: /[?&]note=/, indexOf('note='), split("note="). */
const namesIn = (code: string): readonly string[] =>
  [...code.matchAll(/[?&\]]\)?([a-zA-Z_][\w-]{0,30})=|["'`][?&#]?([a-zA-Z_][\w-]{0,30})=["'`]/g)].map(
    ([, first, second]) => first ?? second ?? '',
  )

/** What the pieces of an address that is cut at its signs are compared with: `pair[0] === 'note'`, `case "note"`. */
const comparedIn = (code: string): readonly string[] => {
  if (!/\blocation\b|document\s*\.\s*URL/.test(code) || !/split\s*\(\s*(?:["'`][=&]["'`]|\/\[?[=&])/.test(code))
    return []
  const literals = code.matchAll(
    /(?:[!=]==?|\bcase)\s*["'`]([a-zA-Z_][\w-]{0,30})["'`]|["'`]([a-zA-Z_][\w-]{0,30})["'`]\s*[!=]==?/g,
  )
  return [...literals].map(([, first, second]) => first ?? second ?? '')
}

/** Where no name is to be seen, it may use them all: `qx` stands for any. */
const cookiesIn = (code: string): readonly string[] => {
  const named = [
    ...document.cookie
      .split(/;\s*/)
      .filter((pair) => pair.length < 80)
      .map((pair) => pair.split('=')[0]),
    ...[...code.matchAll(/cookies?\w*(?:\.\w+)?\(\s*["'`]([\w.-]{2,40})["'`]/gi)].map(([, name]) => name),
    ...[...code.matchAll(/["'`;)|^\s]([\w-]{2,40})=(?:["'`]|\(\[\^;|\(\.[*+])/g)].map(([, name]) => name),
  ].flatMap((name) => (name ? [name] : []))
  const own = [...new Set(named)].filter((name) => !SESSION.test(name)).slice(0, 20)
  return named.length > 0 ? own : [...own, 'qx']
}
