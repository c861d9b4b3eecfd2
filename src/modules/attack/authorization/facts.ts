/** Who may do what: the matrix of operations and people, and what is wrong in it. Plain JSON. */
import type { CellState, MatrixVerdict } from '../../../contract/matrix.ts'

/** A person of the matrix: an identity of the run, or nobody. */
export interface Person {
  readonly name: string
  readonly role: string
  /** By the words of its role; higher may do more. Null of nobody. */
  readonly rank: number | null
  /** Why nothing is known of what it may do; null where it was asked. */
  readonly left: string | null
}

export interface Cell {
  /**
   * `granted`: the answer has content; `empty`: it has none, as a list without entries; `refused`: by its status, by where it leads or by
   * what it says; `failed`: no answer, or one that says nothing of who may; `left`: it was not asked.
   */
  readonly state: CellState
  readonly status: number | null
  /** In a few words; '' where the state says all. */
  readonly why: string
}

export interface Row {
  /** `GET /api/orders/{n}`, of GraphQL with the field. */
  readonly name: string
  readonly method: string
  /** As it was asked. */
  readonly url: string
  /** The object in it is named by this parameter, of an operation that takes one. */
  readonly parameter?: string
  /** Who was shown it by right, so that all others were asked the same; absent where nobody was. */
  readonly owner?: string
  /** By the names of people. */
  readonly cells: Readonly<Record<string, Cell>>
  /** What the row comes to. */
  readonly verdict: MatrixVerdict
  readonly note: string
}

export interface Flaw {
  /** `open`: an administration that asks nobody who they are. */
  readonly kind: 'object' | 'function' | 'authentication' | 'open'
  /** Something was changed, and its owner sees it. */
  readonly writes: boolean
  readonly name: string
  /** The end of the name that says what the body asks for, of an address with many procedures; absent elsewhere. */
  readonly procedure?: string
  readonly method: string
  readonly url: string
  readonly parameter: string | null
  /** Whose it is, and who got it; null is nobody. */
  readonly owner: string
  readonly by: string | null
  readonly byRole: string
  readonly confidence: 'confirmed' | 'firm' | 'tentative'
  /** Values of the owner that the other was shown, the most telling first. */
  readonly values: readonly string[]
  /** In one sentence. */
  readonly detail: string
  readonly excerpt: string
  readonly mark: string | null
  readonly replay: string
  readonly evidence: readonly { readonly id: string; readonly filename: string }[]
}

/** What nobody in particular is refused, and is answered when it is asked in another way; see bypass/. Not of identities. */
export interface Bypass {
  /** By which causes are told apart, and behind "asked": `with “/” behind it`. */
  readonly way: string
  readonly words: string
  /** As it is refused, and with what status. */
  readonly url: string
  readonly status: number
  /** Others that the same way leads to. */
  readonly also: readonly string[]
  /** As it was answered. */
  readonly asked: string
  /** What somebody is shown there by right, and was shown now; empty where nobody is known to be. */
  readonly values: readonly string[]
  readonly excerpt: string
  readonly replay: string
  readonly evidence: readonly { readonly id: string; readonly filename: string }[]
}

/** How many operations a question applies to, how many were asked of everybody it is about, and what kept the others. */
export interface Asked {
  readonly asked: number
  readonly known: number
  readonly reasons: readonly { readonly reason: string; readonly count: number }[]
}

/** What only another identity than the first is shown the way to: the run goes as the first, so that nothing was put into it. */
export interface ShownToOthers {
  readonly method: string
  readonly url: string
  /** The first who is. */
  readonly to: string
}

export interface AuthorizationFacts {
  readonly people: readonly Person[]
  /** At most `MOST_OPERATIONS` of the contract, flaws first. */
  readonly rows: readonly Row[]
  /** Operations beyond these. */
  readonly left?: number
  readonly flaws: readonly Flaw[]
  readonly objects: Asked
  readonly functions: Asked
  readonly authentication: Asked
  /** What is named for administrators, asked as nobody; absent in facts of older runs. */
  readonly open?: Asked
  /** What is refused, asked in other ways; absent in facts of older runs. */
  readonly bypasses?: { readonly hits: readonly Bypass[]; readonly asked: Asked }
  /** Absent in facts of older runs, and where there is nothing. */
  readonly shownToOthers?: readonly ShownToOthers[]
  /** Requests for it, by person; nobody is ''. */
  readonly requests: Readonly<Record<string, number>>
}
