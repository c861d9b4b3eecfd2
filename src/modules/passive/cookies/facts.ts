import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { PageKind } from '../../../page/page.ts'

/** One Set-Cookie line as the browser would meet it. */
export interface CookieObservation {
  /** The address that set it. */
  readonly url: string
  /** The line as sent. */
  readonly line: string
  readonly kind: PageKind
  readonly evidence: EvidenceRef | null
  /** The request as a command, where it takes more than the address. */
  readonly replay?: string | null
}

export interface CookiesFacts {
  /** In order of arrival; the same line of the same address once. */
  readonly observations: readonly CookieObservation[]
  /** Answers that were looked through. */
  readonly answers: number
  /** Of an active run: not all answers to its modules were seen, as an earlier attempt had some of them. */
  readonly resumed?: boolean
  /** In words, what the crawl was cut off before; absent where it came to its end. */
  readonly cutOff?: string
  /** Addresses with a session or a token, here without it, that pages of the site were seen to ask for in an active run; and those pages. */
  readonly addresses?: readonly { readonly page: string; readonly url: string }[]
  /** Names of cookies that the run's own sign-in was given; absent where it had none. */
  readonly ofSignIn?: readonly string[]
}
