/** RDP, VNC, SMB, X11: the first exchange, before anyone signs in. */
import type { Access, Probe } from './probe.ts'
import { askAnonymously, type SmbAnonymous, type SmbShare } from './smb-anonymous.ts'
import { atLeast, textOf } from './talk.ts'

/** X.224 connection request offering nothing but the old security of RDP (MS-RDPBCGR 2.2.1.1.1). */
export const rdp: Probe = {
  services: ['rdp'],
  run: async (talk) => {
    talk.send(Buffer.from('030000130ee000000000000100080000000000', 'hex'))
    const reply = await talk.read((bytes) => bytes.length >= 4 && bytes.length >= bytes.readUInt16BE(2))
    if (reply.length < 11 || reply[0] !== 3 || reply[5] !== 0xd0) return null
    // RDP_NEG_FAILURE with 5 (HYBRID_REQUIRED_BY_SERVER) is network level authentication; 2 (SSL_REQUIRED) is TLS alone.
    const failure = reply[11] === 3 && reply.length >= 19 ? reply.readUInt32LE(15) : null
    const level = failure === 5 || failure === 6
    return {
      service: 'rdp',
      product: 'Remote Desktop',
      info: level
        ? 'network level authentication required'
        : failure === 1 || failure === 2
          ? 'TLS required'
          : 'standard RDP security accepted',
      ...(level ? {} : { weakness: 'rdp-without-nla' as const }),
    }
  },
}

/** Version handshake and the list of security types (RFC 6143, 7.1): type 1 is none. */
export const vnc: Probe = {
  services: ['vnc'],
  greets: true,
  run: async (talk) => {
    const greeting = textOf(await talk.read(atLeast(12)))
    const version = /^RFB (\d{3})\.(\d{3})\n/.exec(greeting)
    if (!version) return null
    const old = version[2] === '003'
    talk.send(old ? 'RFB 003.003\n' : version[2] === '007' ? 'RFB 003.007\n' : 'RFB 003.008\n')
    const offer = await talk.read(old ? atLeast(4) : (bytes) => bytes.length > 0 && bytes.length >= 1 + (bytes[0] ?? 0))
    const types = old ? [offer.length >= 4 ? offer.readUInt32BE(0) : 0] : [...offer.subarray(1, 1 + (offer[0] ?? 0))]
    return {
      service: 'vnc',
      product: greeting.startsWith('RFB 003.889') ? 'Apple Remote Desktop' : 'VNC',
      info: `protocol ${Number(version[1])}.${Number(version[2])}`,
      access: types.includes(1)
        ? { kind: 'control', says: `security type 1 (none) is offered, of ${types.join(', ')}`, mark: '01' }
        : null,
    }
  },
}

/** SMB1 negotiate that names both dialects (MS-SMB2 3.3.5.3.1): an answer in SMB1 is version 1, in SMB2 a newer one. */
const smbNegotiate = (dialects: readonly string[]): Buffer => {
  const names = Buffer.from(dialects.map((name) => `\x02${name}\0`).join(''), 'latin1')
  const head = Buffer.from('ff534d4272000000001853c80000000000000000000000000000fffe0000000000', 'hex').subarray(0, 32)
  const body = Buffer.concat([head, Buffer.of(0, names.length & 0xff, names.length >> 8), names])
  return Buffer.concat([Buffer.of(0, 0, body.length >> 8, body.length & 0xff), body])
}
export const smb: Probe = {
  services: ['smb'],
  run: async (talk) => {
    talk.send(smbNegotiate(['NT LM 0.12']))
    const reply = await talk.read((bytes) => bytes.length >= 4 && bytes.length >= 4 + bytes.readUIntBE(1, 3))
    const text = textOf(reply.subarray(4, 8))
    if (text === '\xffSMB') {
      // Dialect index 0 is "NT LM 0.12"; 0xffff refuses it.
      const refused = reply.length >= 39 && reply.readUInt16LE(37) === 0xffff
      return {
        service: 'smb',
        product: 'SMB',
        info: refused ? 'SMB 1 refused' : 'SMB 1',
        ...(refused ? {} : { weakness: 'smb1' as const }),
      }
    }
    if (text === '\xfeSMB') return { service: 'smb', product: 'SMB', info: 'SMB 2 or newer' }
    return null
  },
  more: async (talk) => {
    const found = await askAnonymously(talk, talk.host)
    const access = found && accessOf(found)
    return access && { access, replay: `smbclient -N -p ${talk.port} -L //${talk.host}` }
  },
}

/** A session of nobody that shows nothing is what most servers give. */
const accessOf = ({ session, shares }: SmbAnonymous): Access | null => {
  const [first] = shares ?? []
  if (shares === null || first === undefined) return null
  const who =
    session === 'guest'
      ? 'a session without a name became one of a guest'
      : 'a session without a name (null session) was opened'
  const named = (some: readonly SmbShare[]): string =>
    some
      .map(({ name, remark }) => (remark === '' ? name : `${name} (${remark})`))
      .slice(0, 12)
      .join(', ')
      .slice(0, 500)
  const open = shares.filter((share) => share.opens)
  return open.length > 0
    ? {
        kind: 'share',
        says: `${who}, and opens the shared folders ${named(open)}; listed are ${named(shares)}`,
        mark: '',
      }
    : { kind: 'null-session', says: `${who}, and lists the shares ${named(shares)}`, mark: '' }
}

/** Connection set-up without authorization data (X protocol, chapter 8): status 1 is success. */
export const x11: Probe = {
  services: ['x11'],
  run: async (talk) => {
    talk.send(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
    const reply = await talk.read(atLeast(8))
    if (reply.length < 8 || (reply[0] ?? 9) > 2 || reply.readUInt16LE(2) !== 11) return null
    const open = reply[0] === 1
    const vendor =
      open && reply.length > 40 ? textOf(reply.subarray(40, 40 + Math.min(60, reply.readUInt16LE(24)))) : null
    return {
      service: 'x11',
      product: vendor,
      info: 'X11',
      access: open
        ? { kind: 'control', says: 'the connection set-up was accepted without a cookie', mark: '01' }
        : null,
    }
  },
}
