/** Messages that several cases of the probes build. */
export const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex')
export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const mongo = (elements: string): Buffer => {
  const document = Buffer.concat([Buffer.alloc(4), Buffer.from(`${elements}\0`, 'latin1')])
  document.writeInt32LE(document.length)
  const message = Buffer.concat([Buffer.alloc(21), document])
  message.writeInt32LE(message.length)
  message.writeInt32LE(2013, 12)
  return message
}
/** No SSL, then an error of these fields. */
export const postgres = (fields: string) => (_received: Buffer, turn: number) =>
  turn === 0 ? 'N' : Buffer.concat([Buffer.from('E'), u32(fields.length + 4), Buffer.from(fields, 'latin1')])
export const BUILD = '\x02version\0\x06\0\0\x006.0.5\0\x01ok\0\0\0\0\0\0\0\xf0\x3f'
