import { describe, expect, it } from 'vitest'
import { loadRoots, nameOf, type RootStore, rootNames, rootOf } from '../../../knowledge/roots/roots.ts'
import { extension, type Issued, issue } from '../../../modules/passive/tls/testing/authority.ts'
import { parseCertificate } from './certificate.ts'
import { establishTrust } from './trust.ts'

/** Authority information access with one caIssuers address. */
const PUBLISHED = extension(
  '1.3.6.1.5.5.7.1.1',
  Buffer.from('3025302306082b060105050730028617687474703a2f2f63612e6578616d706c652f782e646572', 'hex'),
)

const root = await issue({ subject: 'CN=Root', issuer: null, authority: true })
const upper = await issue({ subject: 'CN=Upper', issuer: root, authority: true })
const issuing = await issue({ subject: 'CN=Issuing', issuer: upper, authority: true })
const leaf = await issue({ subject: 'CN=shop.test', issuer: issuing })
const published = await issue({ subject: 'CN=shop.test', issuer: issuing, extensions: [PUBLISHED] })
/** A list of one timestamp, of nobody's log. */
const LOGGED = extension(
  '1.3.6.1.4.1.11129.2.4.2',
  Buffer.from(`04330031002f00${'11'.repeat(32)}0000019000000000000004030000`, 'hex'),
)
const logged = await issue({ subject: 'CN=shop.test', issuer: issuing, extensions: [LOGGED] })
const past = await issue({ subject: 'CN=Issuing', issuer: upper, authority: true, key: issuing, notAfter: 86_400_000 })
const expired = await issue({ subject: 'CN=shop.test', issuer: issuing, notBefore: 0, notAfter: 86_400_000 })
const alone = await issue({ subject: 'CN=alone.test', issuer: null })
const impostor = await issue({ subject: 'CN=Issuing', issuer: null, authority: true })
const notAuthority = await issue({ subject: 'CN=Plain', issuer: root })
const underPlain = await issue({ subject: 'CN=shop.test', issuer: notAuthority })

const none: RootStore = { public: [], private: [] }
const known: RootStore = { public: [rootOf(root.der)], private: [] }
const added: RootStore = { public: [], private: [rootOf(root.der)] }

it('names are compared as OpenSSL compares them: without case and spaces, whatever their coding', () => {
  expect(nameOf('C=DE\nO=Example  Root')).toBe(nameOf('C=de\nO=\\ example Root'))
  expect(nameOf('CN=One')).not.toBe(nameOf('CN=Two'))
  expect(nameOf(undefined)).toBe('')
  // A build knows them by these, in this order.
  expect(rootNames()).toEqual(loadRoots().public.map(({ certificate }) => nameOf(certificate.subject)))
})

it('a root issued under a name in other letters is found', async () => {
  const other = await issue({ subject: 'CN=root', issuer: null, authority: true, key: root })
  const below = await issue({ subject: 'CN=shop.test', issuer: other })
  expect(establishTrust([parseCertificate(below.der)], known)).toMatchObject({ state: 'public', anchor: 'CN=Root' })
})

describe('establishTrust', () => {
  it.each<[string, readonly Issued[], RootStore, string, readonly number[]]>([
    ['full chain', [leaf, issuing, upper], known, 'public', [0, 1, 2]],
    ['authority of the operator', [leaf, issuing, upper], added, 'private', [0, 1, 2]],
    ['reversed intermediates', [leaf, upper, issuing], known, 'public', [0, 2, 1]],
    ['root sent as well', [leaf, issuing, upper, root], known, 'public', [0, 1, 2]],
    ['foreign certificate between', [leaf, alone, issuing, upper], known, 'public', [0, 2, 3]],
    ['expired leaf of a known authority', [expired, issuing, upper], known, 'public', [0, 1, 2]],
    ['intermediate missing', [published], known, 'incomplete', [0]],
    ['intermediate missing, its leaf in public logs', [logged], known, 'incomplete', [0]],
    ['an expired twin of the intermediate before it', [leaf, past, issuing, upper], known, 'public', [0, 2, 3]],
    ['unknown authority', [leaf, issuing, upper, root], none, 'untrusted', [0, 1, 2, 3]],
    ['unknown authority, not sent', [leaf], none, 'untrusted', [0]],
    ['self-signed', [alone], known, 'self-signed', [0]],
    ['issuer of the right name with another key', [leaf, impostor, upper], known, 'untrusted', [0]],
    ['issuer that is no authority', [underPlain, notAuthority], known, 'untrusted', [0]],
  ])('%s', (_name, sent, roots, state, path) => {
    const trust = establishTrust(
      sent.map(({ der }) => parseCertificate(der)),
      roots,
    )
    expect(trust).toMatchObject({ state, path })
  })
})
