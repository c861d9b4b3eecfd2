/** What the checks of interfaces keep of their work: of each topic what it applies to, how much of it was asked, and what showed. */

export interface Asked<Hit> {
  /** Operations, endpoints or tokens that the topic applies to. */
  readonly known: number
  /** Those of them that were asked to the end. */
  readonly asked: number
  /** Why the others were not, in words that follow their number. */
  readonly left: Readonly<Record<string, number>>
  readonly hits: readonly Hit[]
  /** Id of a fault of ours that kept one from being asked. */
  readonly fault?: string
}

/** Where it showed, and by what. */
export interface Shown {
  readonly method: string
  /** Without its query. */
  readonly url: string
  /** As in `Finding`; absent where the address has one. */
  readonly procedure?: string
  /** What was asked and answered, in lines; no secret and no personal value in it. */
  readonly excerpt: string
  /** The part of it that decides. */
  readonly mark: string | null
  /** A command that shows the same again. */
  readonly replay: string | null
}

export interface OpenHit extends Shown {
  readonly kind: 'open'
  readonly status: number
  /** Properties that were answered to nobody. */
  readonly names: readonly string[]
  /** Nothing but how the service is: single words, switches and versions. Absent in facts of earlier versions. */
  readonly plain?: boolean
}

export type Forgery =
  | 'signature'
  | 'none'
  | 'weak-secret'
  | 'confusion'
  | 'key-id'
  | 'embedded-key'
  | 'key-address'
  | 'expired'
  | 'audience'

export interface TokenHit extends Shown {
  readonly kind: Forgery
  /** How the token was made: "alg NoNe". */
  readonly variant: string
  /** Which token: "header Authorization". */
  readonly where: string
}

/** A token that the run carries or was given by an answer, without what makes it one. */
export interface SeenToken {
  /** "header Authorization", "cookie session", "answer of POST /login". */
  readonly where: string
  /** The site that it is for. */
  readonly url: string
  readonly algorithm: string
  /** Seconds between its beginning and its end; null where it has none. */
  readonly lifetime: number | null
  readonly expires: boolean
  /** Claims that hold personal data or secrets. */
  readonly personal: readonly string[]
  /** The listed secret that made its signature. */
  readonly secret: string | null
  /** False where no address was found that takes it and refuses another. */
  readonly placed: boolean
  /** One that the run carried before it had ended, and was sent there; absent where none had. */
  readonly ended?: boolean
}

export interface DataHit extends Shown {
  readonly kind: 'secret' | 'personal' | 'undocumented'
  /** JSON Pointers, `*` for each item of a list. */
  readonly names: readonly string[]
  /** What they hold: "password hash (bcrypt)", "e-mail addresses". */
  readonly what: readonly string[]
  /** It was answered to nobody. */
  readonly open: boolean
}

export interface AssignedHit extends Shown {
  readonly kind: 'assigned'
  readonly name: string
  /** Told as read only by the description, or only shown by answers. */
  readonly by: 'read-only' | 'answer'
  /** Seen in a later read; else in the answer to the write alone. */
  readonly stays: boolean
}

/** A number below nothing for how many there are of a thing, or another price than its page has. */
export interface AmountHit extends Shown {
  readonly kind: 'quantity' | 'price'
  readonly name: string
  /** As in AssignedHit. */
  readonly stays: boolean
}

export interface GraphqlHit extends Shown {
  readonly kind: 'aliases' | 'depth' | 'get-mutation' | 'form-type' | 'trace' | 'open-field'
  readonly detail: string
}

export interface ContentHit extends Shown {
  readonly kind: 'override' | 'plain-json'
  readonly detail: string
}

export interface FailedHit extends Shown {
  readonly kind: 'unhandled'
  readonly status: number
  /** "a list where text is expected" */
  readonly input: string
  readonly parameter: string
  /** What tells the error handler that answered; absent in facts of older runs. */
  readonly handler?: string
}

export interface AccountHit extends Shown {
  /** `recovery` and `registration`: not told by a sign-in, but by these. `unsure`: no hit, as its times would not show one. */
  readonly kind: 'answer' | 'time' | 'unsure' | 'recovery' | 'registration'
  readonly detail: string
}

/** At `url`, under an older version. */
export interface VersionHit extends Shown {
  readonly kind: 'older'
  /** The same under the version in use, without its query. */
  readonly present: string
  /** Properties that were answered to nobody, with the values that the account has. */
  readonly names: readonly string[]
}

export interface ApiFacts {
  readonly open: Asked<OpenHit>
  readonly tokens: Asked<TokenHit> & {
    readonly seen: readonly SeenToken[]
    readonly listened: boolean
    /** Public keys that the site tells; absent in facts of older runs. */
    readonly keys?: number
  }
  readonly data: Asked<DataHit>
  readonly assigned: Asked<AssignedHit>
  /** Absent in facts of older runs. */
  readonly quantities?: Asked<AmountHit>
  /** In hidden fields of forms, and beside a thing in JSON; absent in facts of older runs. */
  readonly prices?: Asked<AmountHit>
  /**
   * `flat`: those that tell no schema, so that no query could be made deep; `unguarded`: those of which nobody was refused a field, while one answers
   * nobody with data of people; absent in facts of older runs.
   */
  readonly graphql: Asked<GraphqlHit> & { readonly flat?: number; readonly unguarded?: number }
  readonly content: Asked<ContentHit>
  readonly failed: Asked<FailedHit>
  readonly accounts: Asked<AccountHit>
  /** Of what knows accounts beside sign-ins; absent in facts of older runs. */
  readonly recovery?: Asked<AccountHit>
  /** Versions before the one in use; absent in facts of older runs. */
  readonly versions?: Asked<VersionHit>
  /** Nothing is written on what its owner uses. */
  readonly careful: boolean
}
