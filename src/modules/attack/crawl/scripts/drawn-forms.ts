/**
 * Forms that a script draws: `jsx('form', {onSubmit, children: […jsx('input', {name})]})`. What is sent of one is named nowhere but in
 * its fields: `Object.fromEntries(new FormData(event.target))`, `handleSubmit(values => post('/x', values))`.
 */
import type { AnyNode, CallExpression, Node } from 'acorn'
import { exampleFor } from '../values.ts'
import { type CallSite, type Expr, lookUp, type ProgramFacts, type Scope } from './program.ts'
import { bare, childrenOf, type FunctionNode, isFunction, keyOf, literal } from './syntax.ts'
import { type Entries, entry, known, MAX_ENTRIES, objectOf, unknown, type Value } from './value.ts'

export interface DrawnForms {
  /** The fields of the form that the code at this place is about; none where nobody can tell which. */
  readonly about: (at: number) => Entries
  /** What a function is given for its first parameter that stands within the call which a form's handler is. Null of any other. */
  readonly givenTo: (fn: FunctionNode) => Value | null
}

type ValueOf = (node: Node | null | undefined, scope: Scope) => Value

const FIELDS: ReadonlySet<string> = new Set(['input', 'textarea', 'select'])
const TAGS: ReadonlySet<string> = new Set([...FIELDS, 'form', 'option'])
/** Of elements, and of the forms of libraries (Ant Design, RSuite), which are given what stands in their fields. */
const SUBMITS = /^on:?(?:submit|finish)$/i
/** Of one file. */
const MOST_ELEMENTS = 5_000
const MOST_FORMS = 300
/** Elements of one form. */
const MOST_WITHIN = 300
/** Nodes of a handler that are looked at for the functions that it is made of, and so many of these. */
const MOST_NODES = 200
const MOST_FUNCTIONS = 20

/** Whether a call draws a form, a part of one, or a component that may be one: `h('input', {name})`, `jsx(Field, {name})`. */
export const mayDraw = ({ arguments: given }: CallExpression): boolean => {
  const [tag, props] = given as AnyNode[]
  const name = literal(tag)
  if (name !== null) return TAGS.has(name)
  return props?.type === 'ObjectExpression' && (tag?.type === 'Identifier' || tag?.type === 'MemberExpression')
    ? props.properties.some((one) => one.type === 'Property' && isOfForm(keyOf(one)))
    : false
}

const isOfForm = (name: string | null): boolean => name === 'name' || (name !== null && SUBMITS.test(name))

interface Drawn extends Expr {
  readonly tag: string | null
  readonly props: AnyNode | undefined
}

interface Form {
  readonly start: number
  readonly end: number
  readonly fields: Entries
  /** Where functions begin and end that its handler names. */
  readonly handlers: readonly Node[]
  /** Functions that its handler is made of by a call. */
  readonly given: readonly Given[]
}

/** `by`: what is called with it, and as which of its arguments; empty where the file does not have it. */
interface Given {
  readonly fn: FunctionNode
  readonly by: readonly FunctionNode[]
  readonly index: number
}

/** Worked out when it is first asked for. */
export const createDrawnForms = (
  { drawn, calls }: Pick<ProgramFacts, 'drawn' | 'calls'>,
  read: ValueOf,
): DrawnForms => {
  let made: Made | null = null
  const all = (): Made => {
    if (made !== null) return made
    // What stands in them may ask for forms again.
    made = madeOf([])
    made = madeOf(formsOf(drawn.slice(0, MOST_ELEMENTS), read))
    return made
  }
  return {
    about: (at) => {
      const { forms } = all()
      const around = forms.filter(({ start, end }) => start <= at && at < end)
      const nearest = around.toSorted((one, other) => one.end - one.start - (other.end - other.start))[0]
      if (nearest) return nearest.fields
      return together(forms.filter(({ handlers }) => handlers.some(({ start, end }) => start <= at && at < end)))
    },
    givenTo: (fn) => {
      const own = all().givenTo.get(fn)
      if (own === undefined) return null
      const told = own.find(({ given }) => given.by.length > 0)?.given
      const site = told && calls.find((one) => asks(one, told))
      if (site) return read((site.node as CallExpression).arguments[0], site.scope)
      return told ? null : { kind: 'object', entries: together(own.map(({ form }) => form)), rest: [unknown()] }
    },
  }
}

interface Made {
  readonly forms: readonly Form[]
  readonly givenTo: ReadonlyMap<FunctionNode, readonly { readonly form: Form; readonly given: Given }[]>
}

const madeOf = (forms: readonly Form[]): Made => ({
  forms,
  givenTo: Map.groupBy(
    forms.flatMap((form) => form.given.map((given) => ({ form, given }))),
    ({ given }) => given.fn,
  ),
})

/** `fn(new FormData(event.target))` in what made a handler of it. */
const asks = ({ node, scope }: CallSite, { by, index }: Given): boolean => {
  const callee = node.type === 'CallExpression' ? bare(node.callee) : null
  const param = callee?.type === 'Identifier' ? lookUp(callee.name, scope)?.param : null
  return param != null && param.index === index && by.includes(param.fn.node)
}

/** What stands in a field of several is what the first has. */
const together = (forms: readonly Form[]): Entries => {
  const fields = new Map<string, Value>()
  for (const [name, value] of forms.flatMap((form) => form.fields)) if (!fields.has(name)) fields.set(name, value)
  return [...fields].slice(0, MAX_ENTRIES)
}

const formsOf = (drawn: readonly Expr[], read: ValueOf): readonly Form[] => {
  const elements = drawn.map(({ node, scope }): Drawn => {
    const [tag, props] = (node as CallExpression).arguments as AnyNode[]
    return { node, scope, tag: literal(tag), props }
  })
  const isForm = (one: Drawn): boolean => one.tag === 'form' || (one.tag === null && handlerOf(one) !== null)
  return elements
    .filter(isForm)
    .slice(0, MOST_FORMS)
    .flatMap((form): readonly Form[] => {
      const handler = handlerOf(form)
      const within = elements
        .filter(({ node }) => form.node.start < node.start && node.end <= form.node.end)
        .slice(0, MOST_WITHIN)
      const fields = [...begunWith(form, read), ...within.flatMap((one) => fieldOf(one, within, read))]
      if (fields.length === 0) return []
      const { handlers, given } =
        handler === null ? { handlers: [], given: [] } : functionsOf(handler, form.scope, form.tag === null)
      const { start, end } = form.node
      return [{ start, end, fields: [...new Map(fields)].slice(0, MAX_ENTRIES), handlers, given }]
    })
}

const handlerOf = ({ props }: Drawn): AnyNode | null => {
  if (props?.type !== 'ObjectExpression') return null
  const own = props.properties.find((one) => one.type === 'Property' && SUBMITS.test(keyOf(one) ?? ''))
  return own?.type === 'Property' ? (own.value as AnyNode) : null
}

/** What a component has before anybody types: `jsx(Formik, {initialValues: {email: ''}, onSubmit})`. */
const begunWith = ({ tag, props, scope }: Drawn, read: ValueOf): Entries => {
  const values = tag === null && props ? objectOf(entry(read(props, scope), 'initialValues', 'defaultValues')) : null
  return (values?.entries ?? []).map(([name, value]) => {
    const input = { name, type: 'text', value: known(value) ?? '', tag: 'input' as const, options: [] }
    return [name, /pass/i.test(name) ? unknown(name) : unknown(name, exampleFor({ ...input, attributes: {} }, ''))]
  })
}

/**
 * What a handler names, and what it gives to a call that makes it: `go`, `go('/x')`, `handleSubmit(send)`. `ofComponent`: it is called with the values
 * themselves.
 */
const functionsOf = (handler: AnyNode, scope: Scope, ofComponent: boolean): Pick<Form, 'handlers' | 'given'> => {
  const handlers: Node[] = []
  const given: Given[] = []
  const named = (node: AnyNode): readonly AnyNode[] =>
    node.type === 'Identifier' ? (lookUp(node.name, scope)?.writes ?? []).map(({ node: one }) => bare(one)) : [node]
  const stack: AnyNode[] = [handler]
  if (ofComponent) for (const fn of named(bare(handler)).filter(isFunction)) given.push({ fn, by: [], index: 0 })
  for (let count = 0; count < MOST_NODES; count += 1) {
    const node = stack.pop()
    if (node === undefined) break
    if (node.type === 'Identifier') handlers.push(...named(node).filter((one) => one.type !== 'Identifier'))
    if (node.type === 'CallExpression') {
      const by = named(bare(node.callee)).filter(isFunction)
      for (const [index, one] of node.arguments.entries())
        given.push(...named(bare(one)).flatMap((fn) => (isFunction(fn) ? [{ fn, by, index }] : [])))
    }
    if (!isFunction(node)) stack.push(...childrenOf(node))
  }
  return { handlers: handlers.slice(0, MOST_FUNCTIONS), given: given.slice(0, MOST_FUNCTIONS) }
}

const fieldOf = ({ node, scope, tag, props }: Drawn, within: readonly Drawn[], read: ValueOf): Entries => {
  if (tag === 'option' || tag === 'form' || !props) return []
  const own = read(props, scope)
  const name = known(entry(own, 'name')) ?? registered(props)
  if (name === null || name === '') return []
  const type = (known(entry(own, 'type')) ?? 'text').toLowerCase()
  if (type === 'submit' || type === 'button' || type === 'reset' || type === 'image') return []
  if (type === 'file') return [[name, { kind: 'file' }]]
  const value = known(entry(own, 'defaultValue', 'value', 'initialValue')) ?? ''
  // What a password is depends on where it is sent.
  if (type === 'password' || /pass/i.test(name)) return [[name, unknown(name)]]
  const options = within
    .filter((one) => one.tag === 'option' && node.start < one.node.start && one.node.end <= node.end)
    .map((one) => known(entry(read(one.props, one.scope), 'value')) ?? '')
  const input = { name, type, value, tag: tag === 'select' || tag === 'textarea' ? tag : 'input', options }
  return [[name, unknown(name, exampleFor({ ...input, attributes: {} }, ''))]]
}

/** `{...register('email', {required: true})}` */
const registered = (props: AnyNode): string | null => {
  for (const one of props.type === 'ObjectExpression' ? props.properties : []) {
    const call = one.type === 'SpreadElement' ? bare(one.argument) : null
    if (call?.type === 'CallExpression') return literal(call.arguments[0])
  }
  return null
}
