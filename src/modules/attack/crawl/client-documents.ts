/**
 * What a GraphQL interface can do as its clients show it: operations of the documents in scripts, for an interface that does not describe
 * itself. Each is asked first with its field skipped (`@skip(if: true)`), which carries nothing out: the interface reads the variables then
 * (GraphQL, 6.1.2), and its refusal says what they have to be.
 */
import type { Operation } from '../../../contract/described.ts'
import { withFieldsSkipped } from '../../../descriptions/graphql/document.ts'
import { wordsOf } from '../../../descriptions/operation.ts'
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { jsonTreeOf } from '../../../page/json.ts'
import { decide } from '../../../safety/policy.ts'
import type { Crawling } from './crawling.ts'
import { operationNameIn } from './graphql.ts'
import { corrected } from './graphql-corrections.ts'
import type { ScriptedOperation } from './scripts.ts'

/** Of one operation. */
const MOST_CORRECTIONS = 6
const MOST_OPERATIONS = 300

export interface ClientParts {
  readonly post: (url: string, contentType: string, body: string) => Promise<HttpExchange | null>
  /** What may write is listed as its script has it, and not asked. */
  readonly careful: boolean
  /** Also what the policy never sends: another interface may carry out what it was told to skip. */
  readonly isNever: (operation: Operation) => boolean
  readonly isOver: () => boolean
}

/** What the scripts that were read so far tell of the interfaces that the site has; those that describe themselves have told all. */
export const takeClientDocuments = async (crawling: Crawling, until: number): Promise<void> => {
  const { ctx, careful, described, requests, crawler, fetcher, last, discovered, around } = crawling
  // Of one place the request itself is known.
  if (ctx.options.hypothesis !== undefined) return
  const scripted = crawler.reading.operations()
  if (scripted.length === 0) return
  const sent = requests.all().filter(({ source }) => source === 'browser')
  const names = new Set(sent.map(({ body }) => operationNameIn(body)))
  const others = scripted.filter(({ name }) => name === '' || !names.has(name))
  for (const { url, introspection } of discovered.graphql) {
    if (introspection) continue
    const isOver = (): boolean => last.signal.aborted || performance.now() > until
    const isNever = ({ body, label }: Operation): boolean => {
      const asked = {
        method: 'POST',
        url,
        encoding: 'json' as const,
        fields: [],
        body: body?.text ?? null,
        labels: [label],
      }
      return decide(asked, null, around()).send === 'never'
    }
    const parts = { post: fetcher.post, careful, isNever, isOver }
    described.take(await operationsOfClients(url, others, parts), 'script', url)
  }
}

/** Those that the interface at `url` knows, with variables that it takes as far as it told. */
export const operationsOfClients = async (
  url: string,
  scripted: readonly ScriptedOperation[],
  { post, careful, isNever, isOver }: ClientParts,
): Promise<readonly Operation[]> => {
  const found: Operation[] = []
  for (const one of scripted.slice(0, MOST_OPERATIONS)) {
    if (isOver()) break
    const isLeft = one.kind === 'mutation' && (careful || isNever(operationOf(url, one, one.variables)))
    const variables = isLeft ? one.variables : await taken(url, one, post)
    if (variables !== null) found.push(operationOf(url, one, variables))
  }
  return found
}

/** Null where the interface does not know the operation. */
const taken = async (
  url: string,
  { query, variables }: ScriptedOperation,
  post: ClientParts['post'],
): Promise<Readonly<Record<string, unknown>> | null> => {
  const skipped = withFieldsSkipped(query)
  let given = variables
  for (let round = 0; skipped !== null && round <= MOST_CORRECTIONS; round += 1) {
    const answer = await post(url, 'application/json', JSON.stringify({ query: skipped, variables: given }))
    const messages = answer === null ? [] : messagesOf(answer.body.toString('utf8'))
    if (messages.length === 0) return given
    if (messages.some((message) => STRANGE.test(message))) return null
    const next = corrected(given, messages)
    if (next === null) return given
    given = next
  }
  return given
}

/** Another interface has it, or one of another day (GraphQL, 5.3.1, 5.4.1, 5.8.2). */
const STRANGE = /^(?:Cannot query field|Unknown (?:type|argument|field)|Field .* undefined)/i

/** Characters; what a message asks for stands at its beginning. */
const LONGEST_MESSAGE = 2_000

const messagesOf = (text: string): readonly string[] => {
  const whole = jsonTreeOf(text)
  const errors = typeof whole === 'object' && whole !== null && 'errors' in whole ? whole.errors : []
  return (Array.isArray(errors) ? errors.slice(0, 20) : []).map((one: unknown) =>
    typeof one === 'object' && one !== null && 'message' in one ? String(one.message).slice(0, LONGEST_MESSAGE) : '',
  )
}

const operationOf = (
  url: string,
  { kind, name, query }: ScriptedOperation,
  variables: Readonly<Record<string, unknown>>,
): Operation => ({
  ...{ method: 'POST', path: new URL(url).pathname, parameters: [], name: `${kind}.${name}`, label: wordsOf(name) },
  body: {
    ...{ type: 'application/json', fields: [], made: leavesOf(variables, '/variables') },
    text: JSON.stringify({ query, variables, ...(name === '' ? {} : { operationName: name }) }),
  },
})

/** JSON Pointers of texts and numbers. */
const leavesOf = (value: unknown, pointer: string): readonly string[] => {
  if (typeof value === 'string' || typeof value === 'number') return [pointer]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}
