/** The package brings no types; this is what the tests use of it. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    on(event: string, listener: (...given: unknown[]) => void): void
  }
}
