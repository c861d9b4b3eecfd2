/** LDAP: the root entry, and the anonymous bind (RFC 4512, 5.1; RFC 4513, 5.1.1). Nobody signs in with a name. */
import { type BerItem, ber, berItems, berText } from '../../../../knowledge/ports/datagrams/ber.ts'
import type { Talk } from '../../../../protocols/services/talk.ts'
import {
  functionOf,
  objectOf,
  ScriptAnswer,
  type ScriptValue,
  scriptValue,
  stringOf,
} from '../../../language/script/value.ts'
import { StepSkipped } from '../../executor.ts'
import type { NetParts } from '../net.ts'
import { conversation, placeOf } from './asking.ts'

const PORT = 389
const BIND_ANSWER = 0x61
const ENTRY = 0x64
const DONE = 0x65

const ATTRIBUTES = [
  'defaultNamingContext',
  'namingContexts',
  'domainFunctionality',
  'forestFunctionality',
  'domainControllerFunctionality',
  'dnsHostName',
]

const message = (id: number, operation: Buffer): Buffer => ber(0x30, ber(0x02, Buffer.of(id)), operation)

const ANONYMOUS_BIND = message(1, ber(0x60, ber(0x02, Buffer.of(3)), berText(0x04, ''), berText(0x80, '')))

const ROOT_ENTRY = message(
  2,
  ber(
    0x63,
    berText(0x04, ''),
    ber(0x0a, Buffer.of(0)),
    ber(0x0a, Buffer.of(0)),
    ber(0x02, Buffer.of(1)),
    ber(0x02, Buffer.of(5)),
    ber(0x01, Buffer.of(0)),
    berText(0x87, 'objectClass'),
    ber(0x30, ...ATTRIBUTES.map((name) => berText(0x04, name))),
  ),
)

const operationsOf = (bytes: Buffer): readonly BerItem[] =>
  berItems(bytes).flatMap(({ tag, body }) => (tag === 0x30 ? (berItems(body)[1] ?? []) : []))

const ends =
  (tag: number) =>
  (bytes: Buffer): boolean =>
    operationsOf(bytes).some((operation) => operation.tag === tag)

const anonymousBind = async (talk: Talk): Promise<boolean> => {
  talk.send(ANONYMOUS_BIND)
  const answer = operationsOf(await talk.read(ends(BIND_ANSWER))).find(({ tag }) => tag === BIND_ANSWER)
  const code = answer && berItems(answer.body)[0]?.body
  if (code === undefined) throw new ScriptAnswer('what answers there is not LDAP')
  return code.length === 1 && code[0] === 0
}

const rootEntry = async (talk: Talk): Promise<ReadonlyMap<string, string>> => {
  talk.send(ROOT_ENTRY)
  const operations = operationsOf(await talk.read(ends(DONE)))
  if (!operations.some(({ tag }) => tag === ENTRY || tag === DONE)) {
    throw new ScriptAnswer('what answers there is not LDAP')
  }
  const entry = operations.find(({ tag }) => tag === ENTRY)
  const list = entry && berItems(entry.body)[1]
  return new Map(
    (list ? berItems(list.body) : []).map(({ body }) => {
      const [name, values] = berItems(body)
      const [value] = values ? berItems(values.body) : []
      return [(name?.body.toString('latin1') ?? '').toLowerCase(), value?.body.toString('utf8').slice(0, 500) ?? '']
    }),
  )
}

const metadataOf = (entry: ReadonlyMap<string, string>, realm: string) => {
  const of = (name: string): string => entry.get(name.toLowerCase()) ?? ''
  const context = of('defaultNamingContext') || of('namingContexts')
  return {
    BaseDN: context,
    Domain: realm,
    DefaultNamingContext: of('defaultNamingContext'),
    DomainFunctionality: of('domainFunctionality'),
    ForestFunctionality: of('forestFunctionality'),
    DomainControllerFunctionality: of('domainControllerFunctionality'),
    DnsHostName: of('dnsHostName'),
    DNSHostName: of('dnsHostName'),
  }
}

const REFUSED = [
  'AuthenticateHash',
  'Search',
  'AdvancedSearch',
  'FindADObjects',
  'GetADUsers',
  'GetADGroups',
  'GetADDCList',
  'GetADActiveUsers',
  'GetADAdmins',
  'GetKerberoastableUsers',
  'GetADDomainSID',
]

export const ldapModule = (parts: NetParts): ScriptValue => {
  const client = (url: ScriptValue, second: ScriptValue): ScriptValue => {
    const [address = '', written] = stringOf(url)
      .replace(/^ldaps?:\/\//i, '')
      .split(':')
    // The second argument is the realm; templates of old give the port there.
    const port = Number(written ?? (typeof second === 'number' ? second : PORT))
    const realm = typeof second === 'string' ? second : ''
    const place = placeOf(parts, address, port)
    return objectOf({
      CollectMetadata: functionOf(async () =>
        scriptValue(metadataOf(await conversation(parts, place, rootEntry), realm)),
      ),
      Authenticate: functionOf(async ([user, password]) => {
        if (stringOf(user ?? '').trim() !== '' || stringOf(password ?? '').trim() !== '') {
          throw new StepSkipped('ldap.Authenticate signs in', 'policy')
        }
        if (await conversation(parts, place, anonymousBind)) return true
        throw new ScriptAnswer('the server lets nobody in without a name')
      }),
      ...Object.fromEntries(
        REFUSED.map((name) => [
          name,
          functionOf(() => {
            throw new StepSkipped(`ldap.${name} reads the directory as somebody who signed in`, 'policy')
          }),
        ]),
      ),
      Close: functionOf(() => undefined),
    })
  }
  return objectOf({
    Client: functionOf(([url, second]) => client(url, second)),
    Config: functionOf(() => objectOf({})),
  })
}
