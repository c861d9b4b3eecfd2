/** An operation of a described interface, as it is stored and asked. Plain JSON, without a host and without secrets. */

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

export interface Parameter {
  readonly in: ParameterPlace
  readonly name: string
  readonly value: string
  /** The description has the value itself; else it is made up along the schema. */
  readonly given: boolean
  readonly required: boolean
}

export interface FormField {
  readonly name: string
  readonly value: string
  /** As of an input of a form: text, file, password. */
  readonly type: string
  readonly given: boolean
}

export interface Body {
  /** Media type. */
  readonly type: string
  /** Of all but forms; empty there. */
  readonly text: string
  /** Of `application/x-www-form-urlencoded` and `multipart/form-data`. */
  readonly fields: readonly FormField[]
  /** JSON Pointers of the leaves whose value is made up. */
  readonly made: readonly string[]
  /** With what is required alone, where that is less. */
  readonly lean?: string
}

/** What an answer holds by its description. Names are JSON Pointers (RFC 6901) with `*` for each item of a list. */
export interface AnswerShape {
  readonly names: readonly string[]
  /** Where more may stand than is named: `''` for the whole. */
  readonly open: readonly string[]
}

export interface Operation {
  /** In capitals. */
  readonly method: string
  /** From the root of the site, as the description has it, with the prefix of its server: `/api/orders/{id}`. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Body | null
  /** What it is called where several share method and path: the field of a GraphQL schema, the operation of a service. */
  readonly name: string
  /** Words that tell what it does. */
  readonly label: string
  /** The description asks for a sign-in; absent where it does not, or says nothing. */
  readonly signIn?: true
  /** The description says that it is for administrators; absent where it does not. */
  readonly forAdministrators?: true
  /** Of its JSON answer where it is taken; absent where nothing is said of it. */
  readonly answer?: AnswerShape
  /** Properties of its body that the server alone sets. */
  readonly readOnly?: readonly string[]
}

/** A description as a run asks it. */
export interface DescribedInterface {
  readonly operations: readonly Operation[]
  /** What could not be taken: `GET /path`, and why. */
  readonly refused: readonly { readonly where: string; readonly reason: string }[]
}
