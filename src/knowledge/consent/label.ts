/** What the words on buttons and links of consent dialogs mean. Implemented by words.ts. */

/**
 * `accept` agrees to all, `reject` refuses all but the necessary, `settings` opens another layer, `save` keeps what is
 * ticked, `acknowledge` closes a notice that offers no choice ("OK", "Got it"), `revoke` opens the choice again
 * ("Cookie settings", "Withdraw consent").
 */
export type ButtonRole = 'accept' | 'reject' | 'settings' | 'save' | 'acknowledge' | 'revoke'

export type PolicyKind = 'privacy' | 'imprint' | 'cookies' | 'terms'

export interface ConsentWords {
  /** By text of a button or link: visible text, else its label. Null when it means none of them. */
  readonly roleOf: (label: string) => ButtonRole | null
  /** True when a text speaks of cookies, tracking or consent, as a dialog's does. */
  readonly speaksOfConsent: (text: string) => boolean
  /** True when a text names cookies at all: beside buttons to choose by it need say no more. */
  readonly namesCookies: (text: string) => boolean
  /** True when a text offers tracking or paying as the only choices. */
  readonly asksToPay: (text: string) => boolean
  /** True when the label of a box names what a site may do unasked: "necessary", "essential". */
  readonly meansNecessary: (label: string) => boolean
  readonly policyOf: (label: string, href: string) => PolicyKind | null
}
