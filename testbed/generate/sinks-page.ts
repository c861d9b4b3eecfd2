/** Values that end in a document: the contexts of HTML. */
import { type Filter, filtered } from './filters.ts'
import { escaped, type Sink } from './sink.ts'

/** `alert(1)` in characters that upper case does not change, as an attribute's value. */
const CALL = [...'alert(1)'].map((char) => `&#${char.charCodeAt(0)};`).join('')
const callOf = (filter: Filter): string => (filter === 'upper' ? CALL : 'alert(1)')

/** An element whose handler runs by itself. */
const element = (filter: Filter): string => `<svg onload=${callOf(filter)}>`

interface Context {
  readonly name: string
  readonly value: string
  /** By default other words. */
  readonly others?: readonly string[]
  readonly around: (text: string) => string
  /** What leaves the context and runs; null where the filter keeps all of that back. */
  readonly send: (filter: Filter) => string | null
  /** What a careful page does; by default it escapes. */
  readonly careful?: (value: string) => string
}

const unlessEscaped = (send: (filter: Filter) => string) => (filter: Filter) =>
  filter === 'escape' ? null : send(filter)
const listed = (value: string, ...known: readonly string[]): string =>
  known.find((one) => one === value.toLowerCase()) ?? known[0] ?? ''

const CONTEXTS: readonly Context[] = [
  { name: 'text', value: 'tent', around: (v) => `<p>Results for ${v}</p>`, send: unlessEscaped(element) },
  {
    ...{ name: 'attribute-double', value: 'tent' },
    around: (v) => `<input name="again" value="${v}">`,
    send: (filter) => `" autofocus onfocus=${callOf(filter)} x="`,
  },
  {
    ...{ name: 'attribute-single', value: 'tent' },
    around: (v) => `<input name='again' value='${v}'>`,
    send: (filter) => `' autofocus onfocus=${callOf(filter)} x='`,
  },
  {
    ...{ name: 'attribute-bare', value: 'tent' },
    around: (v) => `<input name=again value=${v}>`,
    send: (filter) => `x autofocus onfocus=${callOf(filter)} `,
    careful: (v) => v.replace(/\W/g, ''),
  },
  {
    ...{ name: 'tag-name', value: 'section', others: ['aside', 'article', 'div'] },
    around: (v) => `<${v}>Opening hours</${v}>`,
    send: (filter) => `input autofocus onfocus=${callOf(filter)} `,
    careful: (v) => listed(v, 'section', 'aside', 'article', 'div'),
  },
  {
    ...{ name: 'attribute-name', value: 'hidden', others: ['disabled', 'readonly', 'required'] },
    around: (v) => `<p><input name="note" ${v}="1"></p>`,
    send: (filter) => `autofocus onfocus=${callOf(filter)} x`,
    careful: (v) => listed(v, 'hidden', 'disabled', 'readonly', 'required'),
  },
  {
    ...{ name: 'script-double', value: 'tent' },
    around: (v) => `<script>var term = "${v}";</script>`,
    send: (filter) => (filter === 'upper' ? `</script>${element(filter)}` : '"-alert(1)-"'),
    careful: (v) => JSON.stringify(v).slice(1, -1).replaceAll('<', '\\u003c'),
  },
  {
    ...{ name: 'script-single', value: 'tent' },
    around: (v) => `<script>var term = '${v}';</script>`,
    send: (filter) => (filter === 'upper' || filter === 'double' ? `</script>${element(filter)}` : "'-alert(1)-'"),
    careful: (v) => JSON.stringify(v).slice(1, -1).replaceAll("'", '\\u0027').replaceAll('<', '\\u003c'),
  },
  {
    ...{ name: 'comment', value: 'tent' },
    around: (v) => `<!-- asked for ${v} --><p>Ready.</p>`,
    send: unlessEscaped((filter) => `-->${element(filter)}`),
  },
  {
    ...{ name: 'textarea', value: 'tent' },
    around: (v) => `<textarea name="message">${v}</textarea>`,
    send: unlessEscaped((filter) => `</textarea>${element(filter)}`),
  },
  {
    ...{ name: 'title', value: 'tent' },
    around: (v) => `<svg><title>${v}</title></svg>`,
    send: unlessEscaped((filter) => `</title>${element(filter)}`),
  },
  {
    ...{ name: 'link', value: '/about', others: ['/sign-in', '/', '/about/us'] },
    around: (v) => `<p><a href="${v}">Back</a></p>`,
    send: (filter) => `" autofocus onfocus=${callOf(filter)} x="`,
    careful: (v) => (/^\/(?![/\\])[\w/-]*$/.test(v) ? v : '/'),
  },
]

export const PAGE_SINKS: readonly Sink[] = CONTEXTS.map(
  ({ name, value, others = ['stove', 'mat', 'lamp'], around, send, careful = escaped }) => ({
    ...{ name, class: 'xss', value, others, input: 'term' },
    careless: (v) => ({ html: around(v) }),
    careful: (v) => ({ html: around(careful(v)) }),
    witness: (filter) => {
      const text = send(filter)
      return text === null ? null : { send: text, seen: around(filtered[filter](text)) }
    },
  }),
)
