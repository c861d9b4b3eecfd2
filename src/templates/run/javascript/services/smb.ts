/** `nuclei/smb` of scripts: dialect, capabilities, clock, and the names that a server tells. */
import { EgressError } from '../../../../egress/door/egress.ts'
import { type Challenge, NAME } from '../../../../protocols/services/ntlm.ts'
import { negotiateSmb2, type SmbNegotiated, takesSmb1 } from '../../../../protocols/services/smb.ts'
import { ScriptAnswer } from '../../../language/script/errors.ts'
import { isFinal } from '../../http/client.ts'
import type { NetParts } from '../net.ts'
import { type Call, conversation, type ModuleShape, placeOf, SIGNS_IN } from './asking.ts'

/** Of SMB2_GLOBAL_CAP, MS-SMB2 2.2.4. */
const CAPABILITIES = ['DFSSupport', 'Leasing', 'LargeMTU', 'MultiChan', 'Persist', 'DirLeasing', 'Encryption']

const versionOf = (dialect: number) => {
  const [major, minor, revision] = [dialect >> 8, (dialect >> 4) & 15, dialect & 15]
  const text = `SMB ${major}.${minor}${revision > 0 ? `.${revision}` : ''}`
  return { Major: major, Minor: minor, Revision: revision, VerString: text }
}

const infoOf = (found: SmbNegotiated | null, first: boolean) => ({
  SupportV1: first,
  NativeOs: '',
  NTLM: found?.challenge ? nameOf(found.challenge, NAME.computer) : '',
  GroupName: found?.challenge ? nameOf(found.challenge, NAME.domain) : '',
  HasNTLM: found?.challenge !== null && found !== null,
  Version: found === null ? { Major: 1, Minor: 0, Revision: 0, VerString: 'SMB 1.0' } : versionOf(found.dialect),
  Capabilities: Object.fromEntries(
    CAPABILITIES.map((name, bit) => [name, (((found?.capabilities ?? 0) >> bit) & 1) === 1]),
  ),
  NegotiationLog: {
    SecurityMode: found?.securityMode ?? 0,
    DialectRevision: found?.dialect ?? 0,
    ServerGuid: found?.guid ?? '',
    SystemTime: found?.systemTime ?? 0,
    ServerStartTime: found?.startTime ?? 0,
  },
})

const metadataOf = ({ securityMode, challenge }: SmbNegotiated) => ({
  SigningEnabled: (securityMode & 1) !== 0,
  SigningRequired: (securityMode & 2) !== 0,
  OSVersion: challenge?.os ?? '',
  NetBIOSComputerName: nameOf(challenge, NAME.computer),
  NetBIOSDomainName: nameOf(challenge, NAME.domain),
  DNSComputerName: nameOf(challenge, NAME.dnsComputer),
  DNSDomainName: nameOf(challenge, NAME.dnsDomain),
  ForestName: nameOf(challenge, NAME.dnsForest),
})

const nameOf = (challenge: Challenge | null, id: number): string => challenge?.names.get(id) ?? ''

/** A server may refuse the old version by hanging up. */
const takesVersion1 = async (parts: NetParts, place: ReturnType<typeof placeOf>): Promise<boolean> => {
  try {
    return await conversation(parts, place, takesSmb1)
  } catch (error) {
    if (!(error instanceof EgressError) || isFinal(error)) throw error
    return false
  }
}

const info: Call = async (parts, args) => {
  const place = placeOf(parts, args)
  const found = await conversation(parts, place, negotiateSmb2)
  const first = await takesVersion1(parts, place)
  if (found === null && !first) throw new ScriptAnswer('what answers there is not SMB')
  return infoOf(found, first)
}

const metadata: Call = async (parts, args) => {
  const found = await conversation(parts, placeOf(parts, args), negotiateSmb2)
  if (found === null) throw new ScriptAnswer('what answers there is not SMB 2')
  return metadataOf(found)
}

export const SMB: ModuleShape = {
  name: 'smb',
  client: 'SMBClient',
  calls: { ConnectSMBInfoMode: info, ListSMBv2Metadata: metadata },
  refused: {
    [SIGNS_IN]: ['ListShares'],
    'sends a broken message to the kernel of the server': ['DetectSMBGhost'],
  },
}
