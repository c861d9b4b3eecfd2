/** What an owner publishes to prove that a domain is theirs, from the domain and its token. */
import type { Verification } from './domain.ts'
import { splitDomain } from './domain-name.ts'

/** Days that a proof holds. */
export const VERIFICATION_DAYS = 90
export const CHALLENGE_PATH = '/.well-known/sonde-challenge.txt'
export const META_NAME = 'sonde-verification'

export const challengeValue = (token: string): string => `${META_NAME}=${token}`
export const challengeName = (host: string): string => `_sonde-challenge.${host}`

/** `token` is made of letters, digits, `-` and `_`, so it needs no escaping anywhere. */
export const verificationOf = (domain: string, token: string): Verification => ({
  dns_txt: { name: challengeName(splitDomain(domain).host), value: challengeValue(token) },
  http_file: { url: `https://${domain}${CHALLENGE_PATH}`, content: challengeValue(token) },
  meta_tag: { html: `<meta name="${META_NAME}" content="${token}">`, url: `https://${domain}/` },
})
