/** What became of sessions: begun beside the run's own, ended, guessed, and used by requests that other sites make. Plain JSON, without one of them. */

/** What one question applies to, how much of it was asked, and what showed. */
export interface Topic<Seen> {
  /** Why it was not asked at all; null where it was. */
  readonly none: {
    readonly state: 'not_applicable' | 'not_tested'
    readonly reason: string
    /** Whatever the site has beside what was read. */
    readonly anyway?: true
  } | null
  readonly known: number
  readonly asked: number
  /** Why the others were not, in words that follow their number. */
  readonly left: Readonly<Record<string, number>>
  readonly seen: readonly Seen[]
  /** Id of a fault of ours that kept one from being asked. */
  readonly fault?: string
}

/** Where it showed, and by what. No value of a session stands in it. */
export interface Shown {
  readonly method: string
  readonly url: string
  readonly excerpt: string
  readonly mark: string | null
  readonly replay: string | null
}

export interface FixationSeen extends Shown {
  /** Cookies that opened the session before it was one and after. */
  readonly cookies: readonly string[]
  /** `kept`: the site had given the value to somebody who was not signed in; `planted`: nobody had, it was made up. */
  readonly ways: readonly ('kept' | 'planted')[]
}

export interface IdentifierSeen extends Shown {
  readonly cookie: string
  /** `guessed`: how each value was made was found, and holds for all; `short`: there are too few of them. */
  readonly kind: 'guessed' | 'short'
  /** In words: "a number that counts up, by 1 to 3". */
  readonly made: string
  readonly samples: number
}

export interface SignOutSeen extends Shown {
  readonly carriedBy: 'cookie' | 'header'
  /** The browser is signed out by the answer, as was seen; else the application says that it did as it was told. */
  readonly isSeen: boolean
}

export interface ForgedSeen extends Shown {
  readonly parameter: string
  /** `none`: its form has no token; `optional`: it has one, and is done without; `link`: following a link is enough. */
  readonly guard: 'none' | 'optional' | 'link'
  /** What the session's cookie says of requests that other sites make; null where the run was given the cookie and nobody knows. */
  readonly sameSite: string | null
  readonly page: string
}

export interface SocketSeen extends Shown {
  /** `session`: whoever has the session is answered otherwise than nobody; `anybody`: all are answered alike. */
  readonly kind: 'session' | 'anybody'
  readonly sameSite: string | null
  /** Bytes that came without being asked for. */
  readonly bytes: number
}

export interface ScriptSeen extends Shown {
  /** Members that only who is signed in is told. */
  readonly names: readonly string[]
  /** What they hold: "an e-mail address", "a token". */
  readonly what: readonly string[]
  readonly sameSite: string | null
}

export interface TrustedSeen extends Shown {
  readonly cookie: string
  /** In words, what its value is: "a number, in Base64". */
  readonly says: string
  /** `alone`: it lets in by itself; `beside`: with the other cookies of a session. */
  readonly way: 'alone' | 'beside'
}

export interface PasswordChangeSeen extends Shown {
  /** Where the form stands, or its script. */
  readonly page: string
  /** Of the fields that take a password. */
  readonly names: readonly string[]
}

export interface SessionsFacts {
  readonly fixation: Topic<FixationSeen>
  readonly identifiers: Topic<IdentifierSeen>
  readonly signOut: Topic<SignOutSeen>
  readonly forged: Topic<ForgedSeen>
  readonly sockets: Topic<SocketSeen>
  /** Absent in facts of older runs. */
  readonly scripts?: Topic<ScriptSeen>
  /** Absent in facts of older runs. */
  readonly trusted?: Topic<TrustedSeen>
  /** Absent in facts of older runs. */
  readonly passwords?: Topic<PasswordChangeSeen>
}
