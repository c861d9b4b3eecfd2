/** What stands in place of a secret. It is written for people only: nothing that is sent to a target ever holds it. */
export const REDACTED = '[redacted]'
