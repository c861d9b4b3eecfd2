/** Who may do what: the matrix of operations and people, and what is wrong in it. Plain JSON. */

/** A person of the matrix: an identity of the run, or nobody. */
export interface Person {
  readonly name: string
  readonly role: string
  /** By the words of its role; higher may do more. Null of nobody. */
  readonly rank: number | null
  /** Why nothing is known of what it may do; null where it was asked. */
  readonly left: string | null
}

/**
 * `granted`: the answer has content; `empty`: it has none, as a list without entries; `refused`: by its status, by where it leads or by
 * what it says; `failed`: no answer, or one that says nothing of who may; `left`: it was not asked.
 */
export type CellState = 'granted' | 'empty' | 'refused' | 'failed' | 'left'

export interface Cell {
  readonly state: CellState
  readonly status: number | null
  /** In a few words; '' where the state says all. */
  readonly why: string
}

/** What the row comes to, in its own words. */
export type Verdict =
  /** Somebody who should not may. */
  | 'flaw'
  /** Nobody in particular is asked for: everybody sees the same. */
  | 'public'
  /** Several people may by right: their own answers name it, or its collection is one for all. */
  | 'shared'
  /** Whoever should not is refused. */
  | 'restricted'
  /** Each sees what is theirs. */
  | 'own'
  /** Not enough was answered to say. */
  | 'unclear'

export interface Row {
  /** `GET /api/orders/{n}`, of GraphQL with the field. */
  readonly name: string
  readonly method: string
  /** As it was asked. */
  readonly url: string
  /** The object in it is named by this parameter, of an operation that takes one. */
  readonly parameter?: string
  /** By the names of people. */
  readonly cells: Readonly<Record<string, Cell>>
  readonly verdict: Verdict
  readonly note: string
}

export interface Flaw {
  readonly kind: 'object' | 'function' | 'authentication'
  /** Something was changed, and its owner sees it. */
  readonly writes: boolean
  readonly name: string
  readonly method: string
  readonly url: string
  readonly parameter: string | null
  /** Whose it is, and who got it; null is nobody. */
  readonly owner: string
  readonly by: string | null
  readonly byRole: string
  readonly confidence: 'confirmed' | 'firm'
  /** Values of the owner that the other was shown, the most telling first. */
  readonly values: readonly string[]
  /** In one sentence. */
  readonly detail: string
  readonly excerpt: string
  readonly mark: string | null
  readonly replay: string
  readonly evidence: readonly { readonly id: string; readonly filename: string }[]
}

/** How many operations a question applies to, how many were asked of everybody it is about, and what kept the others. */
export interface Asked {
  readonly asked: number
  readonly known: number
  readonly reasons: readonly { readonly reason: string; readonly count: number }[]
}

export interface AuthorizationFacts {
  readonly people: readonly Person[]
  /** At most 1,000, flaws first. */
  readonly rows: readonly Row[]
  readonly flaws: readonly Flaw[]
  readonly objects: Asked
  readonly functions: Asked
  readonly authentication: Asked
  /** Requests for it, by person; nobody is ''. */
  readonly requests: Readonly<Record<string, number>>
}
