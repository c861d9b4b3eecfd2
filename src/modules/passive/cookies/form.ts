import { MAX_PAIR } from '../../../page/cookies/set-cookie.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { seenCookies } from './facts-seen.ts'
import { perCookie, withoutCookies } from './observed.ts'

const REFERENCES = [
  'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-set-cookie-header-field',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie',
] as const
const common = { cwe: 565, group: 'browser-policy', references: REFERENCES } as const

const tooLarge: FindingDefinition = {
  ...common,
  id: 'cookies/too-large',
  title: 'Cookie too large: browsers do not accept it',
  severity: 'low',
  why: 'Browsers ignore a cookie whose name and value exceed 4096 bytes, so what it should do does not happen.',
  remediation: 'Keep the data on the server and only its key in the cookie.',
}

const malformed: FindingDefinition = {
  ...common,
  id: 'cookies/control-character',
  title: 'Cookie with a control character',
  severity: 'low',
  why: 'Browsers drop the whole line. It may come from input that reached the header unchecked.',
  remediation: 'Encode values (base64url or percent-encoding) before they go into a cookie.',
}

const nameless: FindingDefinition = {
  ...common,
  id: 'cookies/nameless',
  title: 'Cookie without a name',
  severity: 'low',
  why: 'It is sent back as its bare value, which servers may read as a name and value of another cookie.',
  remediation: 'Give the cookie a name: `Set-Cookie: name=value; …`.',
}

const partitioned: FindingDefinition = {
  ...common,
  id: 'cookies/partitioned-insecure',
  title: 'Partitioned cookie (CHIPS) without Secure',
  severity: 'low',
  why: 'Browsers refuse Partitioned without Secure, so the cookie is never stored.',
  remediation: 'Add Secure: `Set-Cookie: __Host-name=…; Path=/; Secure; SameSite=None; Partitioned`.',
}

/** Cookies that a browser cannot store as they were sent. */
export const form: Check<'cookies', 'site'> = {
  findings: [tooLarge, malformed, nameless, partitioned],
  judge: (facts, _known, about) => {
    const none = withoutCookies(facts, about)
    if (none) return none
    const seen = seenCookies(facts, about.now)
    return [
      ...perCookie(tooLarge, seen, ({ cookie }) =>
        cookie.rejected === 'too-large'
          ? `has ${cookie.name.length + cookie.value.length} bytes, above ${MAX_PAIR}`
          : null,
      ),
      ...perCookie(malformed, seen, ({ cookie }) =>
        cookie.rejected === 'control-character' ? 'contains a control character' : null,
      ),
      ...perCookie(nameless, seen, ({ cookie }) => (cookie.name === '' ? 'is a bare value' : null)),
      ...perCookie(partitioned, seen, ({ cookie }) =>
        cookie.partitioned && !cookie.secure ? 'has Partitioned without Secure' : null,
      ),
    ]
  },
}
