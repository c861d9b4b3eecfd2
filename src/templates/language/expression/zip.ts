/** A ZIP archive in memory (APPNOTE 6.3): names and contents by turns, deflated. */
import { crc32, deflateRawSync } from 'node:zlib'
import { bufferOf } from '../bytes.ts'
import { DslError } from './value.ts'

export const zipOf = (pairs: readonly string[]): string => {
  if (pairs.length % 2 === 1) throw new DslError('zip needs a content for every name')
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (let at = 0; at < pairs.length; at += 2) {
    const name = bufferOf(pairs[at] ?? '')
    const content = bufferOf(pairs[at + 1] ?? '')
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, name]))
    local.push(entry)
    offset += entry.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end]).toString('latin1')
}
